package main

import (
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/cmd/stealproof/internal/commandtest"
	"stealproof/cmd/stealproof/internal/exit"
)

// watched collects what is written, and says when something was.
type watched struct {
	mu   sync.Mutex
	text strings.Builder
	when string
	seen chan struct{}
}

func (w *watched) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.text.Write(p)
	if w.when != "" && strings.Contains(w.text.String(), w.when) {
		w.when = ""
		close(w.seen)
	}
	return len(p), nil
}

// signalled runs the program with a terminal for its messages, sends a signal once
// it has printed, or shown of its progress, what is to be waited for, and returns
// what came out.
func signalled(t *testing.T, by syscall.Signal, printed, shown string, args ...string) commandtest.Outcome {
	t.Helper()
	folder, environment := program(t)
	outer, inner := terminal(t)
	ready := make(chan struct{})
	out, errs := &watched{when: printed, seen: ready}, &watched{when: shown, seen: ready}
	cmd := exec.Command(filepath.Join(folder, "stealproof"), args...)
	cmd.Env, cmd.Stdout, cmd.Stderr = environment, out, inner
	if signal.Ignored(by) { // as under nohup; the program would ignore it too
		heard := make(chan os.Signal, 1)
		signal.Notify(heard, by)
		t.Cleanup(func() { signal.Stop(heard) })
	}
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { cmd.Process.Kill() })
	inner.Close()
	var all sync.WaitGroup
	all.Go(func() { io.Copy(errs, outer) }) // which ends with an error when nobody has the terminal open
	ended := make(chan struct{})
	go func() { cmd.Wait(); close(ended) }()
	select {
	case <-ready:
		require.NoError(t, cmd.Process.Signal(by))
		<-ended
	case <-ended:
	}
	all.Wait()
	return commandtest.Outcome{Code: cmd.ProcessState.ExitCode(), Out: out.text.String(), Err: errs.text.String()}
}

// What would go on for long, or for ever, ends with Ctrl-C, and what was finished
// is on the screen.
func TestCtrlC(t *testing.T) {
	for _, test := range []struct{ name, shown, args, want string }{
		{"explore", "executions: ", "explore abp --for 24h", `^abp on simulated memory, strategy mix: undecided after [1-9][0-9]* executions, [0-9]+ operations, in `},
		{"explore on real atomics", "executions: ", "explore abp --memory native --for 24h", `^abp on real atomics: undecided after [1-9]`},
		{"explore for fences", "choices of orders tried", "explore tz --memory ptx --fences", `^tz on memory ptx: undecided: stopped after \S+, [0-9]+ choices? tried and none found that suffices\n$`},
		{"verify", "", "verify --quick", `\nabp +simulated +mix +[0-9]+ +linearizable `},
	} {
		t.Run(test.name, func(t *testing.T) {
			printed := ""
			if test.shown == "" {
				printed = "linearizable" // the first row of the table
			}
			o := signalled(t, syscall.SIGINT, printed, test.shown, strings.Fields(test.args)...)
			assert.Equal(t, exit.Interrupted, o.Code)
			assert.Regexp(t, test.want, o.Out)
			assert.NotContains(t, o.Out, "\nverify: ", "nothing is claimed about the whole")
			assert.Contains(t, o.Err, "stealproof: interrupted\r\n")
		})
	}
}

// A batch system that ends a run, or a terminal that is closed, loses nothing: the
// checkpoint goes on.
func TestSignalsLeaveACheckpoint(t *testing.T) {
	for by, message := range map[syscall.Signal]string{syscall.SIGINT: "interrupted", syscall.SIGTERM: "ended by SIGTERM", syscall.SIGHUP: "ended by SIGHUP"} {
		t.Run(message, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "left.txt")
			o := signalled(t, by, "", "executions: ", "explore", "tz:capacity=4", "--exhaustive", "--processes", "3+2+1", "--yes", "--checkpoint", file)
			assert.Equal(t, 128+int(by), o.Code)
			assert.Contains(t, o.Err, "stealproof: "+message+"\r\n")
			assert.Contains(t, o.Out, "What is left was written down.")
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			assert.Regexp(t, `^stealproof-checkpoint 3\nstructure tz:capacity=4\n`, string(text))
			assert.Regexp(t, `\nend [0-9a-f]{8}\n$`, string(text))
		})
	}
}
