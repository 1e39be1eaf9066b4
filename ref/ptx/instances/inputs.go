package instances

import "math/rand/v2"

// edges are numbers at which instructions go wrong.
var edges = []uint64{
	0, 1, 2, 3, 7, 8, 15, 16, 17, 24, 31, 32, 33, 40, 63, 64, 65, 127, 128, 255, 256, 257, 0x3fff, 0x7fff, 0x8000, 0xffff, 0x10000,
	0x7fffff, 0x800000, 0xffffff, 0x1000000, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0x1_0000_0000,
	0x7fff_ffff_ffff_ffff, 0x8000_0000_0000_0000, 0x8000_0000_0000_0001, 0xffff_ffff_8000_0000, 0xffff_ffff_7fff_ffff,
	0xffff_ffff_ffff_8000, 0xffff_ffff_ffff_7fff, 0xffff_ffff_ffff_ff80, 0xffff_ffff_ffff_ff7f, 0xffff_ffff_ffff_fffe, 0xffff_ffff_ffff_ffff,
}

// Inputs makes the operands of so many instances of a form: edge values, numbers of
// few bits, any, and now and then two that are equal.
func Inputs(form int, f *Form, seed uint64, instances int) []uint64 {
	r := rand.New(rand.NewPCG(seed, uint64(form)))
	all := make([]uint64, Words*instances)
	for i := range all {
		v := draw(r)
		if i%Words > 0 && r.IntN(8) == 0 {
			v = all[i-1] // comparisons find two equal ones
		}
		if f.Divides && i%Words == 1 {
			for v&(1<<(f.Operands[1]-1)<<1-1) == 0 {
				v = draw(r)
			}
		}
		if k := i % Words; f.Places && k < len(f.Operands) && f.Operands[k] == 32 {
			v &= 0xff
		}
		all[i] = v
	}
	return all
}

func draw(r *rand.Rand) uint64 {
	switch r.IntN(4) {
	case 0:
		return edges[r.IntN(len(edges))]
	case 1:
		return r.Uint64() >> r.IntN(64)
	case 2:
		return r.Uint64N(300)
	}
	return r.Uint64()
}
