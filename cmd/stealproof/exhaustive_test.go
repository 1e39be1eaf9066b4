package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func exhaustively(t testing.TB, args string, more ...string) outcomeOfRun {
	t.Helper()
	return stealproof(t, append(append([]string{"explore", "--exhaustive"}, strings.Fields(args)...), more...)...)
}

// The sentence that can be quoted says which programs, and that it was all of
// their executions.
func TestExhaustiveStatements(t *testing.T) {
	for args, want := range map[string]string{
		"abp --owner 3 --thieves 1x2":                "abp: all 42 programs of at most 3+2 operations, all executions: linearizable (",
		"tz:capacity=4 --processes 2x1":              "tz:capacity=4: all 5 programs of at most 1+1 operations, all executions: linearizable (",
		"the --owner 2 --thieves 1x1 --size 1":       "the: all 12 programs of at most 2+1 operations, each of at most 1 index, all executions: linearizable (",
		"list --processes 2x1":                       "list: all 20 programs of at most 1+1 operations, each of at most 2 indices, all executions: linearizable (",
		"static --processes 2x1 --phases 3":          "static: all 42 programs of at most 1+1 operations in 3 phases, all executions: linearizable (",
		"abp --owner 3 --thieves 1x1 --count":        " different histories, all judged)\n",
		"abp --owner 2 --thieves 1x1 --jobs 3 --yes": "all executions: linearizable (",
	} {
		o := exhaustively(t, args)
		assert.Equal(t, exitHolds, o.code, args)
		assert.Contains(t, o.out, want)
		assert.Empty(t, o.err)
	}
	o := exhaustively(t, "abp", "--program", "0: push pop\n1: steal")
	assert.Contains(t, o.out, "abp: the program, all executions: linearizable (7 executions, ")
}

func TestExhaustiveFindsTheSmallest(t *testing.T) {
	t.Chdir(t.TempDir())
	o := exhaustively(t, "abp:width=1 --owner 5 --thieves 1x1 --save found.case")
	assert.Equal(t, exitViolation, o.code)
	assert.Contains(t, o.out, "abp:width=1: violation, in a program of 5 operations: no program with fewer has one (")
	assert.Contains(t, o.out, "0: push pop push pop\n1: steal\n")
	assert.Equal(t, exitViolation, stealproof(t, "replay", "found.case").code)
	again := exhaustively(t, "abp:width=1 --owner 5 --thieves 1x1 --jobs 1 --save found.case")
	assert.Equal(t, timeless(again.out), timeless(o.out))
}

// What a limit leaves is written down, and gone on with by the same command.
func TestExhaustiveCheckpoints(t *testing.T) {
	t.Chdir(t.TempDir())
	whole := timeless(exhaustively(t, "abp --owner 3 --thieves 1x2").out)
	o := exhaustively(t, "abp --owner 3 --thieves 1x2 --runs 3 --checkpoint left.txt")
	assert.Equal(t, exitUndecided, o.code)
	assert.Contains(t, o.out, "To go on: the same command with --resume left.txt\n")
	o = exhaustively(t, "abp --owner 3 --thieves 1x2 --runs 3 --resume left.txt")
	assert.Equal(t, exitUndecided, o.code, "the file is written again")
	o = exhaustively(t, "abp --owner 3 --thieves 1x2 --resume left.txt")
	assert.Equal(t, exitHolds, o.code)
	assert.Equal(t, whole, timeless(o.out), "and the sums are those of one search")

	exhaustively(t, "abp --owner 3 --thieves 1x2 --resume nothing.txt").requireRefused(t, "nothing.txt: no such file or directory")
	exhaustively(t, "abp:width=2 --owner 3 --thieves 1x2 --resume left.txt").requireRefused(t, "structure abp:width=2: the checkpoint is of another search: its structure is abp, not abp:width=2")
	require.NoError(t, os.WriteFile("wrong.txt", []byte("stealproof-checkpoint 1\nstructure abp\n"), 0o644))
	exhaustively(t, "abp --resume wrong.txt").requireRefused(t, "wrong.txt: line 3: the checkpoint ends too early: was it written to its end?")
	o = exhaustively(t, "abp --owner 3 --thieves 1x2 --runs 20 --checkpoint no/such/folder")
	assert.Equal(t, exitUsage, o.code)
	assert.Equal(t, "stealproof: no/such/folder: no such file or directory\n", o.err)
}

