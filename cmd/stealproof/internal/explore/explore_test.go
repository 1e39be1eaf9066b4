package explore_test

import (
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/cmd/stealproof/internal/command"
	"stealproof/cmd/stealproof/internal/commandtest"
	"stealproof/cmd/stealproof/internal/exit"
	"stealproof/fuzz/schedule"
	"stealproof/model"
	"stealproof/ref"
)

func TestExploreWhatHolds(t *testing.T) {
	for _, args := range []string{
		"abp --runs 100",
		"abp: --runs 1",
		"abp --runs 50 --jobs 1 --owner 1 --thieves 0x1",
		"abp --runs 50 --owner 3 --thieves 1x1",
		"abp --runs 10 --thieves 60x1",
		"tz --runs 50 --processes 1",
		"the --runs 50 --strategy pct:depth=2",
		"static --runs 50 --processes 1x1",
		"list --runs 50 --strategy round-robin",
		"blocking --runs 50 --strategy random",
		"abp --memory native --runs 50",
		"abp --runs 50 --seed 18446744073709551615",
		"abp --runs 1 --owner 10000 --thieves 64x1000",
	} {
		o := commandtest.Run(t, append([]string{"explore"}, strings.Fields(args)...)...)
		assert.Equal(t, exit.Holds, o.Code, "%s: %s%s", args, o.Out, o.Err)
		assert.Empty(t, o.Err, args)
		assert.Regexp(t, `: linearizable after [0-9]+ executions?, [0-9]+ operations, in `, o.Out, args)
	}
}

func TestExploreFindsSavesAndReplays(t *testing.T) {
	t.Chdir(t.TempDir())
	o := commandtest.Run(t, "explore", "abp:width=1", "--owner", "10", "--thieves", "2x2", "--save", "found.case", "--history", "found.jsonl")
	require.Equal(t, exit.Violation, o.Code, o.Err)
	assert.Empty(t, o.Err)
	for _, part := range []string{
		"abp:width=1 on simulated memory, strategy mix: violation after ", "\nviolation (duplicate): value ",
		"\nstealproof-case 1\nnote: found by mix:seed=", "stealproof replay found.case\n", "stealproof check found.jsonl\n",
	} {
		assert.Contains(t, o.Out, part)
	}
	text, err := os.ReadFile("found.case")
	require.NoError(t, err)
	assert.Contains(t, o.Out, string(text), "what is saved is what was shown")

	assert.Equal(t, exit.Violation, commandtest.Run(t, "replay", "found.case").Code)
	assert.Equal(t, exit.Violation, commandtest.Run(t, "check", "--quiet", "found.jsonl").Code)

	again := commandtest.Run(t, "explore", "abp:width=1", "--owner", "10", "--thieves", "2x2", "--jobs", "1")
	saved := func(out string) string { return out[strings.Index(out, "stealproof-case"):] }
	assert.Contains(t, o.Out, saved(again.Out), "the first failure does not depend on the number of workers")
}

func TestExploreSaysWhatNativeRunsCannot(t *testing.T) {
	t.Chdir(t.TempDir())
	o := commandtest.Run(t, "explore", "abp:width=0", "--memory", "native", "--for", "3s", "--save", "native.case", "--history", "native.jsonl")
	if o.Code == exit.Holds {
		t.Skip("this machine did not show the defect")
	}
	require.Equal(t, exit.Violation, o.Code, o.Err)
	assert.Contains(t, o.Out, "A native run cannot be repeated")
	assert.NotContains(t, o.Out, "stealproof replay")
	assert.Equal(t, exit.Violation, commandtest.Run(t, "check", "--quiet", "native.jsonl").Code)
	commandtest.Run(t, "replay", "native.case").RequireRefused(t, "native.case: the case has no schedule: it comes from a native run, which cannot be repeated")
}

