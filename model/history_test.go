package model_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/model"
)

// at is an operation of a process on an object, in [call,return].
func at(t testing.TB, object, process uint32, call, back uint64, text string) model.Operation {
	t.Helper()
	o := operation(t, text)
	o.Object, o.Process, o.Call = object, process, call
	if !o.Pending() {
		o.Return = back
	}
	return *o
}

func TestValidate(t *testing.T) {
	const never = model.Never
	op := func(process uint32, call, back uint64, text string) model.Operation {
		return at(t, 0, process, call, back, text)
	}
	tests := []struct {
		name   string
		kind   model.Kind
		params model.Params
		ops    []model.Operation
		want   string // behind "operation N: "; empty if the history is one
	}{
		{"nothing", model.FIFO, model.Params{}, nil, ""},
		{"all results of a deque", model.WSDeque, model.Params{}, []model.Operation{
			op(0, 1, 2, "push ok 7"), op(0, 3, 4, "push full"), op(0, 5, 6, "pop ok 7"), op(0, 7, 8, "pop empty"),
			op(1, 1, 2, "steal ok 7"), op(1, 3, 4, "steal empty"), op(1, 5, 6, "steal abort"), op(0, 9, never, "push unknown 8"), op(1, 9, never, "steal unknown")}, ""},
		{"foreign operation", model.FIFO, model.Params{}, []model.Operation{op(0, 1, 2, "enq ok 1"), op(0, 3, 4, "steal ok 1")},
			`operation 1: model fifo has no operation "steal": expected one of enq, deq`},
		{"phase is no operation", model.Bag, model.Params{}, []model.Operation{{Op: model.Phase, Result: model.OK}},
			`operation 0: model bag has no operation "|": expected one of put, take`},
		{"result of another operation", model.WSDeque, model.Params{}, []model.Operation{op(0, 1, 2, "pop abort")},
			`operation 0: pop cannot have the result "abort": expected one of ok, empty`},
		{"put found empty", model.FIFO, model.Params{}, []model.Operation{op(0, 1, 2, "enq empty")},
			`operation 0: enq cannot have the result "empty": expected one of ok, full`},
		{"result of no kind", model.FIFO, model.Params{}, []model.Operation{{Op: model.Deq, Result: 17}},
			`operation 0: deq cannot have the result "invalid(17)": expected one of ok, empty, abort`},
		{"back without a result", model.FIFO, model.Params{}, []model.Operation{{Op: model.Deq, Call: 1, Return: 2}},
			`operation 0: deq came back without a result: expected one of ok, empty, abort`},
		{"return before call", model.FIFO, model.Params{}, []model.Operation{op(0, 9, 8, "deq empty")},
			`operation 0: return 8 is before call 9`},
		{"put without a value", model.FIFO, model.Params{}, []model.Operation{op(0, 1, 2, "enq ok")},
			`operation 0: enq ok needs a value below 2^63`},
		{"pending put without a value", model.Bag, model.Params{}, []model.Operation{op(0, 1, never, "put unknown")},
			`operation 0: put unknown needs a value below 2^63`},
		{"largest value", model.FIFO, model.Params{}, []model.Operation{op(0, 1, 2, "enq ok 9223372036854775807")}, ""},
		{"value too large", model.FIFO, model.Params{}, []model.Operation{op(0, 1, 2, "deq ok 9223372036854775808")},
			`operation 0: deq ok needs a value below 2^63`},
		{"refused put without a value", model.FIFO, model.Params{}, []model.Operation{op(0, 1, 2, "enq full")}, ""},
		{"range without its upper end", model.Range, model.Params{}, []model.Operation{op(0, 1, 2, "push ok 4")},
			`operation 0: the range [4,0) is empty: expected from < to`},
		{"range upside down", model.Range, model.Params{}, []model.Operation{op(0, 1, 2, "push ok 8..4")},
			`operation 0: the range [8,4) is empty: expected from < to`},
		{"range too high", model.Range, model.Params{}, []model.Operation{op(0, 1, 2, "push ok 4..9223372036854775808")},
			`operation 0: push ok needs a range with ends below 2^63`},
		{"removal from a range without size", model.Range, model.Params{}, []model.Operation{op(1, 1, 2, "steal ok 4..8")},
			`operation 0: steal on a range needs the size that was asked for, at least 1`},
		{"empty removal from a range without size", model.Range, model.Params{}, []model.Operation{op(1, 1, 2, "steal empty")}, ""},
		{"called at no time", model.FIFO, model.Params{}, []model.Operation{op(0, never, never, "deq unknown")},
			`operation 0: call: expected a number below 2^64-1`},
		{"full of something too large", model.FIFO, model.Params{}, []model.Operation{op(0, 1, 2, "enq full 9223372036854775808")},
			`operation 0: value: expected a number below 2^63, found 9223372036854775808`},
		{"full of no index", model.Range, model.Params{}, []model.Operation{op(0, 1, 2, "push full 4..4")},
			`operation 0: the range [4,4) is empty: expected from < to`},
		{"full that names nothing", model.Range, model.Params{}, []model.Operation{op(0, 1, 2, "push full")}, ""},
		{"size too large", model.Range, model.Params{}, []model.Operation{op(0, 1, 2, "steal empty of 9223372036854775808")},
			`operation 0: size: expected a number below 2^63, found 9223372036854775808`},
		{"a shared queue", model.FIFO, model.Params{Shared: true}, nil, `shared is for the model range, not for fifo`},
		{"capacity too large", model.FIFO, model.Params{Capacity: 1 << 63}, nil, `capacity: expected a number below 2^63, found 9223372036854775808`},
		{"overlap", model.FIFO, model.Params{}, []model.Operation{op(3, 5, 9, "enq ok 1"), op(3, 8, 12, "deq ok 1")},
			`operation 1: process 3 calls deq at 8, before its enq in [5,9] returned: operations of a process must not overlap`},
		{"overlap, lines in another order", model.FIFO, model.Params{}, []model.Operation{op(3, 8, 12, "deq ok 1"), op(3, 5, 9, "enq ok 1")},
			`operation 0: process 3 calls deq at 8, before its enq in [5,9] returned: operations of a process must not overlap`},
		{"one inside the other", model.FIFO, model.Params{}, []model.Operation{op(3, 5, 20, "enq ok 1"), op(3, 8, 12, "deq ok 1")},
			`operation 1: process 3 calls deq at 8, before its enq in [5,20] returned: operations of a process must not overlap`},
		{"called at the stamp of the return", model.FIFO, model.Params{}, []model.Operation{op(3, 5, 9, "enq ok 1"), op(3, 9, 12, "deq ok 1")}, ""},
		{"all at one stamp", model.FIFO, model.Params{}, []model.Operation{op(3, 5, 5, "enq ok 1"), op(3, 5, 5, "deq ok 1"), op(3, 5, 6, "deq empty")}, ""},
		{"any order of the lines", model.FIFO, model.Params{}, []model.Operation{op(3, 9, 12, "deq ok 1"), op(3, 5, 9, "enq ok 1"), op(1, 1, 30, "deq empty")}, ""},
		{"processes may overlap", model.FIFO, model.Params{}, []model.Operation{op(0, 5, 9, "enq ok 1"), op(1, 5, 9, "deq ok 1")}, ""},
		{"objects may overlap", model.FIFO, model.Params{}, []model.Operation{at(t, 0, 3, 5, 9, "enq ok 1"), at(t, 1, 3, 6, 7, "enq ok 1")}, ""},
		{"something after what never came back", model.FIFO, model.Params{}, []model.Operation{op(3, 5, never, "enq unknown 1"), op(3, 8, 12, "deq ok 1")},
			`operation 1: process 3 calls deq at 8, but its enq called at 5 never came back`},
		{"two owners", model.WSDeque, model.Params{}, []model.Operation{op(2, 1, 2, "push ok 1"), op(0, 1, 2, "steal ok 1"), op(0, 3, 4, "pop empty")},
			`operation 2: process 0 calls pop on object 0, whose owner is process 2: only the owner may`},
		{"the owner may steal", model.WSDeque, model.Params{}, []model.Operation{op(2, 1, 2, "push ok 1"), op(2, 3, 4, "steal ok 1")}, ""},
		{"an owner each", model.WSDeque, model.Params{}, []model.Operation{at(t, 0, 0, 1, 2, "push ok 1"), at(t, 1, 1, 1, 2, "push ok 1")}, ""},
		{"two owners of a range", model.Range, model.Params{}, []model.Operation{op(0, 1, 2, "push ok 1..2"), op(1, 3, 4, "pop empty of 1")},
			`operation 1: process 1 calls pop on object 0, whose owner is process 0: only the owner may`},
		{"a shared range has none", model.Range, model.Params{Shared: true}, []model.Operation{op(0, 1, 2, "push ok 1..2"), op(1, 3, 4, "pop empty of 1")}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := (&model.History{Kind: test.kind, Params: test.params, Ops: test.ops}).Validate()
			if test.want == "" {
				assert.NoError(t, err)
			} else {
				assert.EqualError(t, err, test.want)
			}
		})
	}
}

