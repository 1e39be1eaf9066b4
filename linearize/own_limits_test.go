package linearize

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"stealproof/linearize/internal/limits"
	"stealproof/linearize/internal/testkit"
	"stealproof/model"
)

// hopeless is a history that no checker can decide in any time: testkit.Hard with
// equal values, which the monitors do not take.
func hopeless(object uint32) *model.History {
	h := testkit.Hard(16)
	for i := range h.Ops {
		o := &h.Ops[i]
		o.Object = object
		if o.Value < 1000 {
			o.Value /= 2
		}
	}
	return h
}

// easy is one that the monitors do not take either, and the search decides.
func easy(object uint32) *model.History {
	h := &model.History{Kind: model.FIFO}
	for i := range uint64(6) {
		op := []model.Op{model.Enq, model.Deq}[i%2]
		h.Ops = append(h.Ops, model.Operation{Object: object, Op: op, Result: model.OK, Value: 7, Call: 2 * i, Return: 2*i + 1})
	}
	return h
}

func joined(histories ...*model.History) *model.History {
	all := &model.History{Kind: histories[0].Kind}
	for _, h := range histories {
		all.Ops = append(all.Ops, h.Ops...)
	}
	return all
}

func TestSearchAfterAMonitorHasALimitOfItsOwn(t *testing.T) {
	r := check(t.Context(), hopeless(0), Options{}, leeway{search: limits.Own{Time: 8 * time.Millisecond}})
	require.Equal(t, model.Undecided, r.Verdict)
	require.Equal(t, "the general search did not decide within 8ms, a limit of its own: --timeout or --checker porcupine lets it go on"+
		" (the monitor before: the monitor needs distinct values, and 0 is put in twice)", r.Undecided[0].Msg)

	// A limit of the user's counts alone, and so does his choice of the checker.
	for _, o := range []Options{{Timeout: 50 * time.Millisecond}, {Timeout: 50 * time.Millisecond, Checker: Porcupine}} {
		r = check(t.Context(), hopeless(0), o, leeway{search: limits.Own{Time: time.Nanosecond, Memory: 1}})
		require.Equal(t, model.Undecided, r.Verdict)
		require.Contains(t, r.Undecided[0].Msg, "the time limit of 50ms was met")
	}
	o := Options{Timeout: time.Minute, Begun: time.Now().Add(-time.Hour)}
	r = Check(t.Context(), easy(0), o)
	require.Equal(t, "the time limit of 1m0s was met", r.Undecided[0].Msg, "what was read before counts")
	require.False(t, Options{Checker: Porcupine}.limits(limits.Own{}).OfSearch)
	require.False(t, Options{Timeout: time.Hour}.limits(limits.Own{}).OfSearch)
	require.True(t, Options{}.limits(limits.Own{}).OfSearch)
	require.True(t, Options{Checker: Auto}.limits(limits.Own{}).OfSearch)
}

// The memory of the searches has a limit as well, unless the user gave one.
func TestSearchAfterAMonitorHasItsShareOfMemory(t *testing.T) {
	r := check(t.Context(), hopeless(0), Options{}, leeway{search: limits.Own{Time: time.Hour, Memory: 16 << 20}})
	require.Equal(t, model.Undecided, r.Verdict)
	require.Contains(t, r.Undecided[0].Msg, "the general search needs more than 16.0 MiB, a limit of its own: --memory, --timeout or --checker porcupine lets it go on")

	// What cannot fit is not begun: a set of operations for each operation.
	many := easy(0)
	many.Ops = nil
	for i := range uint64(3000) {
		many.Ops = append(many.Ops, easy(0).Ops[i%2])
		many.Ops[i].Call, many.Ops[i].Return = 2*i, 2*i+1
	}
	r = check(t.Context(), many, Options{}, leeway{search: limits.Own{Time: time.Hour, Memory: 1 << 20}})
	require.Equal(t, model.Undecided, r.Verdict)
	require.Contains(t, r.Undecided[0].Msg, "3000 operations: the general search needs more than 1.0 MiB, a limit of its own")
	r = check(t.Context(), many, Options{}, leeway{search: limits.Own{Time: time.Hour, Memory: 1 << 30}})
	require.Equal(t, model.Linearizable, r.Verdict)
}

// Objects that are hopeless are given up one after the other.
func TestHopelessObjects(t *testing.T) {
	var all []*model.History
	for i := range uint32(6) {
		all = append(all, hopeless(i))
	}
	r := check(t.Context(), joined(all...), Options{Jobs: 1}, leeway{search: limits.Own{Time: 8 * time.Millisecond}})
	require.Len(t, r.Undecided, 6)
	for i, u := range r.Undecided {
		require.EqualValues(t, i, u.Object)
		require.Contains(t, u.Msg, "a limit of its own")
	}
}
