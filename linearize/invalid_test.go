package linearize

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"stealproof/linearize/internal/testkit"
	"stealproof/model"
)

// What is put together in memory is held against the rules of a history before it
// is decided: none of these is a history, whatever a checker would say of it.
func TestCheckRefusesWhatIsNoHistory(t *testing.T) {
	op := func(process uint32, o model.Op, r model.Result, value, call, back uint64) model.Operation {
		return model.Operation{Process: process, Op: o, Result: r, Value: value, Call: call, Return: back}
	}
	for name, test := range map[string]struct {
		kind   model.Kind
		params model.Params
		ops    []model.Operation
		want   string
	}{
		"overlap in a process": {model.FIFO, model.Params{}, []model.Operation{op(0, model.Enq, model.OK, 1, 1, 10), op(0, model.Deq, model.OK, 1, 5, 8)},
			"operation 1: process 0 calls deq at 5, before its enq in [1,10] returned: operations of a process must not overlap"},
		"push in a fifo": {model.FIFO, model.Params{}, []model.Operation{op(0, model.Push, model.OK, 1, 1, 2)},
			`operation 0: model fifo has no operation "push": expected one of enq, deq`},
		"two owners": {model.WSDeque, model.Params{}, []model.Operation{op(0, model.Push, model.OK, 1, 1, 2), op(1, model.Pop, model.OK, 1, 3, 4)},
			"operation 1: process 1 calls pop on object 0, whose owner is process 0: only the owner may"},
		"no result": {model.Bag, model.Params{}, []model.Operation{op(0, model.Put, model.Unknown, 1, 1, 2)},
			"operation 0: put came back without a result: expected one of ok, full"},
		"no kind":    {0, model.Params{}, []model.Operation{op(0, model.Push, model.OK, 1, 1, 2)}, "the history has no model"},
		"odd kind":   {9, model.Params{}, []model.Operation{op(0, model.Push, model.OK, 1, 1, 2)}, "the history has no model"},
		"odd op":     {model.FIFO, model.Params{}, []model.Operation{op(0, 99, model.OK, 1, 1, 2)}, `operation 0: model fifo has no operation "invalid(99)": expected one of enq, deq`},
		"odd result": {model.FIFO, model.Params{}, []model.Operation{op(0, model.Deq, 9, 1, 1, 2)}, `operation 0: deq cannot have the result "invalid(9)": expected one of ok, empty, abort`},
		"a value that is none": {model.FIFO, model.Params{}, []model.Operation{op(0, model.Enq, model.OK, model.NoValue, 1, 2)},
			"operation 0: enq ok needs a value below 2^63"},
		"back before it was called": {model.FIFO, model.Params{}, []model.Operation{op(0, model.Deq, model.Empty, 0, 2, 1)}, "operation 0: return 1 is before call 2"},
		"never called":              {model.FIFO, model.Params{}, []model.Operation{op(0, model.Deq, model.Unknown, 0, model.Never, model.Never)}, "operation 0: call: expected a number below 2^64-1"},
		"empty range":               {model.Range, model.Params{}, []model.Operation{op(0, model.Push, model.OK, 1, 1, 2)}, "operation 0: the range [1,0) is empty: expected from < to"},
		"full of an empty range":    {model.Range, model.Params{Capacity: 3}, []model.Operation{op(0, model.Push, model.Full, 0, 1, 2)}, "operation 0: the range [0,0) is empty: expected from < to"},
		"shared queue":              {model.FIFO, model.Params{Shared: true}, []model.Operation{op(0, model.Deq, model.Empty, 0, 1, 2)}, "shared is for the model range, not for fifo"},
		"huge capacity":             {model.Bag, model.Params{Capacity: math.MaxUint64}, []model.Operation{op(0, model.Take, model.Empty, 0, 1, 2)}, "capacity: expected a number below 2^63, found 18446744073709551615"},
	} {
		t.Run(name, func(t *testing.T) {
			h := &model.History{Kind: test.kind, Params: test.params, Ops: test.ops}
			for _, checker := range []Checker{Auto, Monitor, Porcupine} {
				r := Check(t.Context(), h, Options{Checker: checker, Certify: true})
				require.Equal(t, model.Undecided, r.Verdict)
				require.EqualError(t, r.Invalid, test.want)
				require.Equal(t, []Reason{{Msg: "this is no history: " + test.want}}, r.Undecided)
				require.Empty(t, r.Violations)
				require.Equal(t, len(test.ops), r.Operations)
			}
		})
	}
}

