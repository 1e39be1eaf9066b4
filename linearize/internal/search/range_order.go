package search

import (
	"cmp"
	"maps"
	"slices"

	"stealproof/model"
)

// usualOrder tries first what returns first.
func (r *sharedRange) usualOrder() {
	r.noise = 0
	clear(r.blame)
	clear(r.preferred)
}

// anotherOrder adds noise, and prefers what it was often too late for. The order
// stays as it is until the next call.
func (r *sharedRange) anotherOrder(noise uint64) {
	r.noise = noise
	r.preferred = maps.Clone(r.blame)
}

func (r *sharedRange) urgency(op uint32) uint64 {
	o := &r.ops[op]
	at := r.Of(o.Return)
	if r.noise == 0 {
		return at
	}
	unit := (at - r.Of(o.Call)) / 4
	return at + scramble(uint64(op)<<20+r.noise)%(unit+1) - min(at, unit*uint64(r.preferred[op]))
}

// withoutTwins keeps of operations that do the same the one that returns first.
// Nothing is lost: if another one comes here and this one later, they can be
// exchanged, as both were called by now and the other one returns even later. Where
// they return at the same stamp, the one that is waited for by a tie may matter.
func (r *sharedRange) withoutTwins(ops []uint32) []uint32 {
	twins := func(a, b *model.Operation) int {
		return cmp.Or(cmp.Compare(a.Value, b.Value), cmp.Compare(a.To, b.To), cmp.Compare(a.Op, b.Op))
	}
	slices.SortFunc(ops, func(i, j uint32) int {
		a, b := &r.ops[i], &r.ops[j]
		return cmp.Or(twins(a, b), cmp.Compare(a.Return, b.Return), cmp.Compare(i, j))
	})
	first := &model.Operation{}
	return slices.DeleteFunc(ops, func(i uint32) bool {
		o := &r.ops[i]
		if twins(first, o) == 0 && (o.Return > first.Return || r.tied == nil) {
			return true
		}
		first = o
		return false
	})
}
