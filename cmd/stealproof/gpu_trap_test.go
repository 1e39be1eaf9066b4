package main

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/gpu"
	"stealproof/model"
)

// trappingGPU traps in its first launches; what its logs hold then depends on
// where they are.
type trappingGPU struct {
	fakeGPU
	left *int // launches that still trap
}

func (g *trappingGPU) Launch(ctx context.Context, seed uint64) (*gpu.Launch, error) {
	l, err := g.fakeGPU.Launch(ctx, seed)
	if *g.left > 0 {
		*g.left--
		l.Trap, l.Partial = "IllegalAddress", true
		if !g.options.HostLogs {
			l.History, l.Operations = nil, 0
		}
	}
	return l, err
}

// trapping runs a campaign whose first traps launches end so.
func trapping(t *testing.T, traps int, open error) (*gpuCampaign, string) {
	t.Helper()
	var out bytes.Buffer
	o := gpu.Defaults()
	o.Spec.Structure = "tz"
	f := &gpuFlags{Options: o, repeat: 5, check: true, seed: 40, capture: "raw"}
	c := &gpuCampaign{app: &app{out: &out}, flags: f, calibration: &gpu.Calibration{}, kinds: map[string]int{}, begin: time.Now()}
	launches := 0
	opened := func(o gpu.Options) (launcher, error) {
		return &trappingGPU{fakeGPU{options: o, launches: &launches, bad: func(gpu.Options) bool { return false }}, &traps}, open
	}
	first, _ := opened(o)
	require.NoError(t, c.run(context.Background(), first, opened, o))
	require.NoError(t, c.finish())
	return c, out.String()
}

func TestATrapIsLaunchedAgainToKeepItsLog(t *testing.T) {
	c, out := trapping(t, 2, nil)
	assert.Contains(t, out, "  trap: IllegalAddress; its log is lost, launched again (1) with seed 40, --logs host --announce, it trapped as well; 2 operations were recorded until then\n")
	assert.Equal(t, model.Violation, c.app.verdict)
	assert.Equal(t, 2, c.operations)
	assert.NotContains(t, out, "linearizable", "what a trap leaves behind is not judged")
}

func TestATrapThatDoesNotComeBack(t *testing.T) {
	c, out := trapping(t, 1, nil)
	assert.Contains(t, out, "trap: IllegalAddress; its log is lost, and 3 further launches with seed 40 and --logs host did not trap\n")
	assert.Equal(t, model.Violation, c.app.verdict)
}

func TestATrapThatTakesTheDeviceAlong(t *testing.T) {
	c, out := trapping(t, 1, errors.New("no device"))
	assert.Contains(t, out, "its log is lost (tried again with --logs host: no device)")
	assert.Equal(t, model.Violation, c.app.verdict)
}

func TestWithoutATrapEverythingIsJudged(t *testing.T) {
	c, out := trapping(t, 0, nil)
	assert.Contains(t, out, "linearizable: 320 objects; checked in ")
	assert.Contains(t, out, " from the first launch to the verdict")
	assert.Equal(t, model.Linearizable, c.app.verdict)
}
