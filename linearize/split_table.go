package linearize

import (
	"runtime"
	"sync"

	"stealproof/linearize/internal/timing"
	"stealproof/model"
)

// objectTable finds objects by their numbers.
type objectTable struct {
	history *model.History
	all     []*object
	byID    map[uint32]uint32 // places in all
	low     []uint32          // the same for small numbers, plus one
}

// lowNumbers of objects are looked up in a table.
const lowNumbers = 1 << 16

// find returns the place of an object in all, or timing.Absent.
func (t *objectTable) find(id uint32) uint32 {
	if id < uint32(len(t.low)) {
		return t.low[id] - 1 // absent is 0 - 1
	}
	if at, known := t.byID[id]; known {
		return at
	}
	return timing.Absent
}

func (t *objectTable) add(id uint32) uint32 {
	at := uint32(len(t.all))
	t.all = append(t.all, &object{History: t.history.With(nil), id: id})
	if id < uint32(len(t.low)) {
		t.low[id] = at + 1
	} else {
		t.byID[id] = at
	}
	return at
}

// count finds the objects and their sizes, and says whether the operations of
// each stand together.
func (t *objectTable) count() (together bool) {
	t.byID, t.low = map[uint32]uint32{}, make([]uint32, lowNumbers)
	together = true
	for i := range t.history.Ops {
		at := t.find(t.history.Ops[i].Object)
		if at == timing.Absent {
			at = t.add(t.history.Ops[i].Object)
			t.all[at].offset = i
		}
		o := t.all[at]
		together = together && i == o.offset+o.size
		o.size++
	}
	return together
}

// copyApart gives every object a copy of its operations. Each worker copies
// what stands in one part of the history, to where those before it left off.
func (t *objectTable) copyApart() {
	ops, places := make([]model.Operation, len(t.history.Ops)), make([]int, len(t.history.Ops))
	next := make([]uint32, len(t.all))
	end := 0
	for k, o := range t.all {
		next[k] = uint32(end)
		o.Ops, o.places = ops[end:end+o.size], places[end:end+o.size]
		end += o.size
	}
	workers := max(1, min(runtime.GOMAXPROCS(0), len(ops)/(1+4*len(t.all))))
	size := (len(ops) + workers - 1) / workers
	var all sync.WaitGroup
	for from := 0; from < len(ops); from += size {
		to := min(from+size, len(ops))
		mine := append([]uint32(nil), next...)
		all.Go(func() { t.copyPart(from, to, mine, ops, places) })
		if to < len(ops) {
			for i := from; i < to; i++ {
				next[t.find(t.history.Ops[i].Object)]++
			}
		}
	}
	all.Wait()
}

func (t *objectTable) copyPart(from, to int, next []uint32, ops []model.Operation, places []int) {
	for i := from; i < to; i++ {
		o := &t.history.Ops[i]
		at := t.find(o.Object)
		ops[next[at]], places[next[at]] = *o, i
		next[at]++
	}
}
