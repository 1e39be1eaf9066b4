package gpu

import (
	"context"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/cmd/stealproof/internal/console"
	"stealproof/cmd/stealproof/internal/report"
	"stealproof/cmd/stealproof/internal/report/reporttest"
	"stealproof/gpu"
	"stealproof/model"
)

// What is printed of launches on a device is a report by the schema: of a device that
// is made up.
func TestReportsOfLaunches(t *testing.T) {
	for _, foreign := range []bool{false, true} {
		reportsOfLaunches(t, foreign)
	}
}

func reportsOfLaunches(t *testing.T, foreign bool) {
	for _, bad := range []bool{false, true} {
		f := &launchFlags{Options: gpu.Defaults(), repeat: 2, check: true, checkTimeout: time.Minute, seed: 40, capture: "raw"}
		f.Spec.Structure = "tz"
		if foreign {
			f.Spec.Structure, f.module, f.Image, f.Kind = "", "ring.ptx", []byte("//"), model.WSDeque
		}
		con := &console.Console{Out: io.Discard, Err: io.Discard}
		c := &campaign{con: con, flags: f, calibration: &gpu.Calibration{}, kinds: map[string]int{}, meta: map[string]any{}, begin: time.Now()}
		require.NoError(t, c.run(context.Background(), &fakeGPU{options: f.Options, launches: new(int), bad: func(gpu.Options) bool { return bad }}))
		if bad {
			c.hang = "a process did not end"
		}
		verdict, err := c.finish()
		require.NoError(t, err)
		r := reporttest.Printed(t, &con.Report, "gpu run", verdict)
		assert.Equal(t, map[bool]string{false: "linearizable", true: "violation"}[bad], r["verdict"])
		assert.Len(t, r["findings"], map[bool]int{false: 0, true: 2}[bad])
		question := r["question"].(map[string]any)
		assert.Equal(t, map[bool]string{false: "fifo", true: "wsdeque"}[foreign], question["model"])
		if foreign {
			assert.Equal(t, "ring.ptx", question["module"])
		}
	}
}

func TestReportOfTheTable(t *testing.T) {
	if testing.Short() {
		t.Skip("fills a table")
	}
	table, _ := testTable(t, func(gpu.Options) bool { return true }, "blocking", "abp")
	var r report.Report
	table.note(&r)
	text := reporttest.Printed(t, &r, "gpu table", table.verdict())
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
	assert.Len(t, reporttest.Printed(t, &r, "gpu bench", model.Linearizable)["items"], len(modes))
}
