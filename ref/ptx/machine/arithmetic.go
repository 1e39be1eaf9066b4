package machine

import "math/bits"

// The instructions that are more than an operation of Go. Values of fewer than 64
// bits are kept with zeros above them; shift is 64 less the number of their bits.

// maskOf has as many ones.
func maskOf(bits uint) uint64 {
	if bits >= 64 {
		return ^uint64(0)
	}
	return 1<<bits - 1
}

// signed reads a value as a signed one.
func signed(v uint64, shift uint8) int64 { return int64(v<<shift) >> shift }

// minSigned is the least number of so many bits.
func minSigned(shift uint8) int64 { return -1 << (63 - shift) }

func shiftLeft(v, n uint64, mask uint64) uint64 {
	if n > 63 {
		return 0
	}
	return v << n & mask
}

func shiftRight(v, n uint64) uint64 {
	if n > 63 {
		return 0
	}
	return v >> n
}

func shiftRightSigned(v, n uint64, shift uint8, mask uint64) uint64 {
	return uint64(signed(v, shift)>>min(n, 63)) & mask
}

// mulHigh is the upper half of a product.
func mulHigh(a, b uint64, shift uint8) uint64 {
	if shift == 0 {
		high, _ := bits.Mul64(a, b)
		return high
	}
	return a * b >> (64 - shift)
}

func mulHighSigned(a, b uint64, shift uint8, mask uint64) uint64 {
	if shift != 0 {
		return uint64(signed(a, shift)*signed(b, shift)>>(64-shift)) & mask
	}
	high, _ := bits.Mul64(a, b)
	if int64(a) < 0 {
		high -= b
	}
	if int64(b) < 0 {
		high -= a
	}
	return high
}

// mul24 is the product of the low 24 bits: its low 32 bits, or those from 16 on.
func mul24(a, b uint64, isSigned, high bool) uint64 {
	product := (a & 0xffffff) * (b & 0xffffff)
	if isSigned {
		product = uint64(signed(a&0xffffff, 40) * signed(b&0xffffff, 40))
	}
	if high {
		product >>= 16
	}
	return product & 0xffffffff
}

func addSaturated(a, b int64) uint64 {
	return uint64(min(max(a+b, -1<<31), 1<<31-1)) & 0xffffffff
}

func absolute(v int64) int64 {
	if v < 0 {
		return -v
	}
	return v
}

// extract is bfe: length bits of a from pos on, beyond the end of a the sign.
func extract(a, pos, length uint64, isSigned bool, width uint64) uint64 {
	pos, length = pos&0xff, length&0xff
	var fill uint64
	if isSigned && length > 0 {
		fill = a >> min(pos+length-1, width-1) & 1
	}
	kept := uint64(0)
	if pos < width {
		kept = min(length, width-pos)
	}
	low := a >> min(pos, 63) & maskOf(uint(kept))
	if fill == 0 {
		return low
	}
	return (low | ^maskOf(uint(kept))) & maskOf(uint(width))
}

// insert is bfi: b with length bits of a from pos on.
func insert(a, b, pos, length, width uint64) uint64 {
	pos, length = pos&0xff, length&0xff
	if pos >= width {
		return b
	}
	field := maskOf(uint(min(length, width-pos))) << pos
	return b&^field | a<<pos&field
}

// findTop is bfind: the place of the highest bit that is not that of the sign.
func findTop(a uint64, isSigned bool, shift uint8, amount bool) uint64 {
	if isSigned {
		v := signed(a, shift)
		if v < 0 {
			v = ^v
		}
		a = uint64(v)
	}
	if a == 0 {
		return 0xffffffff
	}
	top := uint64(bits.Len64(a) - 1)
	if amount {
		return 63 - uint64(shift) - top
	}
	return top
}

// bitMask is bmsk: width ones from pos on. wrap: both modulo 32.
func bitMask(pos, width uint64, wrap bool) uint64 {
	if wrap {
		pos, width = pos&31, width&31
	}
	if pos > 31 {
		return 0
	}
	return maskOf(uint(min(width, 32))) << pos & 0xffffffff
}

// lookUp is lop3: any function of three bits, given as a table.
func lookUp(a, b, c uint64, table uint8) uint64 {
	var r uint64
	for i := range uint8(8) {
		if table>>i&1 == 0 {
			continue
		}
		x, y, z := a, b, c
		if i&4 == 0 {
			x = ^x
		}
		if i&2 == 0 {
			y = ^y
		}
		if i&1 == 0 {
			z = ^z
		}
		r |= x & y & z
	}
	return r & 0xffffffff
}

// funnel is shf: 32 bits of the 64 of high and low, shifted.
func funnel(low, high, n uint64, left, wrap bool) uint64 {
	if wrap {
		n &= 31
	} else {
		n = min(n, 32)
	}
	both := high<<32 | low
	if left {
		return both << n >> 32
	}
	return both >> n & 0xffffffff
}

// permuteMode is how prmt chooses bytes.
type permuteMode uint8

const (
	byIndex permuteMode = iota
	forward4
	backward4
	replicate8
	edgeLeft
	edgeRight
	replicate16
)

// permute is prmt: four of the eight bytes of b and a.
func permute(a, b, c uint64, mode permuteMode) uint64 {
	both := b<<32 | a
	n := c & 3
	var r uint64
	for i := range uint64(4) {
		var from uint64
		switch mode {
		case byIndex:
			from = c >> (4 * i) & 7
		case forward4:
			from = n + i
		case backward4:
			from = (n - i) & 7
		case replicate8:
			from = n
		case edgeLeft:
			from = max(i, n)
		case edgeRight:
			from = min(i, n)
		case replicate16:
			from = n&1<<1 + i&1
		}
		v := both >> (8 * from) & 0xff
		if mode == byIndex && c>>(4*i+3)&1 != 0 { // its sign, eight times
			v = v >> 7 * 0xff
		}
		r |= v << (8 * i)
	}
	return r
}

// saturate is cvt.sat: the nearest number that the type of the result has. The value
// is already extended to 64 bits.
func saturate(v uint64, isSigned, toSigned bool, shift uint8) uint64 {
	least, most := uint64(0), maskOf(64-uint(shift))
	if toSigned {
		least, most = uint64(minSigned(shift)), uint64(^minSigned(shift))
	}
	if !isSigned {
		return min(v, most)
	}
	if s := int64(v); s < 0 && (!toSigned || s < int64(least)) {
		return least
	} else if s >= 0 && v > most {
		return most
	}
	return v
}
