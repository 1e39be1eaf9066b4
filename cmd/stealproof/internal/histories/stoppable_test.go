package histories_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/cmd/stealproof/internal/command"
	"stealproof/cmd/stealproof/internal/commandtest"
	"stealproof/cmd/stealproof/internal/exit"
)

// stuckInput calls stop when it is read, and never comes back: a user who
// gives up waiting for somebody else's program.
type stuckInput struct {
	stop  context.CancelFunc
	never chan struct{}
}

func (s stuckInput) Read([]byte) (int, error) {
	s.stop()
	<-s.never
	return 0, io.EOF
}

func TestCtrlCWhileReading(t *testing.T) {
	commandtest.InFolder(t, map[string]string{"good.jsonl": commandtest.Holding})
	for _, args := range [][]string{
		{"check", "-"}, {"check", "--json", "--junit", "report.xml", "good.jsonl", "-", "good.jsonl"}, {"check", "--from", "sph", "-"},
		{"convert", "-", "out.jsonl"}, {"convert", "-", "out.sph"}, {"convert", "-", "-"}, {"convert", "--from", "jsonl.gz", "-", "out.parquet"},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		in := stuckInput{cancel, make(chan struct{})}
		var out, errs bytes.Buffer
		assert.Equal(t, exit.Interrupted, command.Run(ctx, args, in, &out, &errs), args)
		assert.Equal(t, "stealproof: interrupted\n", errs.String(), args)
		close(in.never)
	}
	files, err := os.ReadDir(".")
	require.NoError(t, err)
	var names []string
	for _, f := range files {
		names = append(names, f.Name())
	}
	assert.Equal(t, []string{"good.jsonl", "report.xml"}, names, "nothing half done is left behind")
	report, err := os.ReadFile("report.xml")
	require.NoError(t, err)
	assert.Contains(t, string(report), `tests="2" failures="0" errors="1"`, "what was finished, and what was not")
}
