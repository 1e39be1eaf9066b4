package queuetest

import (
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/linearize"
	"stealproof/linearize/draw/page/pagetest"
	"stealproof/linearize/record"
	"stealproof/model"
)

// counted is a bag that only counts: what it hands out are numbers, each once.
type counted struct{ put, taken atomic.Uint64 }

func (c *counted) add() { c.put.Add(1) }

func (c *counted) take() (uint64, model.Result) {
	for {
		n := c.taken.Load()
		if n == c.put.Load() {
			return 0, model.Empty
		}
		if c.taken.CompareAndSwap(n, n+1) {
			return n + 1, model.OK
		}
	}
}

// recordedBag is what four goroutines do to a bag, one of which puts.
func recordedBag() *model.History {
	r, c := record.New(model.Bag, model.Params{}), &counted{}
	var all sync.WaitGroup
	for g := range 4 {
		p := r.Process()
		all.Go(func() {
			for i := range uint64(300) {
				if g == 0 {
					p.Put(model.Put, i+1, func() model.Result { c.add(); return model.OK })
				} else {
					p.Take(model.Take, c.take)
				}
			}
		})
	}
	all.Wait()
	return r.History()
}

func TestRecorded(t *testing.T) {
	s := during(t, "TestX", func(s *stand) { Recorded(s, recordedBag()) })
	assert.False(t, s.failed, s.out.String())
	assert.Regexp(t, `^stealproof: 1200 operations of 4 processes: linearizable; [0-9.]+ under way on average, at most [0-9]+\n`, s.out.String())

	one := record.New(model.Bag, model.Params{})
	one.Process().Put(model.Put, 1, func() model.Result { return model.OK })
	s = during(t, "TestX", func(s *stand) { Recorded(s, one.History()) })
	assert.False(t, s.failed)
	assert.Contains(t, s.out.String(), "no two operations overlapped")

	one.Process().Take(model.Take, func() (uint64, model.Result) { return 7, model.OK })
	s = during(t, "TestX", func(s *stand) { Recorded(s, one.History()) })
	assert.True(t, s.failed)
	assert.Equal(t, "stealproof: violation (invented) on object 0: value 7 came out but was never put in: process 1 took it in [3,4]\nSuch a run cannot be repeated; go test -artifacts keeps the history and its timeline.\n", s.out.String())

	for _, h := range []*model.History{{Kind: model.Bag}, {Kind: model.Bag, Ops: []model.Operation{{Op: model.Push}}}} {
		s = during(t, "TestX", func(s *stand) { Recorded(s, h) })
		assert.True(t, s.failed, "what was not decided is no success")
	}
}

// What failed is kept, for check and for the eye.
func TestRecordedArtifacts(t *testing.T) {
	h := recordedBag()
	h.Ops[5].Result, h.Ops[5].Value = model.OK, 99999
	h.Ops[5].Op, h.Ops[5].Process = model.Take, 9
	r := linearize.Check(t.Context(), h, linearize.Options{})
	require.Equal(t, model.Violation, r.Verdict, "%+v", r)
	dir := t.TempDir()
	require.NoError(t, writeHistory(dir, h, r))
	page, err := os.ReadFile(dir + "/timeline.html")
	require.NoError(t, err)
	pagetest.Parse(t, string(page))
	assert.Contains(t, string(page), "value 99999 came out but was never put in")
	lines, err := os.ReadFile(dir + "/history.jsonl")
	require.NoError(t, err)
	assert.Equal(t, 1201, strings.Count(string(lines), "\n"))
}
