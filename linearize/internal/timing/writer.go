package timing

import "stealproof/model"

// Writer writes a linearization down. Its caller brings the operations that
// say something about the object, in an order with stamps that never
// decrease; the writer puts the free ones between them, those that claim
// nothing: each as late as it can be without coming after a later stamp.
//
// Where operations of one process tie, an operation must wait for the one
// before it. A free one that is waited for comes at once. One stamp later all
// operations of a stamp are done, so nothing ever waits longer than that.
type Writer struct {
	Clock
	Ops   []model.Operation
	free  []uint64 // words of stamp and operation, in the order of calls
	Ties  Ties
	done  []bool // only if there are ties
	order []int
}

// NewWriter makes one for all operations of an object; free are words of the calls of
// those that claim nothing.
func NewWriter(s Clock, ops []model.Operation, free []uint64, t Ties) *Writer {
	e := &Writer{Clock: s, Ops: ops, free: free, Ties: t, order: make([]int, 0, len(ops))}
	e.Sort(e.free)
	if t != nil {
		e.done = make([]bool, len(ops))
	}
	return e
}

// IsFree says whether an operation claims nothing, but for a full where a capacity is declared.
func IsFree(o *model.Operation) bool { return o.Result == model.Abort || o.Result == model.Full }

// ready says whether the operation may come now, after free ones that it
// waits for were written.
func (e *Writer) ready(op uint32) bool {
	if e.Ties == nil || e.Ties[op] == Absent || e.done[e.Ties[op]] {
		return true
	}
	before := e.Ties[op]
	if !IsFree(&e.Ops[before]) || !e.ready(before) {
		return false
	}
	e.write(before)
	return true
}

// Emit writes an operation that takes effect at the stamp, unless it waits for
// another one.
func (e *Writer) Emit(op uint32, stamp uint64) bool {
	e.flush(stamp)
	if !e.ready(op) {
		return false
	}
	e.write(op)
	return true
}

// flush writes the free operations called before the stamp.
func (e *Writer) flush(stamp uint64) {
	for len(e.free) > 0 && e.Stamp(e.free[0]) < stamp {
		e.writeFree(e.Index(e.free[0]))
		e.free = e.free[1:]
	}
}

func (e *Writer) writeFree(op uint32) {
	if e.done == nil || !e.done[op] {
		e.ready(op)
		e.write(op)
	}
}

func (e *Writer) write(op uint32) {
	if e.done != nil {
		e.done[op] = true
	}
	e.order = append(e.order, int(op))
}

// Finish writes what is left, and returns the order.
func (e *Writer) Finish() []int {
	e.flush(e.Far() + 1)
	return e.order
}