func TestExploreAProgramOfOnesOwn(t *testing.T) {
	commandtest.InFolder(t, map[string]string{
		"good.program":  "# two processes\n0: push push pop\n1: steal\n",
		"wrong.program": "0: push\n\n1: enq\n",
		"empty.program": "",
	})
	for _, program := range []string{"0: push pop\n1: steal", "good.program"} {
		assert.Equal(t, exit.Holds, commandtest.Run(t, "explore", "abp", "--runs", "100", "--program", program).Code)
	}
	assert.Equal(t, exit.Holds, commandtest.Reading(t, "0: push\n1: steal", "explore", "abp", "--runs", "100", "--program", "-").Code)
	for program, want := range map[string]string{
		"0: push\n1: stea":        `--program: line 2: model wsdeque has no operation "stea": expected one of push, pop, steal`,
		"0: push\n1: pop":         `structure abp: process 1 calls pop on object 0, whose owner is process 0: only the owner may`,
		"0: [push]*":              `--program: line 1: expected a number below 2^63 at ""`,
		"push pop":                `--program: expected a program, as in "0: push pop", or its file: push pop: no such file or directory`,
		".":                       `--program: expected a program, as in "0: push pop", or its file: .: is a directory`,
		"wrong.program":           `wrong.program: line 3: model wsdeque has no operation "enq": expected one of push, pop, steal`,
		"empty.program":           `empty.program: the program has no process: expected lines like "0: push"`,
		"0: [[push]*99999]*99999": `--program: the program has more than 16777216 operations: at most that many are supported`,
	} {
		commandtest.Run(t, "explore", "abp", "--program", program).RequireRefused(t, want)
	}
}

func TestExploreCutsLongLines(t *testing.T) {
	t.Chdir(t.TempDir())
	o := commandtest.Run(t, "explore", "abp:width=0", "--owner", "5000", "--runs", "1000", "--no-shrink", "--save", "long.case")
	require.Equal(t, exit.Violation, o.Code, o.Err)
	assert.Contains(t, o.Out, " characters more, which --save keeps\n")
	assert.Less(t, len(o.Out), 5000)
	o = commandtest.Run(t, "replay", "long.case")
	assert.Equal(t, exit.Violation, o.Code, o.Err)
}

func TestExploreForAWhile(t *testing.T) {
	o := commandtest.Run(t, "explore", "abp", "--for", "100ms")
	assert.Equal(t, exit.Holds, o.Code, "it ran as long as it was asked to")
	assert.Regexp(t, `^abp on simulated memory, strategy mix: linearizable after [1-9][0-9]* executions, `, o.Out, "the word is that of the exit code")
	o = commandtest.Run(t, "explore", "abp", "--for", "1ns")
	assert.Equal(t, exit.Holds, o.Code)
	assert.Contains(t, o.Out, "linearizable after 1 execution, ", "however short the time is")
	assert.Equal(t, exit.Violation, commandtest.Run(t, "explore", "abp:width=1", "--owner", "10", "--thieves", "2x2", "--for", "1h", "--no-shrink").Code)
}

func TestExploreCutExecutionsAreUndecided(t *testing.T) {
	o := commandtest.Run(t, "explore", "abp", "--runs", "3", "--strategy", "choices:0*3,1*500", "--program", "0: push pop\n1: steal")
	assert.Equal(t, exit.Undecided, o.Code)
	assert.Contains(t, o.Out, ": undecided after 3 executions")
	assert.Contains(t, o.Out, "\n3 executions stayed undecided")
}

// What is to be saved has a place before anything is searched.
func TestFilesThatCannotBeWritten(t *testing.T) {
	commandtest.InFolder(t, map[string]string{"file": ""})
	for _, args := range []string{"abp:width=0 --save", "abp:width=0 --exhaustive --save", "abp:width=0 --exhaustive --checkpoint"} {
		o := commandtest.Run(t, append([]string{"explore"}, strings.Fields(args+" no/such/folder.case")...)...)
		o.RequireRefused(t, "no/such/folder.case: no such file or directory")
		assert.Empty(t, o.Out, args)
	}
	commandtest.Run(t, "explore", "abp", "--history", "no/such/folder.jsonl").RequireRefused(t, "no/such/folder.jsonl: no such file or directory")
	commandtest.Run(t, "explore", "abp", "--history", "history.csv").RequireRefused(t, "history.csv: unknown file ending: expected .jsonl, .jsonl.gz, .sph or .parquet")
	commandtest.Run(t, "explore", "abp", "--memory", "ptx", "--fences", "--save", "file/cases").RequireRefused(t, "file/cases: not a directory")
}

