package explore_test

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/cmd/stealproof/internal/commandtest"
	"stealproof/cmd/stealproof/internal/exit"
)

func exhaustively(t testing.TB, args string, more ...string) commandtest.Outcome {
	t.Helper()
	return commandtest.Run(t, append(append([]string{"explore", "--exhaustive"}, strings.Fields(args)...), more...)...)
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
		assert.Equal(t, exit.Holds, o.Code, args)
		assert.Contains(t, o.Out, want)
		assert.Empty(t, o.Err)
	}
	o := exhaustively(t, "abp", "--program", "0: push pop\n1: steal")
	assert.Contains(t, o.Out, "abp: the program, all executions: linearizable (7 executions, ")
}

func TestExhaustiveFindsTheSmallest(t *testing.T) {
	t.Chdir(t.TempDir())
	o := exhaustively(t, "abp:width=1 --owner 5 --thieves 1x1 --save found.case")
	assert.Equal(t, exit.Violation, o.Code)
	assert.Contains(t, o.Out, "abp:width=1: violation, in a program of 5 operations: no program with fewer has one (")
	assert.Contains(t, o.Out, "0: push pop push pop\n1: steal\n")
	assert.Equal(t, exit.Violation, commandtest.Run(t, "replay", "found.case").Code)
	again := exhaustively(t, "abp:width=1 --owner 5 --thieves 1x1 --jobs 1 --save found.case")
	assert.Equal(t, commandtest.Timeless(again.Out), commandtest.Timeless(o.Out))
}

// What a limit leaves is written down, and gone on with by the same command.
func TestExhaustiveCheckpoints(t *testing.T) {
	t.Chdir(t.TempDir())
	whole := commandtest.Timeless(exhaustively(t, "abp --owner 3 --thieves 1x2").Out)
	o := exhaustively(t, "abp --owner 3 --thieves 1x2 --runs 3 --checkpoint left.txt")
	assert.Equal(t, exit.Undecided, o.Code)
	assert.Contains(t, o.Out, "To go on: the same command with --resume left.txt\n")
	o = exhaustively(t, "abp --owner 3 --thieves 1x2 --runs 3 --resume left.txt")
	assert.Equal(t, exit.Undecided, o.Code, "the file is written again")
	o = exhaustively(t, "abp --owner 3 --thieves 1x2 --resume left.txt")
	assert.Equal(t, exit.Holds, o.Code)
	assert.Equal(t, whole, commandtest.Timeless(o.Out), "and the sums are those of one search")

	exhaustively(t, "abp --owner 3 --thieves 1x2 --resume nothing.txt").RequireRefused(t, "nothing.txt: no such file or directory")
	exhaustively(t, "abp:width=2 --owner 3 --thieves 1x2 --resume left.txt").RequireRefused(t, "structure abp:width=2: the checkpoint is of another search: its structure is abp, not abp:width=2")
	require.NoError(t, os.WriteFile("wrong.txt", []byte("stealproof-checkpoint 3\nstructure abp\n"), 0o644))
	exhaustively(t, "abp --resume wrong.txt").RequireRefused(t, "wrong.txt: line 3: the checkpoint ends too early: was it written to its end?")
}

// On the weak memory as well.
func TestExhaustiveCheckpointsOfTheWeakMemory(t *testing.T) {
	t.Chdir(t.TempDir())
	whole := commandtest.Timeless(exhaustively(t, "abp --memory ptx --owner 3 --thieves 1x2").Out)
	o := exhaustively(t, "abp --memory ptx --owner 3 --thieves 1x2 --runs 3 --checkpoint left.txt")
	assert.Equal(t, exit.Undecided, o.Code)
	assert.Contains(t, o.Out, "To go on: the same command with --resume left.txt\n")
	o = exhaustively(t, "abp --memory ptx --owner 3 --thieves 1x2 --resume left.txt")
	assert.Equal(t, exit.Holds, o.Code)
	assert.Equal(t, whole, commandtest.Timeless(o.Out), "the sums are those of one search")
	exhaustively(t, "abp --owner 3 --thieves 1x2 --resume left.txt").RequireRefused(t, "structure abp: the checkpoint is of another search: its memory is ptx, not sc")
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
	assert.Regexp(t, `^stealproof-checkpoint 3\n`, string(first))
	o := exhaustively(t, stop+" --resume link")
	assert.Contains(t, o.Out, "To go on: the same command with --resume link\n")
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
	assert.Contains(t, o.Out, "What is left was written to "+pipe+". To go on")
	piped, err := io.ReadAll(r)
	require.NoError(t, err)
	assert.Equal(t, string(first), string(piped))

	r, w, err = os.Pipe()
	require.NoError(t, err)
	defer r.Close()
	go func() { w.Write(first); w.Close() }()
	o = exhaustively(t, stop+fmt.Sprintf(" --resume /dev/fd/%d", r.Fd()))
	assert.Contains(t, o.Out, "With --checkpoint FILE it could be gone on with.\n", "what was read from a pipe cannot be written back there")
}