func TestValidateNamesTheLine(t *testing.T) {
	o := at(t, 0, 0, 9, 8, "deq empty")
	o.Line = 12
	err := (&model.History{Kind: model.FIFO, Ops: []model.Operation{at(t, 0, 1, 1, 2, "deq empty"), o}}).Validate()
	assert.EqualError(t, err, "line 12: return 8 is before call 9")
	var invalid *model.InvalidError
	require.True(t, errors.As(err, &invalid))
	assert.Equal(t, model.InvalidError{Line: 12, Index: 1, Msg: "return 8 is before call 9"}, *invalid)
}

func TestValidateWithoutAModel(t *testing.T) {
	assert.EqualError(t, (&model.History{}).Validate(), "the history has no model")
	assert.EqualError(t, (&model.History{Kind: 99}).Validate(), "the history has no model")
}

func TestByProcess(t *testing.T) {
	h := &model.History{Kind: model.FIFO, Ops: []model.Operation{
		0: at(t, 1, 0, 1, 2, "deq empty"),
		1: at(t, 0, 7, 5, 6, "deq empty"),
		2: at(t, 0, 2, 9, 9, "deq empty"),
		3: at(t, 0, 7, 1, 5, "deq empty"),
		4: at(t, 0, 2, 3, 9, "deq empty"),
		5: at(t, 0, 2, 9, 9, "enq ok 1"), // ties with 2: the order of the lines decides
		6: at(t, 0, 7, 5, 5, "deq empty"),
	}}
	assert.Equal(t, []int{4, 2, 5, 3, 6, 1, 0}, h.ByProcess())
	assert.Empty(t, (&model.History{}).ByProcess())
}

