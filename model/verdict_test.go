package model_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"stealproof/model"
)

func TestVerdictAnd(t *testing.T) {
	const (
		n = model.NotRun
		u = model.Undecided
		l = model.Linearizable
		v = model.Violation
	)
	table := map[[2]model.Verdict]model.Verdict{
		{n, n}: n, {n, u}: u, {n, l}: u, {n, v}: v,
		{u, n}: u, {u, u}: u, {u, l}: u, {u, v}: v,
		{l, n}: u, {l, u}: u, {l, l}: l, {l, v}: v,
		{v, n}: v, {v, u}: v, {v, l}: v, {v, v}: v,
	}
	assert.Len(t, table, 16)
	for pair, want := range table {
		assert.Equal(t, want, pair[0].And(pair[1]), "%s and %s", pair[0], pair[1])
	}
}

func TestNamesAreReadBack(t *testing.T) {
	for v := model.NotRun; v <= model.Violation; v++ {
		got, err := model.ParseVerdict(v.String())
		assert.NoError(t, err)
		assert.Equal(t, v, got)
	}
	for _, k := range model.Kinds {
		got, err := model.ParseKind(k.String())
		assert.NoError(t, err)
		assert.Equal(t, k, got)
	}
	for o := model.Push; o < model.Phase; o++ {
		got, err := model.ParseOp(o.String())
		assert.NoError(t, err)
		assert.Equal(t, o, got)
		assert.NotEqual(t, o.Puts(), o.Removes(), o)
	}
	for r := model.OK; r <= model.Abort; r++ {
		got, err := model.ParseResult(r.String())
		assert.NoError(t, err)
		assert.Equal(t, r, got)
	}
}

func TestUnknownNames(t *testing.T) {
	_, err := model.ParseKind("queue")
	assert.EqualError(t, err, `unknown model "queue": expected one of wsdeque, fifo, range, bag`)
	_, err = model.ParseOp("|")
	assert.EqualError(t, err, `unknown op "|": expected one of push, pop, steal, enq, deq, put, take`)
	_, err = model.ParseResult("unknown")
	assert.EqualError(t, err, `unknown result "unknown": expected one of ok, full, empty, abort`)
	_, err = model.ParseVerdict("passed")
	assert.EqualError(t, err, `unknown verdict "passed": expected one of not run, undecided, linearizable, violation`)
	_, err = model.ParseKind("")
	assert.EqualError(t, err, `unknown model "": expected one of wsdeque, fifo, range, bag`)

	assert.Equal(t, "invalid(99)", model.Kind(99).String())
	assert.Equal(t, "invalid(0)", model.Op(0).String())
	assert.Equal(t, "unknown", model.Unknown.String())
	assert.False(t, model.Phase.Puts())
	assert.False(t, model.Phase.Removes())
}

// The table of kinds, said once more.
func TestOperationsAndResultsOfTheKinds(t *testing.T) {
	const (
		ok    = model.OK
		full  = model.Full
		empty = model.Empty
		abort = model.Abort
	)
	table := map[model.Kind]map[model.Op][]model.Result{
		model.WSDeque: {model.Push: {ok, full}, model.Pop: {ok, empty}, model.Steal: {ok, empty, abort}},
		model.FIFO:    {model.Enq: {ok, full}, model.Deq: {ok, empty, abort}},
		model.Range:   {model.Push: {ok, full}, model.Pop: {ok, empty}, model.Steal: {ok, empty, abort}},
		model.Bag:     {model.Put: {ok, full}, model.Take: {ok, empty, abort}},
	}
	for _, k := range model.Kinds {
		assert.Len(t, k.Ops(), len(table[k]), k)
		for op := model.Push; op <= model.Phase; op++ {
			want, has := table[k][op]
			assert.Equal(t, has, k.Has(op), "%s %s", k, op)
			assert.Equal(t, want, k.Results(op), "%s %s", k, op)
			for r := model.Unknown; r <= model.Abort; r++ {
				assert.Equal(t, has && contains(want, r), k.Allows(op, r), "%s %s %s", k, op, r)
			}
			owned := (k == model.WSDeque || k == model.Range) && (op == model.Push || op == model.Pop)
			assert.Equal(t, owned, k.OwnerOnly(op, model.Params{}), "%s %s", k, op)
			assert.False(t, k.OwnerOnly(op, model.Params{Shared: true}), "%s %s", k, op)
		}
	}
}

func contains(rs []model.Result, r model.Result) bool {
	for _, x := range rs {
		if x == r {
			return true
		}
	}
	return false
}
