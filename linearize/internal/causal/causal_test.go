package causal

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/linearize/internal/finding"
	"stealproof/linearize/internal/general"
	"stealproof/linearize/internal/testkit"
	"stealproof/model"
)

// intervals are the precedence that the times of a history give.
func intervals(h *model.History) model.Precedence {
	processes := 0
	for i := range h.Ops {
		processes = max(processes, int(h.Ops[i].Process)+1)
	}
	var before model.Precedence
	for j := range h.Ops {
		row := make([]int32, processes)
		for i := range h.Ops {
			if h.Ops[i].Return < h.Ops[j].Call {
				row[h.Ops[i].Process]++
			}
		}
		before = append(before, row)
	}
	return before
}

// randomCompleted is a history of completed operations, process after process,
// with results that are often wrong.
func randomCompleted(r *rand.Rand) *model.History {
	h := &model.History{Kind: []model.Kind{model.WSDeque, model.FIFO, model.Bag}[r.IntN(3)]}
	value := uint64(0)
	for p := range 1 + r.IntN(3) {
		now := uint64(r.IntN(4))
		for range 1 + r.IntN(4) {
			o := model.Operation{Process: uint32(p), Call: now + uint64(r.IntN(3)), Result: model.OK}
			puts := r.IntN(2) == 0
			switch {
			case h.Kind == model.WSDeque && p > 0:
				o.Op, puts = model.Steal, false
			case h.Kind == model.WSDeque:
				o.Op = map[bool]model.Op{true: model.Push, false: model.Pop}[puts]
			case h.Kind == model.FIFO:
				o.Op = map[bool]model.Op{true: model.Enq, false: model.Deq}[puts]
			default:
				o.Op = map[bool]model.Op{true: model.Put, false: model.Take}[puts]
			}
			switch {
			case puts:
				value++
				o.Value = value
			case r.IntN(3) == 0:
				o.Result, o.Value = model.Empty, model.NoValue
			default:
				o.Value = 1 + uint64(r.IntN(4))
			}
			o.Return = o.Call + uint64(r.IntN(4))
			now = o.Return + 1
			h.Ops = append(h.Ops, o)
		}
	}
	return h
}

// Where the precedence is that of the times, porcupine knows the answer.
func TestCausalAgreesWithPorcupine(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	holds := 0
	rounds := testkit.Amount(testing.Short(), 10_000, 50_000, 200_000)
	for range rounds {
		h := randomCompleted(r)
		want := general.Small(h)
		require.Equal(t, want, Check(h, intervals(h)), "%v", h.Ops)
		if want {
			holds++
		}
	}
	assert.Greater(t, holds, rounds/20)
}

// Less order allows more, and what is explained fails by itself.
func TestCausalExplanationsFail(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	explained := 0
	for range 20_000 {
		h := randomCompleted(r)
		before := intervals(h)
		less := make(model.Precedence, len(before))
		for i, row := range before {
			less[i] = append([]int32(nil), row...)
			for p := range less[i] {
				if r.IntN(2) == 0 {
					less[i][p] = 0
				}
			}
		}
		if Check(h, before) {
			require.True(t, Check(h, less))
			continue
		}
		v := Explain(h, before)
		kept := make([]bool, len(h.Ops))
		for _, i := range v.Ops {
			kept[i] = true
		}
		part, order := causalPart(h, before, kept)
		require.False(t, Check(part, order), "%v", h.Ops)
		assert.NotEmpty(t, v.Kind)
		explained++
	}
	assert.Greater(t, explained, 1000)
}

// Precedence may order what no intervals can: two operations of each of two
// processes, each pair without order to the other.
func TestPrecedenceThatIsNoIntervalOrder(t *testing.T) {
	h := &model.History{Kind: model.FIFO, Ops: []model.Operation{
		{Process: 0, Op: model.Enq, Result: model.OK, Value: 1},
		{Process: 0, Op: model.Deq, Result: model.Empty, Value: model.NoValue},
		{Process: 1, Op: model.Deq, Result: model.OK, Value: 1},
		{Process: 1, Op: model.Deq, Result: model.Empty, Value: model.NoValue},
	}}
	none := model.Precedence{{0, 0}, {0, 0}, {0, 0}, {0, 0}}
	assert.True(t, Check(h, none), "the value was taken before its owner looked")
	late := model.Precedence{{0, 0}, {0, 0}, {2, 0}, {2, 0}}
	assert.False(t, Check(h, late), "it was found empty before it was taken")
	assert.Equal(t, finding.FalseEmpty, Explain(h, late).Kind)
}

// A value that came out twice is named as such, though what follows from it is
// impossible by itself.
func TestExplanationsNameDuplicatesFirst(t *testing.T) {
	h := &model.History{Kind: model.WSDeque, Ops: []model.Operation{
		{Process: 0, Op: model.Push, Result: model.OK, Value: 1},
		{Process: 0, Op: model.Pop, Result: model.OK, Value: 1},
		{Process: 0, Op: model.Push, Result: model.OK, Value: 2},
		{Process: 0, Op: model.Pop, Result: model.Empty, Value: model.NoValue},
		{Process: 1, Op: model.Steal, Result: model.OK, Value: 1},
	}}
	none := model.Precedence{{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}}
	v := Explain(h, none)
	assert.Equal(t, finding.Duplicate, v.Kind)
	assert.Equal(t, []int{0, 1, 4}, v.Ops)
	h.Ops = h.Ops[:4]
	assert.Equal(t, finding.FalseEmpty, Explain(h, none[:4]).Kind)
	h.Ops = []model.Operation{{Process: 0, Op: model.Steal, Result: model.OK, Value: 7}}
	assert.Equal(t, "a value came out that was never put in: steal ok 7 by process 0", Explain(h, none[:1]).Explanation)
}
