package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/cmd/stealproof/internal/commandtest"
	"stealproof/cmd/stealproof/internal/exit"
)

// build makes the program, as users have it.
func build(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "stealproof")
	out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput()
	require.NoError(t, err, string(out))
	return path
}

// interrupted starts the program, sends Ctrl-C once ready says so, and returns
// what it printed and how long it took to end.
func interrupted(t *testing.T, program string, ready func(out string) bool, args ...string) (commandtest.Outcome, time.Duration) {
	t.Helper()
	var out, errs lockedBuffer
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	require.NoError(t, cmd.Start())
	defer cmd.Process.Kill()
	for deadline := time.Now().Add(30 * time.Second); !ready(out.String()); time.Sleep(10 * time.Millisecond) {
		require.True(t, time.Now().Before(deadline), "nothing to interrupt: %s%s", out.String(), errs.String())
	}
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	start := time.Now()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			require.NoError(t, err)
		}
	case <-time.After(20 * time.Second):
		require.Fail(t, "the program does not end")
	}
	return commandtest.Outcome{Code: cmd.ProcessState.ExitCode(), Out: out.String(), Err: errs.String()}, time.Since(start)
}

// after is ready when so much time has passed: for what prints nothing before.
func after(d time.Duration) func(string) bool {
	end := time.Now().Add(d)
	return func(string) bool { return time.Now().After(end) }
}

func TestCtrlC(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot send Ctrl-C to another one there")
	}
	if testing.Short() {
		t.Skip("builds the program")
	}
	program := build(t)
	const soon = 2 * time.Second

	t.Run("explore", func(t *testing.T) {
		o, took := interrupted(t, program, after(500*time.Millisecond), "explore", "abp", "--for", "60s")
		assert.Equal(t, exit.Interrupted, o.Code)
		assert.Less(t, took, soon)
		assert.Regexp(t, `^abp on simulated memory, strategy mix: undecided after [1-9][0-9]* executions, [0-9]+ operations, in `, o.Out)
		assert.Equal(t, "stealproof: interrupted\n", o.Err)
	})
	t.Run("explore on real atomics", func(t *testing.T) {
		o, took := interrupted(t, program, after(500*time.Millisecond), "explore", "abp", "--memory", "native", "--for", "60s")
		assert.Equal(t, exit.Interrupted, o.Code)
		assert.Less(t, took, soon)
		assert.Regexp(t, `^abp on real atomics: undecided after [1-9]`, o.Out)
	})
	t.Run("explore for fences", func(t *testing.T) {
		o, took := interrupted(t, program, after(500*time.Millisecond), "explore", "tz", "--memory", "ptx", "--fences")
		assert.Equal(t, exit.Interrupted, o.Code)
		assert.Less(t, took, soon)
		assert.Regexp(t, `^tz on memory ptx: undecided: stopped after \S+, [0-9]+ choices? tried and none found that suffices\n$`, o.Out)
		assert.Equal(t, "stealproof: interrupted\n", o.Err)
	})
	t.Run("verify", func(t *testing.T) {
		firstRow := func(out string) bool { return strings.Count(out, "\n") >= 2 }
		o, took := interrupted(t, program, firstRow, "verify")
		assert.Equal(t, exit.Interrupted, o.Code)
		assert.Less(t, took, soon)
		assert.Regexp(t, `\nabp +simulated +mix +[0-9]+ +linearizable `, o.Out, "what was finished stays on the screen")
		assert.NotContains(t, o.Out, "\nverify: ", "and nothing is claimed about the whole")
		assert.Equal(t, "stealproof: interrupted\n", o.Err)
	})
	t.Run("replay", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "long.case")
		text := strings.Replace(commandtest.SmallCase, "0: push pop", "0: [push pop]*100000", 1)
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		o, took := interrupted(t, program, after(100*time.Millisecond), "replay", file)
		assert.Equal(t, exit.Interrupted, o.Code)
		assert.Less(t, took, soon)
	})
}

// lockedBuffer is written by the program's pipes while the test looks on.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// Ctrl-C leaves a checkpoint that goes on without loss.
func TestCtrlCLeavesACheckpoint(t *testing.T) {
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("builds the program")
	}
	file := filepath.Join(t.TempDir(), "left.txt")
	o, took := interrupted(t, build(t), after(time.Second), "explore", "tz:capacity=4", "--exhaustive", "--processes", "3+2+1", "--yes", "--checkpoint", file)
	assert.Equal(t, exit.Interrupted, o.Code)
	assert.Less(t, took, 2*time.Second)
	assert.Contains(t, o.Out, "What is left was written down.")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Regexp(t, `^stealproof-checkpoint 1\nstructure tz:capacity=4\n`, string(text))
	assert.Regexp(t, `\nend [0-9a-f]{8}\n$`, string(text))
}
