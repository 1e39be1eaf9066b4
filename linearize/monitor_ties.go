package linearize

import (
	"cmp"
	"slices"

	"stealproof/model"
)

// ties says for every operation which one of its process returned at the very
// stamp at which it was called, or absent. Only there the order of a process
// says more than the times do. Nil if there is no such pair.
type ties []uint32

// findTies takes the operations as they stand if each process's are in order,
// which is usual, and sorts them otherwise.
func findTies(ops []model.Operation, look *survey) ties {
	if look.inOrder {
		if !look.tied {
			return nil
		}
		return tiesInOrder(ops, nil, look.processes)
	}
	order := make([]uint32, len(ops))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(i, j uint32) int {
		a, b := &ops[i], &ops[j]
		return cmp.Or(cmp.Compare(a.Process, b.Process), model.CompareInProcess(a, b), cmp.Compare(i, j))
	})
	return tiesInOrder(ops, order, look.processes)
}

// tiesInOrder goes through the operations in the given order, or as they
// stand.
func tiesInOrder(ops []model.Operation, order []uint32, processes uint32) ties {
	last := newLastOf(processes, len(ops))
	var found ties
	for k := range ops {
		i := uint32(k)
		if order != nil {
			i = order[k]
		}
		o := &ops[i]
		before := last.swap(o.Process, i)
		if before == absent {
			continue
		}
		if ops[before].Return == o.Call {
			if found == nil {
				found = make(ties, len(ops))
				for j := range found {
					found[j] = absent
				}
			}
			found[i] = before
		}
	}
	return found
}

// lastOf remembers the last operation of every process.
type lastOf struct {
	dense  []uint32
	sparse map[uint32]uint32
}

func newLastOf(processes uint32, ops int) *lastOf {
	if uint64(processes) > 2*uint64(ops)+65536 {
		return &lastOf{sparse: map[uint32]uint32{}}
	}
	l := &lastOf{dense: make([]uint32, processes+1)}
	for i := range l.dense {
		l.dense[i] = absent
	}
	return l
}

func (l *lastOf) swap(process, op uint32) uint32 {
	if l.dense != nil {
		before := l.dense[process]
		l.dense[process] = op
		return before
	}
	before, seen := l.sparse[process]
	l.sparse[process] = op
	if !seen {
		return absent
	}
	return before
}

// comesFirst says whether a comes before b in the process of both.
func comesFirst(ops []model.Operation, a, b uint32) bool {
	return cmp.Or(model.CompareInProcess(&ops[a], &ops[b]), cmp.Compare(a, b)) < 0
}

// inverse says for every operation which one of its process was called at the
// very stamp at which it returned.
func (t ties) inverse() ties {
	after := make(ties, len(t))
	for i := range after {
		after[i] = absent
	}
	for i, before := range t {
		if before != absent {
			after[before] = uint32(i)
		}
	}
	return after
}