// A search that would take hours is announced, and not begun unasked.
func TestExhaustiveAnnouncesLongSearches(t *testing.T) {
	if testing.Short() {
		t.Skip("estimates a second long")
	}
	o := exhaustively(t, "abp", "--program", "0: [push push pop]*4\n1: [steal]*6\n2: [steal]*6")
	assert.Equal(t, exit.Undecided, o.Code)
	assert.Empty(t, o.Out)
	assert.Regexp(t, `^stealproof: about [0-9]·10[⁰¹²³⁴⁵⁶⁷⁸⁹]+ executions, some [0-9]+ (s|min|h|days|years): --yes to go on \(`, o.Err)
}

// Undecided says which limit was met.
func TestExhaustiveSaysThatRunsWereTooFew(t *testing.T) {
	o := commandtest.Run(t, "explore", "abp", "--exhaustive", "--owner", "3", "--thieves", "1x2", "--runs", "2")
	assert.Equal(t, exit.Undecided, o.Code, o.Err)
	assert.Contains(t, o.Out, "\nWhat was executed holds. The rest was not reached: --runs 2, which limits each program, was met, or the search was interrupted.\n")
}

// Who cannot wait for the list of programs is not told that none of them was reached.
func TestExhaustiveInterruptedBeforeItBegins(t *testing.T) {
	o := commandtest.Cancelled(t, "explore", "abp", "--exhaustive", "--owner", "3", "--thieves", "1x2")
	assert.Equal(t, commandtest.Outcome{Code: exit.Interrupted, Err: "stealproof: interrupted\n"}, o)
}

func TestExhaustiveFlags(t *testing.T) {
	commandtest.Run(t, "explore", "abp", "--yes").RequireRefused(t, "--yes goes with --exhaustive only")
	exhaustively(t, "abp --size 0").RequireRefused(t, "--size 0: expected 1 to 100 indices")
	exhaustively(t, "abp --phases 0").RequireRefused(t, "--phases 0: expected 1 to 10")
	exhaustively(t, "abp --seed 3").RequireRefused(t, "--seed does not apply to --exhaustive: it makes every execution on the simulated memory")
	exhaustively(t, "abp --owner 20").RequireRefused(t, "--exhaustive: the shape 20+3+2 has more than 65536 programs")
	exhaustively(t, "abp", "--program", "0: [push]*65").RequireRefused(t, "the program has 65 operations: an exhaustive search takes at most 64")
}

// All clients of so many calls are in place of a size.
func TestAllClients(t *testing.T) {
	for memory, executions := range map[string]string{"sc": "35 executions", "ptx": "35 execution graphs"} {
		o := exhaustively(t, "abp --clients 3 --memory "+memory)
		assert.Equal(t, exit.Holds, o.Code)
		assert.Contains(t, o.Out, ": all clients of at most 3 calls, all executions: linearizable ("+executions)
	}
	o := exhaustively(t, "abp:variant=book --clients 4 --memory ptx")
	assert.Equal(t, exit.Violation, o.Code)
	assert.Contains(t, o.Out, ": violation, in a client of 2 calls: no client with fewer has one (")

	o = exhaustively(t, "abp --clients 2 --memory ptx:place=system")
	assert.Equal(t, exit.Violation, o.Code)

	exhaustively(t, "abp --clients 0").RequireRefused(t, "--clients 0: expected 1 to 12 calls")
	exhaustively(t, "abp --clients 3 --owner 2").RequireRefused(t, "--owner does not apply to --clients: these are all there are of so many calls")
	exhaustively(t, "static --clients 3").RequireRefused(t, "--clients: a bag's phases order everything already")
	commandtest.Run(t, "explore", "abp", "--clients", "3").RequireRefused(t, "--clients goes with --exhaustive only")
}

// A program may order its operations by signals; the case remembers them, and replays.
func TestProgramsWithSignals(t *testing.T) {
	t.Chdir(t.TempDir())
	o := exhaustively(t, "abp:variant=book --memory ptx --save found.case", "--program", "0: push signal:a\n1: wait:a.relaxed.sys steal")
	assert.Equal(t, exit.Violation, o.Code)
	assert.Equal(t, exit.Violation, commandtest.Run(t, "replay", "found.case").Code)
	o = exhaustively(t, "abp:variant=book --memory ptx", "--program", "0: push signal:a\n1: wait:a steal")
	assert.Equal(t, exit.Holds, o.Code)
	exhaustively(t, "abp", "--program", "0: wait:a push\n1: wait:a signal:a").RequireRefused(t,
		"structure abp: the program cannot be executed to its end, whatever the object does: process 0 waits for signal a, which process 1 has not given, process 1 waits for signal a, which process 1 has not given")
}
