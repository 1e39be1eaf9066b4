// Package commandtest runs the program in the process of a test.
package commandtest

import (
	"bytes"
	"compress/gzip"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/cmd/stealproof/internal/command"
	"stealproof/cmd/stealproof/internal/exit"
)

// Outcome is what a user sees of the program.
type Outcome struct {
	Code     int
	Out, Err string
}

// Run runs the program with nothing on its input.
func Run(t testing.TB, args ...string) Outcome {
	t.Helper()
	return Reading(t, "", args...)
}

// Reading runs the program with this on its input.
func Reading(t testing.TB, in string, args ...string) Outcome {
	t.Helper()
	return run(t.Context(), in, args)
}

// Cancelled runs the program with a context that is over already, as after Ctrl-C.
func Cancelled(t testing.TB, args ...string) Outcome {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return run(ctx, "", args)
}

func run(ctx context.Context, in string, args []string) Outcome {
	var out, errs bytes.Buffer
	code := command.Run(ctx, args, strings.NewReader(in), &out, &errs)
	return Outcome{code, out.String(), errs.String()}
}

// RequireRefused asks for exit code 2 and one line on standard error.
func (o Outcome) RequireRefused(t testing.TB, message string) {
	t.Helper()
	assert.Equal(t, "stealproof: "+message+"\n", o.Err)
	assert.Equal(t, exit.Usage, o.Code)
}

var durations = regexp.MustCompile(`[0-9.]+(µs|ms|ns|m?s)\b`)

// Large says whether tests are to do everything at full size, as "make large" has it.
func Large() bool { return os.Getenv("STEALPROOF_LARGE") != "" }

// Timeless replaces what differs from run to run.
func Timeless(s string) string { return durations.ReplaceAllString(s, "TIME") }

// InFolder changes to a new folder with these files.
func InFolder(t testing.TB, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
}

// Root is the folder of the repository, from one of the packages below this one's.
func Root(t testing.TB) string {
	t.Helper()
	folder, err := filepath.Abs(".")
	require.NoError(t, err)
	for {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return folder
		}
		above := filepath.Dir(folder)
		require.NotEqual(t, folder, above, "no go.mod above")
		folder = above
	}
}

// Page is the text of a page of docs/.
func Page(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(Root(t), "docs", name))
	require.NoError(t, err)
	return string(text)
}

// Zipped is the text, compressed.
func Zipped(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.String()
}

// Histories for tests: one that holds, one that violates, for the reason in
// Explanation, and one that is broken.
const (
	FIFOHeader = `{"format":"stealproof-history","version":1,"model":"fifo"}` + "\n"
	Holding    = FIFOHeader +
		`{"process":0,"op":"enq","result":"ok","value":17,"call":120,"return":131}` + "\n" +
		`{"process":1,"op":"deq","result":"ok","value":17,"call":125,"return":160}` + "\n"
	Violated = FIFOHeader +
		`{"object":3,"process":0,"op":"enq","result":"ok","value":17,"call":120,"return":131}` + "\n" +
		`{"object":3,"process":1,"op":"deq","result":"ok","value":17,"call":125,"return":160}` + "\n" +
		`{"object":3,"process":2,"op":"deq","result":"ok","value":17,"call":140,"return":171}` + "\n"
	Explanation = "value 17 left twice: process 1 dequeued it in [125,160], process 2 dequeued it in [140,171]; process 0 enqueued it once, in [120,131]"
	Broken      = FIFOHeader + `{"process":0,"op":"enq","result":"ok","call":120,"return":131}` + "\n"
)

// SmallCase is a saved case that holds.
const SmallCase = `stealproof-case 1
model: wsdeque
structure: abp
schedule: round-robin:seed=0,preemptions=0
verdict: linearizable
program:
0: push pop
1: steal
`

// BrokenCase is the shortest run by which a counter without bits hands a task out
// twice; small variations of it are what users get wrong.
const BrokenCase = `stealproof-case 1
note: a thief sleeps, and the task is taken meanwhile
model: wsdeque
structure: abp:width=0
schedule: choices:0*3,1*3,0*99
verdict: linearizable
program:
0: push pop
1: steal
`
