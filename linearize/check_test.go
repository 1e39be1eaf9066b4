package linearize

import (
	"context"
	"encoding/json"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"stealproof/linearize/internal/finding"
	"stealproof/linearize/internal/machine"
	"stealproof/linearize/internal/testkit"
	"stealproof/model"
)

func TestNothingToCheckIsNoSuccess(t *testing.T) {
	r := Check(t.Context(), &model.History{Kind: model.FIFO}, Options{})
	require.Equal(t, model.NotRun, r.Verdict)
	require.NotEmpty(t, r.Notes)
	out, err := r.JSON("x", nil)
	require.NoError(t, err)
	require.Contains(t, string(out), `"verdict":"undecided"`)
}

func TestCheckOfSeveralObjects(t *testing.T) {
	h := testkit.Read(model.FIFO, "",
		`{"object":7,"process":0,"op":"enq","result":"ok","value":1,"call":0,"return":1}`,
		`{"object":3,"process":0,"op":"enq","result":"ok","value":1,"call":2,"return":3}`,
		`{"object":3,"process":0,"op":"deq","result":"empty","call":4,"return":5}`,
		`{"object":7,"process":1,"op":"deq","result":"ok","value":1,"call":2,"return":3}`,
		`{"object":7,"process":1,"op":"deq","result":"ok","value":1,"call":4,"return":5}`)
	done := 0
	r := Check(t.Context(), h, searchOnly(Options{Progress: func(n, all int) { done++; require.Equal(t, 2, all); require.Equal(t, done, n) }}))
	require.Equal(t, model.Violation, r.Verdict)
	require.Equal(t, 2, done)
	require.Equal(t, 5, r.Operations)
	require.Equal(t, "direct+porcupine", r.Checker)
	require.Len(t, r.Violations, 2)
	require.Equal(t, uint32(3), r.Violations[0].Object, "in the order of the object numbers")
	require.Equal(t, []int{0, 3, 4}, r.Violations[1].Ops)
	require.Equal(t, []int{1, 2}, r.Violations[0].Ops)

	var out map[string]any
	data, err := r.JSON("a.jsonl", nil)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &out))
	require.Equal(t, "violation", out["verdict"])
	v := out["violations"].([]any)[0].(map[string]any)
	require.Equal(t, []any{3.0, 4.0}, v["operations"], "line numbers")
	require.Equal(t, "a.jsonl", v["file"])
	require.Equal(t, finding.FalseEmpty, v["kind"])
}

func searchOnly(o Options) Options {
	o.Checker = Porcupine
	return o
}

func TestTimeLimitHolds(t *testing.T) {
	before := runtime.NumGoroutine()
	r := Check(t.Context(), testkit.Hard(14), searchOnly(Options{Timeout: 300 * time.Millisecond}))
	require.Equal(t, model.Undecided, r.Verdict)
	require.Equal(t, "the time limit of 300ms was met", r.Undecided[0].Msg)
	for runtime.NumGoroutine() > before { // the search must end
		time.Sleep(5 * time.Millisecond)
	}
}

func TestMemoryLimitHolds(t *testing.T) {
	runtime.GC()
	limit := machine.Heap() + 48<<20
	r := Check(t.Context(), testkit.Hard(14), searchOnly(Options{Memory: limit, Timeout: time.Hour}))
	require.Equal(t, model.Undecided, r.Verdict)
	require.Contains(t, r.Undecided[0].Msg, "the memory limit of")
	runtime.GC()
	require.Less(t, machine.Heap(), limit, "the memory must be free again")
}

// One object that eats the memory must not keep the others from a verdict.
func TestMemoryLimitLeavesTheOthers(t *testing.T) {
	h := testkit.Hard(14)
	easy := busyFIFO(40, 2)
	for i := range easy.Ops {
		easy.Ops[i].Object = 5
	}
	h.Ops = append(h.Ops, easy.Ops...)
	runtime.GC()
	r := Check(t.Context(), h, searchOnly(Options{Memory: machine.Heap() + 48<<20, Jobs: 1, Timeout: time.Hour}))
	require.Len(t, r.Undecided, 1)
	require.Equal(t, uint32(0), r.Undecided[0].Object)
}

func TestCancellationEndsTheSearch(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	r := Check(ctx, testkit.Hard(14), searchOnly(Options{}))
	require.Equal(t, model.Undecided, r.Verdict)
	require.Contains(t, r.Undecided[0].Msg, "interrupted")
}

func TestTooLargeForTheSearchIsSaidAtOnce(t *testing.T) {
	r := Check(t.Context(), longHistory(100_000), searchOnly(Options{Memory: 1 << 30}))
	require.Equal(t, model.Undecided, r.Verdict)
	require.Contains(t, r.Undecided[0].Msg, "too many for the general search")
}

// A doubled value in a million operations is found without any search.
func TestContradictionInAHugeHistory(t *testing.T) {
	n := 1_000_000
	if testing.Short() {
		n = 50_000
	}
	h := longHistory(n)
	h.Ops[n-1].Value = 10
	r := Check(t.Context(), h, Options{})
	require.Equal(t, model.Violation, r.Verdict)
	require.Equal(t, "direct", r.Checker)
	require.Equal(t, []int{10, 11, n - 1}, r.Violations[0].Ops)
}

func TestDuplicatePutsAreLeftToTheSearchAloud(t *testing.T) {
	h := testkit.Read(model.Bag, "",
		`{"process":0,"op":"put","result":"ok","value":4,"call":0,"return":1}`,
		`{"process":0,"op":"put","result":"ok","value":4,"call":2,"return":3}`,
		`{"process":1,"op":"take","result":"ok","value":4,"call":4,"return":5}`,
		`{"process":1,"op":"take","result":"ok","value":4,"call":6,"return":7}`)
	r := Check(t.Context(), h, Options{})
	require.Equal(t, model.Linearizable, r.Verdict)
	require.Equal(t, "porcupine", r.Checker)
	require.True(t, strings.Contains(strings.Join(r.Notes, " "), "value 4 is put in more than once"), r.Notes)

	r = Check(t.Context(), h, Options{Checker: Monitor})
	require.Equal(t, model.Undecided, r.Verdict, "a monitor alone cannot decide this")
}

func TestUnknownCheckerIsNoVerdict(t *testing.T) {
	require.Equal(t, model.Undecided, Check(t.Context(), longHistory(2), Options{Checker: "oracle"}).Verdict)
}

// A removal from a huge range that never came back has too many effects to be
// followed one by one: no verdict, and above all no hang.
func TestTooManyOutcomesIsUndecided(t *testing.T) {
	h := testkit.Read(model.Range, "",
		`{"process":0,"op":"push","result":"ok","range":[0,1000000000],"call":1,"return":2}`,
		`{"process":1,"op":"steal","call":3}`,
		`{"process":0,"op":"pop","result":"ok","range":[0,4],"size":4,"call":4,"return":5}`)
	r := Check(t.Context(), h, searchOnly(Options{}))
	require.Equal(t, model.Undecided, r.Verdict)
	require.Contains(t, r.Undecided[0].Msg, "too many different effects")
}
