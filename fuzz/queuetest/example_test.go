package queuetest_test

import (
	"context"
	"fmt"

	"stealproof/fuzz/queuetest"
	"stealproof/model"
	"stealproof/ref"
)

// chaseLev is the work-stealing deque of Chase & Lev (2005) on an array of fixed
// size: top and bottom only grow, and slot i of the array is that of index i
// modulo its size.
type chaseLev struct {
	top, bottom ref.Location
	tasks       ref.Array
	noSwap      bool // the planted bug
}

const slots = 4

// newChaseLev lays the deque out. Indices begin at 1, so that an empty deque can
// lower bottom without going below 0.
func newChaseLev(s *ref.Space) queuetest.Deque {
	return &chaseLev{top: s.Word("top", 1), bottom: s.Word("bottom", 1), tasks: s.Array("tasks", slots, 0)}
}

func newBrokenChaseLev(s *ref.Space) queuetest.Deque {
	d := newChaseLev(s).(*chaseLev)
	d.noSwap = true
	return d
}

var (
	relaxed = ref.Access{Order: ref.Relaxed, Scope: ref.GPU}
	acquire = ref.Access{Order: ref.Acquire, Scope: ref.GPU}
	release = ref.Access{Order: ref.Release, Scope: ref.GPU}
	seqCst  = ref.Access{Order: ref.SC, Scope: ref.GPU}
)

func (d *chaseLev) Push(m ref.Memory, v uint64) model.Result {
	bottom := m.Load(d.bottom, relaxed)
	top := m.Load(d.top, acquire)
	if bottom-top == slots {
		return model.Full
	}
	m.Store(d.tasks.At(bottom%slots), v, relaxed)
	m.Store(d.bottom, bottom+1, release)
	return model.OK
}

func (d *chaseLev) Pop(m ref.Memory) (uint64, model.Result) {
	bottom := m.Load(d.bottom, relaxed) - 1
	m.Store(d.bottom, bottom, relaxed)
	m.Fence(seqCst)
	top := m.Load(d.top, relaxed)
	if top > bottom { // it was empty
		m.Store(d.bottom, bottom+1, relaxed)
		return 0, model.Empty
	}
	v := m.Load(d.tasks.At(bottom%slots), relaxed)
	if top < bottom {
		return v, model.OK
	}
	won := d.takeLast(m, top)
	m.Store(d.bottom, bottom+1, relaxed)
	if !won {
		return 0, model.Empty
	}
	return v, model.OK
}

// takeLast decides between the owner and the thieves who takes the last task.
func (d *chaseLev) takeLast(m ref.Memory, top uint64) bool {
	if d.noSwap {
		m.Store(d.top, top+1, relaxed)
		return true
	}
	_, swapped := m.CompareAndSwap(d.top, top, top+1, seqCst)
	return swapped
}

func (d *chaseLev) Steal(m ref.Memory) (uint64, model.Result) {
	top := m.Load(d.top, acquire)
	m.Fence(seqCst)
	bottom := m.Load(d.bottom, acquire)
	if top >= bottom {
		return 0, model.Empty
	}
	v := m.Load(d.tasks.At(top%slots), relaxed)
	if _, swapped := m.CompareAndSwap(d.top, top, top+1, seqCst); !swapped {
		return 0, model.Abort
	}
	return v, model.OK
}

// A deque that somebody else wrote. With a planted bug, the owner takes the last
// task without asking whether a thief has it, the smallest program that shows it
// is found. Mended, it holds. In a test one calls Check instead of Find.
func ExampleFind() {
	for _, q := range []queuetest.Queue{
		queuetest.NewDeque("chase-lev-broken", newBrokenChaseLev),
		queuetest.NewDeque("chase-lev", newChaseLev),
	} {
		q.Capacity = slots
		report, err := queuetest.Find(context.Background(), q, queuetest.Flags{Seed: 1})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(report)
		if report.Failure != nil {
			fmt.Print(report.Failure.Case.Program)
		}
	}
	// Output:
	// violation (duplicate): value 1 left twice: process 1 stole it in [5,12], process 0 popped it in [8,14]; process 0 pushed it once, in [1,4]
	// 0: push pop
	// 1: steal
	// linearizable on memory sc: 30 programs of 2 to 5 operations, all executions; 10528 executions in all
}