func TestObjects(t *testing.T) {
	h := &model.History{Kind: model.FIFO, Params: model.Params{Capacity: 3}, Ops: []model.Operation{
		at(t, 9, 0, 1, 2, "enq ok 1"), at(t, 2, 0, 5, 6, "enq ok 2"), at(t, 9, 1, 0, 1, "deq ok 1"), at(t, 2, 0, 3, 4, "enq ok 3"),
	}}
	parts := h.Objects()
	require.Len(t, parts, 2)
	assert.Equal(t, []model.Operation{h.Ops[1], h.Ops[3]}, parts[0].Ops, "each keeps the order of its operations")
	assert.Equal(t, []model.Operation{h.Ops[0], h.Ops[2]}, parts[1].Ops)
	for _, p := range parts {
		assert.Equal(t, h.Kind, p.Kind)
		assert.Equal(t, h.Params, p.Params)
	}
	assert.Len(t, h.Ops, 4)
	assert.Empty(t, (&model.History{Kind: model.FIFO}).Objects())
}

func TestPrecedesIsStrict(t *testing.T) {
	a, b := at(t, 0, 0, 1, 5, "deq empty"), at(t, 0, 1, 5, 9, "deq empty")
	assert.False(t, a.Precedes(&b), "equal stamps are concurrent")
	b.Call = 6
	assert.True(t, a.Precedes(&b))
	assert.False(t, b.Precedes(&a))
	pending := at(t, 0, 0, 1, 0, "deq unknown")
	assert.False(t, pending.Precedes(&b), "what never came back precedes nothing")
}

func TestWhatAnOperationMoves(t *testing.T) {
	for text, want := range map[string][2]bool{ // puts in, takes out
		"push ok 1": {true, false}, "push full": {false, false}, "push unknown 1": {true, false},
		"pop ok 1": {false, true}, "pop empty": {false, false}, "steal abort": {false, false}, "steal unknown": {false, false},
	} {
		o := operation(t, text)
		assert.Equal(t, want, [2]bool{o.PutsIn(), o.TakesOut()}, text)
	}
}
