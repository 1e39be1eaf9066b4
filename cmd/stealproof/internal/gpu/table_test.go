package gpu

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/gpu"
	"stealproof/model"
)

// fakeGPU answers each launch with a small history, good or bad.
type fakeGPU struct {
	options  gpu.Options
	launches *int
	bad      func(o gpu.Options) bool
}

func (g *fakeGPU) Launch(_ context.Context, seed uint64) (*gpu.Launch, error) {
	*g.launches++
	h := &model.History{Kind: kindOf(g.options), Ops: goodAndBad(kindOf(g.options), g.bad(g.options))}
	if h.Kind == model.Range {
		h.Ops = h.Ops[:0]
		h.Ops = append(h.Ops, model.Operation{Op: model.Push, Result: model.OK, Value: 1, To: 3, Call: 1000, Return: 1010})
	}
	return &gpu.Launch{Seed: seed, History: h, Operations: len(h.Ops), Elapsed: time.Millisecond}, nil
}

func (g *fakeGPU) Object(int) []byte { return []byte{1, 2, 3, 4, 200, 0, 0, 0} }
func (g *fakeGPU) Close() error      { return nil }

// goodAndBad puts in a value that comes out once, or twice.
func goodAndBad(kind model.Kind, bad bool) []model.Operation {
	ops := map[model.Kind][2]model.Op{model.WSDeque: {model.Push, model.Steal}, model.FIFO: {model.Enq, model.Deq}, model.Bag: {model.Put, model.Take}}[kind]
	h := []model.Operation{
		{Op: ops[0], Result: model.OK, Value: 1, Call: 1000, Return: 1010},
		{Op: ops[1], Result: model.OK, Value: 1, Process: 1, Call: 1020, Return: 1030},
	}
	if bad {
		h = append(h, model.Operation{Op: ops[1], Result: model.OK, Value: 1, Process: 2, Call: 1040, Return: 1060})
	}
	return h
}

func testTable(t *testing.T, bad func(gpu.Options) bool, only ...string) (*table, int) {
	t.Helper()
	launches := 0
	flags := &tableFlags{date: "2026-11-21", capture: "performed", cell: time.Hour, launches: 3, enough: 2, timeout: time.Second, seed: 7}
	table := &table{flags: flags, calibration: &gpu.Calibration{Device: gpu.Device{Name: "Test GPU", Multiprocessors: 10}, Tick: 32, Handovers: 1},
		command: "stealproof gpu table", progress: io.Discard, sections: tableSections(10, only)}
	table.open = func(o gpu.Options) (launcher, error) {
		if o.Stress > 0 {
			return nil, errors.New("too | many")
		}
		return &fakeGPU{options: o, launches: &launches, bad: bad}, nil
	}
	require.NoError(t, table.fill(context.Background()))
	return table, launches
}

func TestTableCountsWhatWasSeen(t *testing.T) {
	table, _ := testTable(t, func(o gpu.Options) bool { return o.Spec.Settings["defect"] == "deq-store" }, "tz")
	text := table.markdown()
	assert.Contains(t, text, "| whole (mended), no slot used twice | `tz:capacity=2048` | not observed in 6 | not observed in 6 | not run: too / many |\n")
	// a third launch may have begun when two had violated
	assert.Regexp(t, `\| deq-store \| .tz:capacity=4,defect=deq-store. \| \*\*[23] of 1[05]\*\*; 333333 per million; 60ns \| `, text)
	assert.Equal(t, model.Undecided, table.verdict(), "what could not be run does not hold")
	assert.NotContains(t, text, "goes round", "resets are about abp")
}

func TestTableFailsWhereAWholeStructureViolates(t *testing.T) {
	table, _ := testTable(t, func(gpu.Options) bool { return true }, "blocking")
	assert.Equal(t, model.Violation, table.verdict())
}

func TestTableHasTheTimeToWrap(t *testing.T) {
	table, _ := testTable(t, func(gpu.Options) bool { return false }, "abp")
	text := table.markdown()
	assert.Contains(t, text, "| an owner alone, one task at a time | 200000 | 10µs | 20µs | 80µs | 1.28ms | 328ms | 5h58m20s |")
}

func TestTableHasEveryStructureOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("patches every kernel of every row")
	}
	table, _ := testTable(t, func(gpu.Options) bool { return false })
	seen := map[string]bool{}
	for i, s := range table.sections {
		require.Len(t, table.cells[i], len(s.rows))
		for _, r := range s.rows {
			assert.False(t, seen[r.spec] && !r.whole, r.spec)
			seen[r.spec] = true
		}
	}
	for _, d := range gpu.Designs {
		assert.Contains(t, table.markdown(), "## "+d.Name)
	}
}

func TestTableEndsWhenAKernelHoldsTheGPU(t *testing.T) {
	table, _ := testTable(t, func(gpu.Options) bool { return false }, "list")
	table.open = func(gpu.Options) (launcher, error) { return &hungGPU{}, nil }
	table.cells, table.lost = nil, ""
	require.NoError(t, table.fill(context.Background()))
	assert.Equal(t, "not observed in 0; hang in 1 of 1 launches", table.cells[0][0][0].String())
	assert.Equal(t, "not run: a kernel before this one did not end and holds the GPU", table.cells[0][0][1].String())
	assert.Equal(t, model.Undecided, table.verdict())
}

type hungGPU struct{ fakeGPU }

func (*hungGPU) Launch(context.Context, uint64) (*gpu.Launch, error) {
	return &gpu.Launch{Partial: true, Hang: "the kernel did not end"}, nil
}

func TestTableSharesTheTime(t *testing.T) {
	table := &table{flags: &tableFlags{cell: time.Second, within: 10 * time.Second}, left: 100}
	assert.Equal(t, 100*time.Millisecond, table.share(0))
	table.left = 2
	assert.Equal(t, time.Second, table.share(0))
	assert.Equal(t, time.Millisecond, table.share(time.Minute))
	table.measured, table.done = 3*time.Second, 1 // and 3 s went to opening two cells
	assert.Equal(t, 500*time.Millisecond, table.share(6*time.Second))
}
