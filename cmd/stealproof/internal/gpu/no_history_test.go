package gpu

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/cmd/stealproof/internal/console"
	"stealproof/gpu"
	"stealproof/model"
)

// confusedGPU leaves logs in which a process calls an operation before its last
// one has returned, which is what a broken recorder does, and no structure can.
type confusedGPU struct {
	fakeGPU
	hang string
}

func (g *confusedGPU) Launch(ctx context.Context, seed uint64) (*gpu.Launch, error) {
	l, err := g.fakeGPU.Launch(ctx, seed)
	l.History.Ops[1].Process, l.History.Ops[1].Call = 0, 1005
	l.Hang, l.Partial = g.hang, g.hang != ""
	return l, err
}

func newConfusedGPU(o gpu.Options) *confusedGPU {
	return &confusedGPU{fakeGPU: fakeGPU{options: o, launches: new(int), bad: func(gpu.Options) bool { return true }}}
}

func confusedCampaign(hang string) (c *campaign, launches int, err error) {
	f := &launchFlags{Options: gpu.Defaults(), repeat: 5, check: true, seed: 40, capture: "raw"}
	f.Spec.Structure = "tz"
	f.Announce = true
	c = &campaign{con: &console.Console{Out: &bytes.Buffer{}, Err: &bytes.Buffer{}}, flags: f, calibration: &gpu.Calibration{}, kinds: map[string]int{}, meta: map[string]any{}, begin: time.Now()}
	g := newConfusedGPU(f.Options)
	g.hang = hang
	err = c.run(context.Background(), g)
	return c, *g.launches, err
}

const whyNoHistory = "the logs of the launch with seed 40 are no history, so they are not judged (the kernel, or how it records, is broken): operation 1: process 0 calls deq at 1005, before its enq in [1000,1010] returned: operations of a process must not overlap"

func TestLogsThatAreNoHistoryAreNotJudged(t *testing.T) {
	c, launches, err := confusedCampaign("")
	require.EqualError(t, err, whyNoHistory)
	assert.LessOrEqual(t, launches, 2, "one more may have begun")
	assert.Empty(t, c.kinds, "nothing was found")
}

func TestLogsOfAHangMayBreakOff(t *testing.T) {
	c, _, err := confusedCampaign("a process did not end")
	require.NoError(t, err)
	assert.Positive(t, c.undecided)
	verdict, err := c.finish()
	require.NoError(t, err)
	assert.Equal(t, model.Violation, verdict, "the hang")
}

func TestTableDoesNotJudgeWhatIsNoHistory(t *testing.T) {
	o := gpu.Defaults()
	o.Spec.Structure = "tz"
	cell := tableCell{kind: model.FIFO, enough: 10}
	cell.measure(context.Background(), time.Minute, newConfusedGPU(o), o, &tableFlags{launches: 5, seed: 40})
	assert.Equal(t, model.Undecided, cell.verdict())
	assert.Zero(t, cell.violating)
	assert.Contains(t, cell.String(), whyNoHistory)
}
