// Package choice is where generators and strategies take their choices from.
package choice

// Source is where generators and strategies take their choices from: a seeded
// stream, the bytes of a fuzzer, or the draws of a property test. Equal
// sources give equal programs and schedules on every machine.
type Source interface {
	// IntN returns a number from 0 to n-1.
	IntN(n int) int
}

// Random is a seeded stream of choices: SplitMix64, which is fixed for ever.
type Random struct{ state uint64 }

// NewRandom returns the stream of a seed.
func NewRandom(seed uint64) *Random { return &Random{seed} }

func (r *Random) next() uint64 {
	r.state += 0x9e3779b97f4a7c15
	z := r.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// IntN returns a number from 0 to n-1. The bias, of order n/2³², matters to no
// strategy.
func (r *Random) IntN(n int) int { return int(r.next() >> 32 * uint64(n) >> 32) }

// Order returns the numbers from 0 to n-1 in any order.
func (r *Random) Order(n int) []int {
	list := make([]int, n)
	for i := range list {
		k := r.IntN(i + 1)
		list[i], list[k] = list[k], i
	}
	return list
}

// Bytes takes choices from a string of bytes, and the first choice for ever
// once it has ended, so that a fuzzer's mutation of a byte is a mutation of a
// choice.
type Bytes struct{ rest []byte }

// NewBytes returns the choices of a string of bytes.
func NewBytes(b []byte) *Bytes { return &Bytes{b} }

// IntN returns a number from 0 to n-1.
func (b *Bytes) IntN(n int) int {
	if n <= 1 || len(b.rest) == 0 {
		return 0
	}
	c := int(b.rest[0])
	b.rest = b.rest[1:]
	for most := 256; most < n && len(b.rest) > 0; most *= 256 {
		c = c<<8 | int(b.rest[0])
		b.rest = b.rest[1:]
	}
	return c % n
}

// Rest returns the bytes that were not used.
func (b *Bytes) Rest() []byte { return b.rest }
