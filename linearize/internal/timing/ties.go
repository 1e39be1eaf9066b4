package timing

import (
	"cmp"
	"slices"

	"stealproof/model"
)

// Ties says for every operation which one of its process returned at the very
// stamp at which it was called, or Absent. Only there the order of a process
// says more than the times do. Nil if there is no such pair.
type Ties []uint32

// FindTies takes the operations as they stand if each process's are in order,
// which is usual, and sorts them otherwise.
func FindTies(ops []model.Operation, look *Survey) Ties {
	if look.inOrder {
		if !look.tied {
			return nil
		}
		return tiesInOrder(ops, nil, look.Processes)
	}
	order := make([]uint32, len(ops))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(i, j uint32) int {
		a, b := &ops[i], &ops[j]
		return cmp.Or(cmp.Compare(a.Process, b.Process), model.CompareInProcess(a, b), cmp.Compare(i, j))
	})
	return tiesInOrder(ops, order, look.Processes)
}

// tiesInOrder goes through the operations in the given order, or as they
// stand.
func tiesInOrder(ops []model.Operation, order []uint32, processes uint32) Ties {
	last := NewLastOf(processes, len(ops))
	var found Ties
	for k := range ops {
		i := uint32(k)
		if order != nil {
			i = order[k]
		}
		o := &ops[i]
		before := last.Swap(o.Process, i)
		if before == Absent {
			continue
		}
		if ops[before].Return == o.Call {
			if found == nil {
				found = make(Ties, len(ops))
				for j := range found {
					found[j] = Absent
				}
			}
			found[i] = before
		}
	}
	return found
}

// LastOf remembers the last operation of every process.
type LastOf struct {
	dense  []uint32
	sparse map[uint32]uint32
}

// NewLastOf makes room for processes up to a number, in so many operations.
func NewLastOf(processes uint32, ops int) *LastOf {
	if uint64(processes) > 2*uint64(ops)+65536 {
		return &LastOf{sparse: map[uint32]uint32{}}
	}
	l := &LastOf{dense: make([]uint32, processes+1)}
	for i := range l.dense {
		l.dense[i] = Absent
	}
	return l
}

func (l *LastOf) Swap(process, op uint32) uint32 {
	if l.dense != nil {
		before := l.dense[process]
		l.dense[process] = op
		return before
	}
	before, seen := l.sparse[process]
	l.sparse[process] = op
	if !seen {
		return Absent
	}
	return before
}

// ComesFirst says whether a comes before b in the process of both.
func ComesFirst(ops []model.Operation, a, b uint32) bool {
	return cmp.Or(model.CompareInProcess(&ops[a], &ops[b]), cmp.Compare(a, b)) < 0
}

// Inverse says for every operation which one of its process was called at the
// very stamp at which it returned.
func (t Ties) Inverse() Ties {
	after := make(Ties, len(t))
	for i := range after {
		after[i] = Absent
	}
	for i, before := range t {
		if before != Absent {
			after[before] = uint32(i)
		}
	}
	return after
}

// LastClaims finds for every operation the last one before it, in its process and at
// the very stamp of its call, that claims something: Absent if there is none. What it
// finds for one holds of the next as well, so each is gone over only once. Nil if
// nothing ties.
func (t Ties) LastClaims(ops []model.Operation, claims func(op uint32) bool) []uint32 {
	if t == nil {
		return nil
	}
	const unknown = Absent - 1
	last := make([]uint32, len(t))
	for op := range last {
		last[op] = unknown
	}
	var row []uint32
	for first := range t {
		row = row[:0]
		for op := uint32(first); op != Absent && last[op] == unknown; op = t[op] {
			row = append(row, op)
			last[op] = Absent
		}
		for _, op := range slices.Backward(row) {
			switch before := t[op]; {
			case before == Absent:
			case claims(before):
				last[op] = before
			case ops[before].Call == ops[op].Call:
				last[op] = last[before]
			}
		}
	}
	return last
}
