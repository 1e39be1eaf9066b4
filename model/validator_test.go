package model

import (
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// The quick way and the one that has the words must agree on every history, valid
// or not: what the quick one accepts has nothing wrong with it, and the other way
// round nothing but the order in which the operations stand.
func TestValidateAgreesWithItsWords(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	valid, quick := 0, 0
	n := 60_000
	switch {
	case testing.Short():
		n = 20_000
	case os.Getenv("STEALPROOF_LARGE") != "": // see make large
		n = 200_000
	}
	for round := range n {
		h := oddHistory(rng)
		words := h.whyInvalid()
		if parts := 1 + rng.IntN(len(h.Ops)); round%4 == 0 && h.isValid(parts) {
			require.NoError(t, words)
			quick++
		}
		require.Equal(t, words, h.Validate())
		v := NewValidator(h.Kind, h.Params)
		for i := range h.Ops {
			o := h.Ops[i]
			require.Equal(t, h.whyAlone(&h.Ops[i]) == "", v.Alone(&o))
		}
		if words == nil {
			valid++
		}
	}
	require.Greater(t, valid, n/20)
	require.Greater(t, quick, valid/20)
}

// oddHistory is short, mostly well formed, and often wrong in one place.
func oddHistory(rng *rand.Rand) *History {
	h := &History{Kind: Kinds[rng.IntN(4)]}
	h.Params.Shared = h.Kind == Range && rng.IntN(2) == 0
	ops := h.Kind.Ops()
	for range 1 + rng.IntN(6) {
		o := Operation{Op: ops[rng.IntN(len(ops))], Object: rng.Uint32N(2), Process: rng.Uint32N(2), Value: rng.Uint64N(9)}
		results := h.Kind.Results(o.Op)
		o.Result = results[rng.IntN(len(results))]
		o.Call = rng.Uint64N(60)
		o.Return = o.Call + rng.Uint64N(5)
		if h.Kind == Range {
			o.To, o.Size = o.Value+1+rng.Uint64N(3), 1
		}
		switch rng.IntN(60) {
		case 0:
			o.Return = Never
		case 1:
			o.Return, o.Result = Never, Unknown
		case 2:
			o.Value = NoValue
		case 3:
			o.Value = MaxValue + 1
		case 4:
			o.To, o.Size = o.Value, 0
		case 5:
			o.Return = o.Call - 1
		case 6:
			o.Op, o.Result = Op(rng.IntN(12)), Result(rng.IntN(9))
		case 7:
			o.Call, o.Return = Never, Never
		case 8:
			o.Size = MaxValue + rng.Uint64N(2)
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
			require.Equal(t, round, at.returned)
			at.returned++
		}
	}
	require.Equal(t, 5000, l.n)
}

// Where a part of a long history ends is nothing that its verdict depends on.
func TestValidateOfManyParts(t *testing.T) {
	h := &History{Kind: WSDeque}
	for i := range uint64(300) {
		h.Ops = append(h.Ops, Operation{Object: uint32(i % 3), Process: uint32(i % 5 % 2), Op: Steal, Result: Abort, Call: i, Return: i + 1})
	}
	for i := range 3 { // the owner of each is its process 77
		h.Ops[10+5*i] = Operation{Object: uint32(i), Process: 77, Op: Push, Result: OK, Value: 1, Call: 5, Return: 6}
	}
	require.NoError(t, h.Validate())
	for parts := range 40 {
		require.True(t, h.isValid(parts))
	}
	for i, spoilt := range []func(o *Operation){
		func(o *Operation) { o.Return += 40 },
		func(o *Operation) { o.Process, o.Op, o.Result, o.Value = 78, Push, OK, 1 },
		func(o *Operation) { o.Result = Full },
	} {
		broken := h.With(slices.Clone(h.Ops))
		spoilt(&broken.Ops[140])
		require.Error(t, broken.Validate(), i)
		for parts := range 40 {
			require.False(t, broken.isValid(parts), i)
		}
	}
}
