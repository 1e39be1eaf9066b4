package gpu

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/cmd/stealproof/internal/console"
	"stealproof/gpu"
	"stealproof/model"
)

// trappingGPU traps in its second launch; what its log holds then depends on
// where that is.
type trappingGPU struct{ fakeGPU }

func (g *trappingGPU) Launch(ctx context.Context, seed uint64) (*gpu.Launch, error) {
	l, err := g.fakeGPU.Launch(ctx, seed)
	if seed == 41 {
		l.Trap, l.Partial = "IllegalAddress", true
		if !g.options.HostLogs {
			l.History, l.Operations = nil, 0
		}
	}
	return l, err
}

// trapping runs a campaign that traps; again says what a launch in another
// process prints.
func trapping(t *testing.T, change func(f *launchFlags), again func(launch int) (string, error)) (c *campaign, out string, verdict model.Verdict, relaunched int) {
	t.Helper()
	var printed bytes.Buffer
	f := &launchFlags{Options: gpu.Defaults(), repeat: 5, check: true, seed: 40, capture: "raw", out: "never-written.jsonl"}
	f.Spec.Structure = "tz"
	change(f)
	c = &campaign{con: &console.Console{Out: &printed, Err: &printed}, flags: f, calibration: &gpu.Calibration{}, kinds: map[string]int{}, meta: map[string]any{}, begin: time.Now()}
	c.relaunch = func(_ context.Context, seed uint64) (string, error) {
		assert.EqualValues(t, 41, seed)
		relaunched++
		return again(relaunched)
	}
	launches := 0
	require.NoError(t, c.run(context.Background(), &trappingGPU{fakeGPU{options: f.Options, launches: &launches, bad: func(gpu.Options) bool { return false }}}))
	assert.Equal(t, 2, launches, "nothing is launched after a trap")
	if !f.HostLogs {
		var err error
		verdict, err = c.finish()
		require.NoError(t, err)
		assert.NoFileExists(t, f.out, "the other process writes the history")
	}
	return c, printed.String(), verdict, relaunched
}

func TestATrapIsLaunchedAgainToKeepItsLog(t *testing.T) {
	c, out, verdict, n := trapping(t, func(*launchFlags) {}, func(launch int) (string, error) {
		if launch < 2 {
			return "tz: 1 launches\n  linearizable: 64 objects\n", nil
		}
		return "tz: 1 launches\n  trap: IllegalAddress; 2 operations were recorded until then\n", nil
	})
	assert.Equal(t, 2, n)
	assert.Contains(t, out, "  trap: IllegalAddress; its log is lost; launched again with --seed 41 --logs host --announce:\n"+
		"    tz: 1 launches\n      trap: IllegalAddress; 2 operations were recorded until then\n")
	assert.Equal(t, model.Violation, verdict)
	assert.Equal(t, 64, c.judged, "what had been launched before was judged")
}

func TestATrapThatDoesNotComeBack(t *testing.T) {
	_, out, verdict, n := trapping(t, func(*launchFlags) {}, func(int) (string, error) { return "tz: 1 launches\n", nil })
	assert.Equal(t, trapLaunches, n)
	assert.Contains(t, out, "trap: IllegalAddress; its log is lost, and it did not trap in 3 further launches with --seed 41 --logs host --announce\n")
	assert.Equal(t, model.Violation, verdict)
}

func TestATrapThatTakesTheDeviceAlong(t *testing.T) {
	_, out, verdict, _ := trapping(t, func(*launchFlags) {}, func(int) (string, error) { return "", errors.New("no device") })
	assert.Contains(t, out, "its log is lost, and launching it again failed: no device\n")
	assert.Equal(t, model.Violation, verdict)
}

func TestLogsOfTheHostOutliveATrap(t *testing.T) {
	c, _, _, n := trapping(t, func(f *launchFlags) { f.HostLogs = true }, func(int) (string, error) { return "", nil })
	assert.Zero(t, n)
	assert.Equal(t, "IllegalAddress; 2 operations were recorded until then", c.trap)
	assert.Len(t, c.kept.Ops, 2)
	assert.Equal(t, 64, c.judged, "the launch that trapped is not judged")
}

func TestATrapEndsATable(t *testing.T) {
	table, _ := testTable(t, func(gpu.Options) bool { return false }, "list")
	table.flags.seed = 41
	launches := 0
	table.open = func(o gpu.Options) (launcher, error) {
		return &trappingGPU{fakeGPU{options: o, launches: &launches, bad: func(gpu.Options) bool { return false }}}, nil
	}
	table.cells, table.lost = nil, ""
	require.NoError(t, table.fill(context.Background()))
	assert.Equal(t, "not observed in 0; trap: IllegalAddress", table.cells[0][0][0].String())
	assert.Equal(t, "not run: a kernel before this one has trapped, and with it all CUDA of this process", table.cells[0][0][1].String())
	assert.Equal(t, model.Undecided, table.verdict())
}
