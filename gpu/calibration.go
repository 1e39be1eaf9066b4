package gpu

import "encoding/binary"

// pairing makes pairs of blocks that are shift apart; who is left over is its
// own partner.
func pairing(blocks, shift int) []int {
	partner := make([]int, blocks)
	for i := range partner {
		partner[i] = i
	}
	for i := range partner {
		if j := i + shift; j < blocks && partner[i] == i && partner[j] == j {
			partner[i], partner[j] = j, i
		}
	}
	return partner
}

// collect adds what the pairs of a round have measured: struct pair_result of
// kernels/clock.cu, 48 bytes for each block.
func (c *Calibration) collect(out []byte, partner []int) {
	field := func(block, i int) uint64 { return binary.LittleEndian.Uint64(out[block*48+i*8:]) }
	for a, b := range partner {
		if a >= b {
			continue
		}
		if field(a, 5)+field(b, 5) > 0 || field(a, 1) == 0 || field(b, 1) == 0 {
			c.Unanswered++
			continue
		}
		c.Pairs++
		for _, block := range []int{a, b} {
			c.Handovers += field(block, 1)
			c.Smallest = min(c.Smallest, field(block, 2))
			c.Backward += field(block, 3)
			c.Furthest = max(c.Furthest, field(block, 4))
		}
		there, back := field(a, 2), field(b, 2)
		c.Skew = max(c.Skew, (max(there, back)-min(there, back))/2)
	}
}
