package timing

import (
	"math/bits"

	"stealproof/model"
)

// gapless makes stamps of times that lie far apart, but in clusters: time is
// cut into stretches, and those in which nothing happens are left out.
type gapless struct {
	base, ever uint64
	shift      uint     // a stretch is 2^shift long
	rank       []uint32 // of a stretch among those in which something happens
}

// stretches are how many there are at most: a table of them is to cost no more
// than the operations do.
func stretches(ops int) uint64 { return min(1<<20, 1024+64*uint64(ops)) }

// withoutGaps fails if the times are not in clusters enough.
func withoutGaps(ops []model.Operation, look *Survey) (Clock, bool) {
	s := Clock{base: look.early, bits: uint(bits.Len(uint(len(ops))))}
	g := &gapless{base: look.early, shift: uint(bits.Len64((look.Late - look.early) / stretches(len(ops))))}
	g.rank = make([]uint32, (look.Late-look.early)>>g.shift+1)
	for i := range ops {
		o := &ops[i]
		g.rank[(o.Call-g.base)>>g.shift] = 1
		if !o.Pending() {
			g.rank[(o.Return-g.base)>>g.shift] = 1
		}
	}
	used := uint32(0)
	for k, is := range g.rank {
		g.rank[k] = used
		used += is
	}
	g.ever = uint64(used) << g.shift
	s.Ever, s.gaps = g.ever, g
	return s, g.shift < 40 && bits.Len64(s.Ever+2)+int(s.bits) <= 64
}

func (g *gapless) of(t uint64) uint64 {
	if t == model.Never {
		return g.ever
	}
	t -= g.base
	return uint64(g.rank[t>>g.shift])<<g.shift | t&(1<<g.shift-1)
}
