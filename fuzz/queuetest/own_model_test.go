package queuetest

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/model"
	"stealproof/ref"
)

// A model of one's own takes the place of the kind in every part of a test.
func TestQueuesWithModelsOfTheirOwn(t *testing.T) {
	fifo := NewBag("list-bag", func(s *ref.Space) Bag { return newListFIFO(s) })
	circular := NewDeque("used-up", func(s *ref.Space) Deque { return usedUp{newCounterDeque(s), s.Word("pushed", 0)} })
	for name, test := range map[string]struct {
		queue   Queue
		model   *model.Model
		program string // of one that holds
	}{
		"a stack is a stack":                          {stackOf(1 << 32), model.Stack(0), "0: put put take\n1: take\n"},
		"a queue is no stack":                         {fifo, model.Stack(0), ""},
		"a queue is a relaxed one":                    {fifo, model.Relaxed(1), "0: put put take\n1: take\n"},
		"a queue gives back at least once":            {fifo, model.AtLeastOnce(), "0: put put take\n1: take\n"},
		"an array that is used up is no circular one": {circular, model.CircularDeque(1), ""},
		"one slot is circular":                        {bad(func(*counterDeque) {}), model.CircularDeque(1), "0: push push pop\n1: steal\n"},
	} {
		t.Run(name, func(t *testing.T) {
			q := test.queue
			q.Model, q.Checks, q.Capacity = test.model, 100, 0
			if test.program != "" {
				r := looked(t, q, "sc", test.program)
				assert.Equal(t, 1, r.Programs, "%s", r.text())
				assert.Nil(t, r.Failure, "%s", r.text())
				return
			}
			for _, memory := range []string{"sc", "ptx"} {
				if testing.Short() && memory == "ptx" {
					continue
				}
				r, err := Find(t.Context(), q, Flags{Seed: 1, Short: true, Memory: model.Spec{Structure: memory}})
				require.NoError(t, err)
				require.Equal(t, model.Violation, r.Verdict, "%s", r.text())
				assert.Equal(t, "other", r.Failure.Finding.Kind)
				assert.Contains(t, r.String(), test.model.String())
			}
		})
	}
}
