package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// outcomeOfRun is what a user sees of the program.
type outcomeOfRun struct {
	code     int
	out, err string
}

// stealproof runs the program in this process, with nothing on its input.
func stealproof(t testing.TB, args ...string) outcomeOfRun {
	t.Helper()
	return stealproofReading(t, "", args...)
}

func stealproofReading(t testing.TB, in string, args ...string) outcomeOfRun {
	t.Helper()
	var out, errs bytes.Buffer
	code := run(t.Context(), args, strings.NewReader(in), &out, &errs)
	return outcomeOfRun{code, out.String(), errs.String()}
}

// stealproofCancelled runs it with a context that is over already, as after
// Ctrl-C.
func stealproofCancelled(t testing.TB, args ...string) outcomeOfRun {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errs bytes.Buffer
	code := run(ctx, args, strings.NewReader(""), &out, &errs)
	return outcomeOfRun{code, out.String(), errs.String()}
}

// requireRefused asks for exit code 2 and one line on standard error.
func (o outcomeOfRun) requireRefused(t testing.TB, message string) {
	t.Helper()
	assert.Equal(t, "stealproof: "+message+"\n", o.err)
	assert.Equal(t, exitUsage, o.code)
}

var durations = regexp.MustCompile(`[0-9.]+(µs|ms|ns|m?s)\b`)

// timeless replaces what differs from run to run.
func timeless(s string) string { return durations.ReplaceAllString(s, "TIME") }

// inFolder changes to a new folder with these files.
func inFolder(t testing.TB, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
}

func zipped(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.String()
}

// Histories for tests: one of each verdict.
const (
	fifoHeader = `{"format":"stealproof-history","version":1,"model":"fifo"}` + "\n"
	holding    = fifoHeader +
		`{"process":0,"op":"enq","result":"ok","value":17,"call":120,"return":131}` + "\n" +
		`{"process":1,"op":"deq","result":"ok","value":17,"call":125,"return":160}` + "\n"
	violated = fifoHeader +
		`{"object":3,"process":0,"op":"enq","result":"ok","value":17,"call":120,"return":131}` + "\n" +
		`{"object":3,"process":1,"op":"deq","result":"ok","value":17,"call":125,"return":160}` + "\n" +
		`{"object":3,"process":2,"op":"deq","result":"ok","value":17,"call":140,"return":171}` + "\n"
	explanation = "value 17 left twice: process 1 dequeued it in [125,160], process 2 dequeued it in [140,171]; process 0 enqueued it once, in [120,131]"
	broken      = fifoHeader + `{"process":0,"op":"enq","result":"ok","call":120,"return":131}` + "\n"
)