func TestCheckOfNoHistoryAtAll(t *testing.T) {
	r := Check(t.Context(), nil, Options{})
	require.Equal(t, model.Undecided, r.Verdict)
	require.EqualError(t, r.Invalid, "there is no history")
}

func TestInvalidNamesTheOperation(t *testing.T) {
	h := testkit.Read(model.FIFO, "", `{"process":0,"op":"deq","result":"empty","call":1,"return":2}`)
	h.Ops = append(h.Ops, h.Ops[0])
	r := Check(t.Context(), h, Options{})
	var at *model.InvalidError
	require.True(t, errors.As(r.Invalid, &at))
	require.Equal(t, 1, at.Index)
}

// A caller who vouches for a history gets a verdict, and of two that overlap in a
// process any: that it is not asked again shows in that.
func TestValidatedIsNotAskedAgain(t *testing.T) {
	h := &model.History{Kind: model.FIFO, Ops: []model.Operation{
		{Op: model.Enq, Result: model.OK, Value: 1, Call: 1, Return: 10},
		{Op: model.Deq, Result: model.OK, Value: 1, Call: 5, Return: 8},
	}}
	require.Nil(t, Check(t.Context(), h, Options{Validated: true}).Invalid)
	require.NotNil(t, Check(t.Context(), h, Options{}).Invalid)
}

// Whatever is put together in memory, Check neither panics nor lets what an
// operation does not say, such as the value of an empty removal, change its
// verdict.
func TestCheckOfAnythingInMemory(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	judged, refused := 0, 0
	rounds := testkit.Amount(testing.Short(), 1_000, 2_500, 8_000)
	for range rounds {
		h := anything(rng)
		r := Check(t.Context(), h, Options{Jobs: 1})
		require.Equal(t, h.Validate() == nil, r.Invalid == nil)
		if r.Invalid != nil {
			refused++
			continue
		}
		judged++
		tidy := h.With(slices.Clone(h.Ops))
		v := model.NewValidator(h.Kind, h.Params)
		for i := range tidy.Ops {
			require.True(t, v.Alone(&tidy.Ops[i]))
		}
		require.Equal(t, Check(t.Context(), tidy, Options{Jobs: 1}).Verdict, r.Verdict, testkit.Describe(h))
	}
	require.Greater(t, judged, rounds/8)
	require.Greater(t, refused, rounds/8)
}

// anything is a short history, with mostly the right operations and results, and
// numbers everywhere, whether they mean something there or not.
func anything(rng *rand.Rand) *model.History {
	h := &model.History{Kind: model.Kinds[rng.IntN(4)], Params: model.Params{Capacity: rng.Uint64N(3)}}
	h.Params.Shared = h.Kind == model.Range && rng.IntN(2) == 0
	ops := h.Kind.Ops()
	clock := [4]uint64{}
	for range 1 + rng.IntN(7) {
		p := rng.IntN(len(clock))
		o := model.Operation{Op: ops[rng.IntN(len(ops))], Process: uint32(p), Value: 1 + rng.Uint64N(4), Size: rng.Uint64N(4)}
		results := h.Kind.Results(o.Op)
		o.Result = results[rng.IntN(len(results))]
		if !h.Params.Shared && h.Kind.OwnerOnly(o.Op, h.Params) {
			p, o.Process = 0, 0
		}
		o.To = o.Value + rng.Uint64N(3)
		o.Call = clock[p] + rng.Uint64N(9)
		o.Return = o.Call + rng.Uint64N(15)
		clock[p] = o.Return
		switch rng.IntN(40) {
		case 0:
			o.Return, o.Result, clock[p] = model.Never, model.Unknown, 1000
		case 1:
			o.Value = model.NoValue
		case 2:
			o.Op = model.Op(rng.IntN(11))
		case 3:
			o.Result = model.Result(rng.IntN(7))
		case 4:
			o.Return = rng.Uint64()
		case 5:
			o.Size, o.To = rng.Uint64(), rng.Uint64()
		}
		h.Ops = append(h.Ops, o)
	}
	switch rng.IntN(100) {
	case 0:
		h.Kind = model.Kind(rng.IntN(8))
	case 1:
		h.Params = model.Params{Capacity: rng.Uint64(), Shared: rng.IntN(2) == 0}
	}
	return h
}