// A disk may be full nevertheless.
func TestExploreSaveThatIsLost(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("there is no disk that is always full")
	}
	o := commandtest.Run(t, "explore", "abp:width=0", "--save", "/dev/full")
	assert.Equal(t, exit.Usage, o.Code)
	assert.Equal(t, "stealproof: /dev/full: no space left on device\n", o.Err)
	assert.Contains(t, o.Out, "stealproof-case 1\n", "the case is on the screen nevertheless")
}

func TestListNamesEverything(t *testing.T) {
	o := commandtest.Run(t, "explore", "--list")
	assert.Equal(t, exit.Holds, o.Code)
	for _, d := range ref.Designs() {
		assert.Contains(t, o.Out, d.Name+" ("+d.Kind.String()+"): ")
		for _, s := range d.Settings {
			assert.Contains(t, o.Out, "\n  "+s.Name+"=")
			assert.NotEmpty(t, s.Doc, "%s of %s", s.Name, d.Name)
		}
		for _, df := range d.Defects {
			assert.Contains(t, o.Out, "\n      "+df.Name+" ")
			assert.NotEmpty(t, df.Doc, "%s of %s", df.Name, d.Name)
		}
	}
	for _, name := range schedule.Names() {
		assert.Regexp(t, regexp.MustCompile(`(?m)^  `+name+`\b`), o.Out)
	}
}

// What the help shows must work.
func TestExamplesOfTheHelpAreTrue(t *testing.T) {
	assert.Equal(t, exit.Violation, commandtest.Run(t, "explore", "tz:variant=original", "--processes", "2x3").Code)
	o := commandtest.Run(t, "explore", "abp", "--strategy", "directed:process=1,at=head#2,until=same", "--program", "0: push pop push pop\n1: steal", "--runs", "1")
	assert.Equal(t, exit.Holds, o.Code, o.Err)
	_, err := model.ParseProgram(model.WSDeque, "0: push push pop\n1: steal")
	assert.NoError(t, err)
}

// Who reads the output may go away before its end, as head does.
func TestFilesAreSavedBeforeTheCaseIsPrinted(t *testing.T) {
	commandtest.InFolder(t, nil)
	printed := false
	out := whenPrinted{"stealproof-case", func() {
		printed = true
		for _, name := range []string{"a.case", "a.jsonl", "a.html"} {
			assert.FileExists(t, name)
		}
	}}
	command.Run(t.Context(), []string{"explore", "abp:width=0", "--no-shrink", "--save", "a.case", "--history", "a.jsonl", "--html", "a.html"}, strings.NewReader(""), out, io.Discard)
	assert.True(t, printed)
}

// whenPrinted calls a function once a word is written.
type whenPrinted struct {
	word string
	call func()
}

func (w whenPrinted) Write(p []byte) (int, error) {
	if strings.Contains(string(p), w.word) {
		w.call()
	}
	return len(p), nil
}

// The history of an execution that ended with a fault may be in order, which nobody is
// to take for a verdict on the execution.
func TestHistoryOfAFaultIsSaidToBeLess(t *testing.T) {
	commandtest.InFolder(t, nil)
	r := commandtest.Run(t, "explore", "abp:variant=book", "--memory", "rc11", "--history", "a.jsonl")
	assert.Equal(t, exit.Violation, r.Code, r.Err)
	assert.Contains(t, r.Out, "\nHistory saved, up to where the execution ended: check judges what had returned by then, and not why it ended. To judge it again: stealproof check a.jsonl\n")
	assert.Contains(t, r.Out, "(step 5) and the access of step 2, one of which is not atomic")
	r = commandtest.Run(t, "explore", "abp:variant=book", "--memory", "tso", "--history", "a.jsonl")
	assert.Contains(t, r.Out, "\nHistory saved, with times that say less than the memory tso does, so that check may find nothing wrong. To judge")
}
