// Package record writes down what goroutines do to a queue as it is, with
// sync/atomic, locks or channels, for linearize.Check to decide:
//
//	r := record.New(model.FIFO, model.Params{})
//	for range 8 {
//		wg.Add(1)
//		go func(p *record.Process) {
//			defer wg.Done()
//			p.Put(model.Enq, 7, func() model.Result { q.Push(7); return model.OK })
//			p.Take(model.Deq, func() (uint64, model.Result) { return q.Pop() })
//		}(r.Process())
//	}
//	wg.Wait()
//	report := linearize.Check(ctx, r.History(), linearize.Options{})
//
// In a test queuetest.Recorded decides it, and fails with what contradicts itself.
//
// Values have to be distinct for a verdict in near-linear time. What is decided is
// what happened, which is up to the machine: another run may show more.
package record

import (
	"sync"
	"sync/atomic"

	"stealproof/model"
)

// Recorder makes a history. Its clock is a counter that every operation counts up
// when it is called and when it returns. A clock of the machine would cost less, but
// might be read after an operation's first access, or before its last one is seen by
// others, and then blame the queue for what the recording did.
type Recorder struct {
	kind      model.Kind
	params    model.Params
	clock     atomic.Uint64
	mu        sync.Mutex
	processes []*Process
}

// New makes a recorder for objects of a kind.
func New(k model.Kind, p model.Params) *Recorder { return &Recorder{kind: k, params: p} }

// Process is who calls operations: one goroutine at a time. The owner of a deque is
// one process to the end.
type Process struct {
	recorder *Recorder
	id       uint32
	ops      []model.Operation
}

// Process makes another one.
func (r *Recorder) Process() *Process {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := &Process{recorder: r, id: uint32(len(r.processes))}
	r.processes = append(r.processes, p)
	return p
}

// Put records an operation that brings a value in.
func (p *Process) Put(op model.Op, value uint64, do func() model.Result) model.Result {
	return p.Do(model.Operation{Op: op, Value: value}, func(o *model.Operation) { o.Result = do() }).Result
}

// Take records an operation that takes a value out. The value counts only with
// model.OK.
func (p *Process) Take(op model.Op, do func() (uint64, model.Result)) (uint64, model.Result) {
	o := p.Do(model.Operation{Op: op, Value: model.NoValue}, func(o *model.Operation) {
		if v, result := do(); result == model.OK {
			o.Value, o.Result = v, result
		} else {
			o.Result = result
		}
	})
	return o.Value, o.Result
}

// Do records any operation, of a range or of one of several objects: its function
// fills in the result and what came out. An operation that panics is one that never
// came back.
func (p *Process) Do(o model.Operation, do func(o *model.Operation)) model.Operation {
	o.Process, o.Result = p.id, model.Unknown
	o.Call, o.Return = p.recorder.clock.Add(1), model.Never
	place := len(p.ops)
	p.ops = append(p.ops, o)
	do(&o)
	o.Return = p.recorder.clock.Add(1)
	p.ops[place] = o
	return o
}

// History is what was recorded. The goroutines must be done with their operations.
func (r *Recorder) History() *model.History {
	r.mu.Lock()
	defer r.mu.Unlock()
	h := &model.History{Kind: r.kind, Params: r.params, Clock: model.Clock{Source: "counter", Unit: "operation", Resolution: 1}}
	for _, p := range r.processes {
		h.Ops = append(h.Ops, p.ops...)
	}
	return h
}
