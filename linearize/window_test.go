package linearize

import (
	"testing"

	"github.com/stretchr/testify/require"

	"stealproof/linearize/internal/finding"
	"stealproof/linearize/internal/testkit"
	"stealproof/model"
)

// The operations that a violation names have no order by themselves.
func TestWindowsAreRejectedByThemselves(t *testing.T) {
	rounds := testkit.Amount(testing.Short(), 150, 700, 2_000)
	for _, k := range model.Kinds {
		r := testkit.NewTiny(k, 3)
		kinds := map[string]int{}
		for range rounds {
			h := r.Next(9)
			report := Check(t.Context(), h, searchOnly(Options{Jobs: 1}))
			require.Equal(t, CheckSmall(h), report.Verdict == model.Linearizable)
			if report.Verdict == model.Violation {
				v := report.Violations[0]
				kinds[v.Kind]++
				require.NotEmpty(t, v.Explanation)
				require.False(t, CheckSmall(h.Part(v.Ops)), "%s\n%s", testkit.Describe(h), v.Explanation)
			}
		}
		require.Greater(t, len(kinds), 2, kinds)
	}
}

func TestShortestPrefix(t *testing.T) {
	h := testkit.Read(model.WSDeque, "",
		`{"process":0,"op":"push","result":"ok","value":1,"call":0,"return":1}`,
		`{"process":1,"op":"steal","result":"ok","value":1,"call":2,"return":9}`,
		`{"process":0,"op":"pop","result":"ok","value":1,"call":2,"return":5}`,
		`{"process":0,"op":"push","result":"ok","value":2,"call":12,"return":15}`)
	at, found := ShortestPrefix(h)
	require.True(t, found)
	require.Equal(t, 1, at, "up to the steal's return it may not have happened")
	_, found = ShortestPrefix(h.Part([]int{0, 1, 3}))
	require.False(t, found)
}

// A violation planted in a long legal history is cut down to exactly the
// operations that make it.
func TestExactMinima(t *testing.T) {
	t.Run("fifo order", func(t *testing.T) {
		h := calmFIFO(300)
		h.Ops[100].Value, h.Ops[102].Value = h.Ops[102].Value, h.Ops[100].Value
		v := onlyViolation(t, h)
		require.Equal(t, finding.Order, v.Kind)
		require.Equal(t, []int{100, 101, 102, 103}, v.Ops)
		require.Equal(t, "value 102 was enqueued before value 100 (enq returned at 1009, enq called at 1010), "+
			"yet 100 left in [2005,2008] and 102 left only in [2015,2018]", v.Explanation)
	})
	t.Run("false empty", func(t *testing.T) {
		h := calmFIFO(300)
		h.Ops[201].Result, h.Ops[201].Value = model.Empty, model.NoValue
		v := onlyViolation(t, h)
		require.Equal(t, finding.FalseEmpty, v.Kind)
		require.Equal(t, []int{201, 298, 299}, v.Ops, "the empty one, and one value that was inside")
	})
	t.Run("false full", func(t *testing.T) {
		h := calmFIFO(60)
		h.Params.Capacity = 100
		h.Ops = append(h.Ops, model.Operation{Op: model.Enq, Result: model.Full, Value: model.NoValue, Call: 5000, Return: 5001})
		v := onlyViolation(t, h)
		require.Equal(t, finding.FalseFull, v.Kind)
		require.Equal(t, []int{60}, v.Ops, "all values had left before")
	})
	t.Run("range", func(t *testing.T) {
		h := longRange(100)
		h.Ops = append(h.Ops, model.Operation{Op: model.Steal, Result: model.Empty, Value: model.NoValue, Process: 1, Call: 9000, Return: 9001})
		v := onlyViolation(t, h)
		require.Equal(t, finding.FalseEmpty, v.Kind)
		require.Equal(t, []int{0, 101}, v.Ops)
	})
}

func onlyViolation(t *testing.T, h *model.History) Violation {
	t.Helper()
	require.NoError(t, h.Validate())
	r := Check(t.Context(), h, searchOnly(Options{}))
	require.Len(t, r.Violations, 1)
	return r.Violations[0]
}

// calmFIFO has a process that puts in and one that takes out, a thousand
// units of time later.
func calmFIFO(n int) *model.History {
	h := &model.History{Kind: model.FIFO}
	for i := 0; i < n; i += 2 {
		t := uint64(10 * i / 2)
		h.Ops = append(h.Ops,
			model.Operation{Op: model.Enq, Result: model.OK, Value: uint64(i), Call: 500 + t, Return: 509 + t},
			model.Operation{Op: model.Deq, Result: model.OK, Value: uint64(i), Process: 1, Call: 1505 + t, Return: 1508 + t})
	}
	return h
}

// longRange is a push of a huge interval and n pops of a few indices each.
func longRange(n int) *model.History {
	h := &model.History{Kind: model.Range}
	h.Ops = append(h.Ops, model.Operation{Op: model.Push, Result: model.OK, To: 1 << 40, Call: 1, Return: 2})
	for i := range n + 1 {
		from := uint64(3 * i)
		h.Ops = append(h.Ops, model.Operation{Op: model.Pop, Result: model.OK, Value: from, To: from + 3, Size: 3, Call: uint64(10 * (i + 1)), Return: uint64(10*(i+1) + 5)})
	}
	return h.With(h.Ops[:n+1])
}
