package gpu

import (
	"bytes"
	"context"
	"io"
	"testing"
	"time"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/cmd/stealproof/internal/console"
	"stealproof/cmd/stealproof/internal/exit"
	"stealproof/cmd/stealproof/internal/report"
	"stealproof/cmd/stealproof/internal/report/reporttest"
	"stealproof/gpu"
	"stealproof/model"
)

// printed is what a command with this report prints for machines.
func printed(t *testing.T, r *report.Report, command string, verdict model.Verdict) map[string]any {
	t.Helper()
	fl := pflag.NewFlagSet("", pflag.ContinueOnError)
	r.Flags(fl)
	require.NoError(t, fl.Parse([]string{"--json"}))
	r.Begin("test", []string{"gpu"})
	r.Command = command
	r.End(verdict, exit.CodeOf(verdict), nil)
	var out bytes.Buffer
	require.NoError(t, r.Write(&out, io.Discard))
	all := reporttest.Require(t, out.String())
	require.Len(t, all, 1)
	return all[0]
}

// What is printed of launches on a device is a report by the schema: of a device that
// is made up.
func TestReportsOfLaunches(t *testing.T) {
	for _, bad := range []bool{false, true} {
		f := &launchFlags{Options: gpu.Defaults(), repeat: 2, check: true, checkTimeout: time.Minute, seed: 40, capture: "raw"}
		f.Spec.Structure = "tz"
		con := &console.Console{Out: io.Discard, Err: io.Discard}
		c := &campaign{con: con, flags: f, calibration: &gpu.Calibration{}, kinds: map[string]int{}, meta: map[string]any{}, begin: time.Now()}
		require.NoError(t, c.run(context.Background(), &fakeGPU{options: f.Options, launches: new(int), bad: func(gpu.Options) bool { return bad }}))
		if bad {
			c.hang = "a process did not end"
		}
		verdict, err := c.finish()
		require.NoError(t, err)
		r := printed(t, &con.Report, "gpu run", verdict)
		assert.Equal(t, map[bool]string{false: "linearizable", true: "violation"}[bad], r["verdict"])
		assert.Len(t, r["findings"], map[bool]int{false: 0, true: 2}[bad])
	}
}

func TestReportOfTheTable(t *testing.T) {
	table, _ := testTable(t, func(gpu.Options) bool { return true }, "blocking", "abp")
	var r report.Report
	table.note(&r)
	text := printed(t, &r, "gpu table", table.verdict())
	assert.Equal(t, "violation", text["verdict"])
	assert.NotEmpty(t, text["findings"])
	assert.Greater(t, len(text["items"].([]any)), 20)
}

func TestReportOfTheBench(t *testing.T) {
	var r report.Report
	modes := benchModes()
	for _, m := range modes {
		m.times = []time.Duration{time.Millisecond, 2 * time.Millisecond}
	}
	noteBench(&r, &launchFlags{repeat: 2}, modes, 100)
	assert.Len(t, printed(t, &r, "gpu bench", model.Linearizable)["items"], len(modes))
}
