package search

// fingerprint names a set, whose elements are toggled, by 128 bits.
type fingerprint [2]uint64

func (f *fingerprint) toggle(a, b uint64) {
	x := a + b<<32
	f[0] ^= scramble(x + 0x9e3779b97f4a7c15)
	f[1] ^= scramble(x ^ 0xd1b54a32d192ed03)
}

// and names two sets together.
func (f fingerprint) and(g fingerprint) fingerprint { return fingerprint{f[0] ^ g[0], f[1] ^ g[1]} }

// scramble is the finish of the generator splitmix64.
func scramble(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
