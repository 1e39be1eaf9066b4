package format

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"stealproof/model"
)

// The quick way and the model's must agree on every history, valid or not.
func TestValidateAgreesWithTheModel(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	valid := 0
	for range 200_000 {
		h := oddHistory(rng)
		want, got := h.Validate(), validate(h)
		require.Equal(t, want, got)
		if want == nil {
			valid++
		}
	}
	require.Greater(t, valid, 10_000)
}

// oddHistory is short, mostly well formed, and often wrong in one place.
func oddHistory(rng *rand.Rand) *model.History {
	h := &model.History{Kind: model.Kinds[rng.IntN(4)]}
	h.Params.Shared = h.Kind == model.Range && rng.IntN(2) == 0
	ops := h.Kind.Ops()
	for range 1 + rng.IntN(6) {
		o := model.Operation{Op: ops[rng.IntN(len(ops))], Object: rng.Uint32N(2), Process: rng.Uint32N(2), Value: rng.Uint64N(9)}
		results := h.Kind.Results(o.Op)
		o.Result = results[rng.IntN(len(results))]
		o.Call = rng.Uint64N(60)
		o.Return = o.Call + rng.Uint64N(5)
		if h.Kind == model.Range {
			o.To, o.Size = o.Value+1+rng.Uint64N(3), 1
		}
		switch rng.IntN(60) {
		case 0:
			o.Return = model.Never
		case 1:
			o.Return, o.Result = model.Never, model.Unknown
		case 2:
			o.Value = model.NoValue
		case 3:
			o.Value = model.MaxValue + 1
		case 4:
			o.To, o.Size = o.Value, 0
		case 5:
			o.Return = o.Call - 1
		case 6:
			o.Op, o.Result = model.Op(rng.IntN(12)), model.Result(rng.IntN(9))
		}
		h.Ops = append(h.Ops, o)
	}
	return h
}

// Hash tables that grow forget nothing.
func TestLanesOfManyProcesses(t *testing.T) {
	l := newLanes()
	for round := range uint64(2) {
		for i := range uint32(5000) {
			at := l.of(i%7, i)
			require.Equal(t, round, at.ret)
			at.ret++
		}
	}
	require.Equal(t, 5000, l.n)
}
