package linearize

import "stealproof/model"

// emitter writes a linearization down. Its caller brings the operations that
// say something about the object, in an order with stamps that never
// decrease; the emitter puts the free ones between them, those that claim
// nothing: each as late as it can be without coming after a later stamp.
//
// Where operations of one process tie, an operation must wait for the one
// before it. A free one that is waited for comes at once. One stamp later all
// operations of a stamp are done, so nothing ever waits longer than that.
type emitter struct {
	stamps
	ops   []model.Operation
	free  []uint64 // words of stamp and operation, in the order of calls
	ties  ties
	done  []bool // only if there are ties
	order []int
}

func newEmitter(s stamps, ops []model.Operation, free []uint64, t ties) *emitter {
	e := &emitter{stamps: s, ops: ops, free: free, ties: t, order: make([]int, 0, len(ops))}
	e.sort(e.free)
	if t != nil {
		e.done = make([]bool, len(ops))
	}
	return e
}

func isFree(o *model.Operation) bool { return o.Result == model.Abort || o.Result == model.Full }

// ready says whether the operation may come now, after free ones that it
// waits for were written.
func (e *emitter) ready(op uint32) bool {
	if e.ties == nil || e.ties[op] == absent || e.done[e.ties[op]] {
		return true
	}
	before := e.ties[op]
	if !isFree(&e.ops[before]) || !e.ready(before) {
		return false
	}
	e.write(before)
	return true
}

// emit writes an operation that takes effect at the stamp, unless it waits for
// another one.
func (e *emitter) emit(op uint32, stamp uint64) bool {
	e.flush(stamp)
	if !e.ready(op) {
		return false
	}
	e.write(op)
	return true
}

// flush writes the free operations called before the stamp.
func (e *emitter) flush(stamp uint64) {
	for len(e.free) > 0 && e.stamp(e.free[0]) < stamp {
		e.writeFree(e.index(e.free[0]))
		e.free = e.free[1:]
	}
}

func (e *emitter) writeFree(op uint32) {
	if e.done == nil || !e.done[op] {
		e.ready(op)
		e.write(op)
	}
}

func (e *emitter) write(op uint32) {
	if e.done != nil {
		e.done[op] = true
	}
	e.order = append(e.order, int(op))
}

func (e *emitter) finish() []int {
	e.flush(e.far() + 1)
	return e.order
}
