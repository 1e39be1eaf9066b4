package queuetest

import (
	"sync"

	"stealproof/model"
	"stealproof/ref"
)

// counterDeque is a deque of one slot under a lock, and the base of the planted
// bad ones: each of them does one thing that no queue may do.
type counterDeque struct {
	lock, full, task ref.Location
	// bad is called in the middle of every steal.
	bad func(m ref.Memory)
	// keep does not give the lock back.
	keep bool
}

var plain = ref.Access{Order: ref.SC, Scope: ref.GPU}

func newCounterDeque(s *ref.Space) *counterDeque {
	return &counterDeque{lock: s.Word("lock", 0), full: s.Word("full", 0), task: s.Word("task", 0), bad: func(ref.Memory) {}}
}

func (d *counterDeque) locked(m ref.Memory, f func()) {
	for {
		if _, got := m.CompareAndSwap(d.lock, 0, 1, plain); got {
			break
		}
	}
	f()
	if !d.keep {
		m.Store(d.lock, 0, plain)
	}
}

func (d *counterDeque) Push(m ref.Memory, v uint64) (r model.Result) {
	d.locked(m, func() {
		if r = model.Full; m.Load(d.full, plain) == 0 {
			m.Store(d.task, v, plain)
			m.Store(d.full, 1, plain)
			r = model.OK
		}
	})
	return r
}

func (d *counterDeque) Pop(m ref.Memory) (v uint64, r model.Result) {
	d.locked(m, func() {
		if r = model.Empty; m.Load(d.full, plain) == 1 {
			v, r = m.Load(d.task, plain), model.OK
			m.Store(d.full, 0, plain)
		}
	})
	return v, r
}

func (d *counterDeque) Steal(m ref.Memory) (uint64, model.Result) {
	d.bad(m)
	return d.Pop(m)
}

// bad makes a queue out of a counterDeque and what it does wrong.
func bad(plant func(d *counterDeque)) Queue {
	q := NewDeque("bad", func(s *ref.Space) Deque {
		d := newCounterDeque(s)
		plant(d)
		return d
	})
	q.Capacity = 1
	return q
}

// goroutines that access memory: one that is waited for, one that nobody waits
// for, one that is waited for but never answers once it was stopped, and one that
// lives on when its operation is over.

func waitedFor(d *counterDeque) func(ref.Memory) {
	return func(m ref.Memory) {
		var wg sync.WaitGroup
		wg.Add(1)
		go func() {
			defer wg.Done()
			m.Load(d.full, plain)
		}()
		wg.Wait()
	}
}

func answered(d *counterDeque) func(ref.Memory) {
	return func(m ref.Memory) {
		answer := make(chan uint64)
		go func() { answer <- m.Load(d.full, plain) }()
		<-answer
	}
}
