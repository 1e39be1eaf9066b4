package format

import "encoding/binary"

// sphSum guards a file: the sum of its 32-bit words, and the sum of the sums
// after each word, both modulo 2^64. C programs keep it while they write:
//
//	sum += word; of_sums += sum;
//
// The second tells words that changed places. Any damage within two words is
// seen in files up to 16 GiB: it changes the first sum, or moves the second by
// a difference below 2^32 times a distance below 2^32, which is no multiple of
// 2^64 unless it is 0.
type sphSum struct {
	sum, ofSums uint64
}

// add goes on over p, whose length is a multiple of 4.
func (s *sphSum) add(p []byte) {
	le := binary.LittleEndian
	sum, ofSums := s.sum, s.ofSums
	for ; len(p) >= 32; p = p[32:] {
		// The same as word by word, without each addition waiting for the last.
		a, b, c, d := le.Uint64(p), le.Uint64(p[8:]), le.Uint64(p[16:]), le.Uint64(p[24:])
		a0, a1, b0, b1 := a&mask32, a>>32, b&mask32, b>>32
		c0, c1, d0, d1 := c&mask32, c>>32, d&mask32, d>>32
		ofSums += 8*(sum+a0) + 7*a1 + 6*b0 + 5*b1 + 4*c0 + 3*c1 + 2*d0 + d1
		sum += a0 + a1 + b0 + b1 + c0 + c1 + d0 + d1
	}
	for ; len(p) >= 4; p = p[4:] {
		sum += uint64(le.Uint32(p))
		ofSums += sum
	}
	s.sum, s.ofSums = sum, ofSums
}

const mask32 = 1<<32 - 1

// then is the sum over what s saw and, behind it, the given bytes that t saw.
func (s sphSum) then(t sphSum, bytes int64) sphSum {
	return sphSum{s.sum + t.sum, s.ofSums + s.sum*uint64(bytes/4) + t.ofSums}
}
