package record_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/linearize"
	"stealproof/linearize/record"
	"stealproof/model"
)

// slot holds one value, in a word of sync/atomic. Careless, it takes without a swap.
type slot struct {
	word     atomic.Uint64
	careless bool
	between  func() // what happens in the middle of a take
}

func (s *slot) Put(v uint64) model.Result {
	if s.word.CompareAndSwap(0, v) {
		return model.OK
	}
	return model.Full
}

func (s *slot) Take() (uint64, model.Result) {
	v := s.word.Load()
	if v == 0 {
		return 0, model.Empty
	}
	if s.between != nil {
		s.between()
	}
	if s.careless {
		s.word.Store(0)
		return v, model.OK
	}
	if s.word.CompareAndSwap(v, 0) {
		return v, model.OK
	}
	return 0, model.Abort
}

// recorded has goroutines use a slot, and returns what they did.
func recorded(s *slot, goroutines, each int) *model.History {
	r := record.New(model.FIFO, model.Params{Capacity: 1})
	var all sync.WaitGroup
	for g := range goroutines {
		p := r.Process()
		all.Go(func() {
			for i := range each {
				if v := uint64(1 + g*each + i); i%2 == 0 {
					p.Put(model.Enq, v, func() model.Result { return s.Put(v) })
				} else {
					p.Take(model.Deq, s.Take)
				}
			}
		})
	}
	all.Wait()
	return r.History()
}

func TestASlotOfSyncAtomicIsLinearizable(t *testing.T) {
	h := recorded(&slot{}, 4, 500)
	require.NoError(t, h.Validate())
	require.Len(t, h.Ops, 2000)
	r := linearize.Check(t.Context(), h, linearize.Options{})
	assert.Equal(t, model.Linearizable, r.Verdict, "%v %v", r.Violations, r.Undecided)
}

// A careless one gives a value to two who take at the same time. That they do is
// not left to the machine.
func TestACarelessSlotIsFound(t *testing.T) {
	var meeting sync.WaitGroup
	meeting.Add(2)
	s := &slot{careless: true, between: func() { meeting.Done(); meeting.Wait() }}
	r := record.New(model.FIFO, model.Params{})
	r.Process().Put(model.Enq, 7, func() model.Result { return s.Put(7) })
	var all sync.WaitGroup
	for range 2 {
		p := r.Process()
		all.Go(func() { p.Take(model.Deq, s.Take) })
	}
	all.Wait()
	report := linearize.Check(t.Context(), r.History(), linearize.Options{})
	require.Equal(t, model.Violation, report.Verdict)
	assert.Equal(t, "duplicate", report.Violations[0].Kind)
}

// Who panics never came back, and may have done what was asked for.
func TestAnOperationThatPanicsNeverCameBack(t *testing.T) {
	s := &slot{}
	r := record.New(model.FIFO, model.Params{})
	func() {
		defer func() { recover() }()
		r.Process().Put(model.Enq, 7, func() model.Result { s.Put(7); panic("after the deed") })
	}()
	v, result := r.Process().Take(model.Deq, s.Take)
	assert.Equal(t, model.OK, result)
	assert.EqualValues(t, 7, v)
	h := r.History()
	assert.True(t, h.Ops[0].Pending())
	assert.Equal(t, model.Linearizable, linearize.Check(t.Context(), h, linearize.Options{}).Verdict)
}

// A slot that several goroutines use, as it is, and what they did to it.
func Example() {
	var s slot
	r := record.New(model.FIFO, model.Params{Capacity: 1})
	var all sync.WaitGroup
	for g := range uint64(4) {
		p := r.Process()
		all.Go(func() {
			for i := range uint64(100) {
				v := 1 + 100*g + i // no value twice
				p.Put(model.Enq, v, func() model.Result { return s.Put(v) })
				p.Take(model.Deq, s.Take)
			}
		})
	}
	all.Wait()
	fmt.Println(linearize.Check(context.Background(), r.History(), linearize.Options{}).Verdict)
	// Output: linearizable
}