// On the weak memory as well.
func TestExhaustiveCheckpointsOfTheWeakMemory(t *testing.T) {
	t.Chdir(t.TempDir())
	whole := timeless(exhaustively(t, "abp --memory ptx --owner 3 --thieves 1x2").out)
	o := exhaustively(t, "abp --memory ptx --owner 3 --thieves 1x2 --runs 3 --checkpoint left.txt")
	assert.Equal(t, exitUndecided, o.code)
	assert.Contains(t, o.out, "To go on: the same command with --resume left.txt\n")
	o = exhaustively(t, "abp --memory ptx --owner 3 --thieves 1x2 --resume left.txt")
	assert.Equal(t, exitHolds, o.code)
	assert.Equal(t, whole, timeless(o.out), "the sums are those of one search")
	exhaustively(t, "abp --owner 3 --thieves 1x2 --resume left.txt").requireRefused(t, "structure abp: the checkpoint is of another search: its memory is ptx, not sc")
}

// A checkpoint goes where its name leads. A file in the place of a link or a
// pipe would be lost to who looks there, and /dev/null to everybody.
func TestCheckpointsThroughLinksAndPipes(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Symlink("later.txt", "link"); err != nil {
		t.Skip("no links here: ", err)
	}
	stop := "abp --owner 3 --thieves 1x2 --runs 3"
	exhaustively(t, stop+" --checkpoint link")
	first, err := os.ReadFile("later.txt")
	require.NoError(t, err)
	assert.Regexp(t, `^stealproof-checkpoint 1\n`, string(first))
	o := exhaustively(t, stop+" --resume link")
	assert.Contains(t, o.out, "To go on: the same command with --resume link\n")
	second, err := os.ReadFile("later.txt")
	require.NoError(t, err)
	assert.NotEqual(t, first, second, "and so does the one that is written again")
	to, err := os.Readlink("link")
	require.NoError(t, err)
	assert.Equal(t, "later.txt", to)

	if _, err := os.Stat("/dev/fd"); err != nil {
		t.Skip("pipes have no names here")
	}
	r, w, err := os.Pipe()
	require.NoError(t, err)
	pipe := fmt.Sprintf("/dev/fd/%d", w.Fd())
	o = exhaustively(t, stop+" --checkpoint "+pipe)
	require.NoError(t, w.Close())
	assert.Contains(t, o.out, "What is left was written to "+pipe+". To go on")
	piped, err := io.ReadAll(r)
	require.NoError(t, err)
	assert.Equal(t, string(first), string(piped))

	r, w, err = os.Pipe()
	require.NoError(t, err)
	defer r.Close()
	go func() { w.Write(first); w.Close() }()
	o = exhaustively(t, stop+fmt.Sprintf(" --resume /dev/fd/%d", r.Fd()))
	assert.Contains(t, o.out, "With --checkpoint FILE it could be gone on with.\n", "what was read from a pipe cannot be written back there")
}

// A search that would take hours is announced, and not begun unasked.
func TestExhaustiveAnnouncesLongSearches(t *testing.T) {
	o := exhaustively(t, "tz:capacity=4", "--program", "0: enq deq enq deq\n1: enq deq enq deq\n2: enq deq enq")
	assert.Equal(t, exitUndecided, o.code)
	assert.Empty(t, o.out)
	assert.Regexp(t, `^stealproof: about [0-9]·10[⁰¹²³⁴⁵⁶⁷⁸⁹]+ executions, some [0-9]+ (s|min|h|days|years): --yes to go on \(`, o.err)
}

func TestExhaustiveFlags(t *testing.T) {
	stealproof(t, "explore", "abp", "--yes").requireRefused(t, "--yes goes with --exhaustive only")
	exhaustively(t, "abp --size 0").requireRefused(t, "--size 0: expected 1 to 100 indices")
	exhaustively(t, "abp --phases 0").requireRefused(t, "--phases 0: expected 1 to 10")
	exhaustively(t, "abp --seed 3").requireRefused(t, "--seed does not apply to --exhaustive: it makes every execution on the simulated memory")
	exhaustively(t, "abp --owner 20").requireRefused(t, "--exhaustive: the shape 20+3+2 has more than 65536 programs")
	exhaustively(t, "abp", "--program", "0: [push]*65").requireRefused(t, "the program has 65 operations: an exhaustive search takes at most 64")
}

// Ctrl-C leaves a checkpoint that goes on without loss.
func TestCtrlCLeavesACheckpoint(t *testing.T) {
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("builds the program")
	}
	file := filepath.Join(t.TempDir(), "left.txt")
	o, took := interrupted(t, build(t), after(time.Second), "explore", "tz:capacity=4", "--exhaustive", "--processes", "3+2+1", "--yes", "--checkpoint", file)
	assert.Equal(t, exitInterrupted, o.code)
	assert.Less(t, took, 2*time.Second)
	assert.Contains(t, o.out, "What is left was written down.")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Regexp(t, `^stealproof-checkpoint 1\nstructure tz:capacity=4\n`, string(text))
	assert.Regexp(t, `\nend [0-9a-f]{8}\n$`, string(text))
}
