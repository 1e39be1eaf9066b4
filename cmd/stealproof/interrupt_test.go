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
func interrupted(t *testing.T, program string, ready func(out string) bool, args ...string) (outcomeOfRun, time.Duration) {
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
	return outcomeOfRun{cmd.ProcessState.ExitCode(), out.String(), errs.String()}, time.Since(start)
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
		assert.Equal(t, exitInterrupted, o.code)
		assert.Less(t, took, soon)
		assert.Regexp(t, `^abp on simulated memory, strategy mix: undecided after [1-9][0-9]* executions, [0-9]+ operations, in `, o.out)
		assert.Equal(t, "stealproof: interrupted\n", o.err)
	})
	t.Run("explore on real atomics", func(t *testing.T) {
		o, took := interrupted(t, program, after(500*time.Millisecond), "explore", "abp", "--memory", "native", "--for", "60s")
		assert.Equal(t, exitInterrupted, o.code)
		assert.Less(t, took, soon)
		assert.Regexp(t, `^abp on real atomics: undecided after [1-9]`, o.out)
	})
	t.Run("explore for fences", func(t *testing.T) {
		o, took := interrupted(t, program, after(500*time.Millisecond), "explore", "tz", "--memory", "ptx", "--fences")
		assert.Equal(t, exitInterrupted, o.code)
		assert.Less(t, took, soon)
		assert.Regexp(t, `^tz on memory ptx: undecided: stopped after \S+, [0-9]+ choices? tried and none found that suffices\n$`, o.out)
		assert.Equal(t, "stealproof: interrupted\n", o.err)
	})
	t.Run("verify", func(t *testing.T) {
		firstRow := func(out string) bool { return strings.Count(out, "\n") >= 2 }
		o, took := interrupted(t, program, firstRow, "verify")
		assert.Equal(t, exitInterrupted, o.code)
		assert.Less(t, took, soon)
		assert.Regexp(t, `\nabp +simulated +mix +[0-9]+ +linearizable `, o.out, "what was finished stays on the screen")
		assert.NotContains(t, o.out, "\nverify: ", "and nothing is claimed about the whole")
		assert.Equal(t, "stealproof: interrupted\n", o.err)
	})
	t.Run("replay", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "long.case")
		text := strings.Replace(smallCase, "0: push pop", "0: [push pop]*100000", 1)
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		o, took := interrupted(t, program, after(100*time.Millisecond), "replay", file)
		assert.Equal(t, exitInterrupted, o.code)
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
