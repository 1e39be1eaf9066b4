package histories_test

import (
	"compress/gzip"
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/cmd/stealproof/internal/command"
	"stealproof/cmd/stealproof/internal/commandtest"
	"stealproof/cmd/stealproof/internal/exit"
)

// In every combination of what can happen to files, 2 wins over 1, 1 over 3,
// and 3 over 0.
func TestExitCodesOfCheck(t *testing.T) {
	commandtest.InFolder(t, map[string]string{"0.jsonl": commandtest.Holding, "1.jsonl": commandtest.Violated, "2.jsonl": commandtest.Broken, "3.jsonl": commandtest.FIFOHeader})
	rank := map[byte]int{'0': 0, '3': 1, '1': 2, '2': 3}
	for _, first := range "0123" {
		for _, second := range "0123" {
			for _, third := range "0123" {
				files := []string{string(first) + ".jsonl", string(second) + ".jsonl", string(third) + ".jsonl"}
				want := byte(first)
				for _, f := range files {
					if rank[f[0]] > rank[want] {
						want = f[0]
					}
				}
				assert.Equal(t, int(want-'0'), commandtest.Run(t, append([]string{"check"}, files...)...).Code, files)
			}
		}
	}
}

func TestCheckGoesOnAfterABrokenFile(t *testing.T) {
	commandtest.InFolder(t, map[string]string{"good.jsonl": commandtest.Holding, "bad.jsonl": commandtest.Broken, "twice.jsonl": commandtest.Violated})
	o := commandtest.Run(t, "check", "good.jsonl", "bad.jsonl", "twice.jsonl")
	o.RequireRefused(t, `bad.jsonl:2: the field "value" is missing: enq ok needs it`)
	assert.Equal(t, `good.jsonl: linearizable: 2 operations on 1 object, by monitor, in TIME
twice.jsonl: violation (duplicate) on object 3: `+commandtest.Explanation+`
twice.jsonl: see lines 2, 3, 4
twice.jsonl: violation: 3 operations on 1 object, by direct, in TIME
`, commandtest.Timeless(o.Out))
}

// Whoever reads the exit code alone must not take for success what nobody was
// told, a violation included: the report may be what was asked for.
func TestReportsThatAreLost(t *testing.T) {
	commandtest.InFolder(t, map[string]string{"good.jsonl": commandtest.Holding, "twice.jsonl": commandtest.Violated})
	for _, args := range [][]string{{"check", "good.jsonl"}, {"check", "--json", "good.jsonl"}, {"check", "twice.jsonl"}, {"version"}, {"check", "--help"}, {"convert", "good.jsonl", "-"}} {
		var errs strings.Builder
		assert.Equal(t, exit.Usage, command.Run(t.Context(), args, strings.NewReader(""), fullDisk{}, &errs), args)
		assert.Equal(t, "stealproof: standard output: no space left on device\n", errs.String(), args)
	}
	var errs strings.Builder
	assert.Equal(t, exit.Holds, command.Run(t.Context(), []string{"check", "--quiet", "good.jsonl"}, strings.NewReader(""), fullDisk{}, &errs), "nothing was to be said")
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) {
	return 0, &fs.PathError{Op: "write", Path: "/dev/stdout", Err: errors.New("no space left on device")}
}

func TestCheckUndecided(t *testing.T) {
	commandtest.InFolder(t, map[string]string{"good.jsonl": commandtest.Holding, "none.jsonl": commandtest.FIFOHeader})
	o := commandtest.Run(t, "check", "--timeout", "1ns", "good.jsonl")
	assert.Equal(t, exit.Undecided, o.Code)
	assert.Contains(t, o.Out, "good.jsonl: undecided: the time limit of 1ns was met while it was read\n")

	o = commandtest.Run(t, "check", "none.jsonl")
	assert.Equal(t, exit.Undecided, o.Code, "nothing was run, and that is no success")
	assert.Contains(t, o.Out, "none.jsonl: note: the history has no operations: nothing was checked\n")
	assert.Contains(t, commandtest.Run(t, "check", "--quiet", "none.jsonl").Out, "not run", "nor is it passed over in silence")
	assert.Contains(t, commandtest.Run(t, "check", "--json", "none.jsonl").Out, `"verdict":"undecided"`)
}

func TestCheckInterrupted(t *testing.T) {
	commandtest.InFolder(t, map[string]string{"good.jsonl": commandtest.Holding})
	o := commandtest.Cancelled(t, "check", "good.jsonl")
	assert.Equal(t, exit.Interrupted, o.Code)
	assert.Equal(t, "stealproof: interrupted\n", o.Err)
	assert.NotContains(t, o.Out, "linearizable")
}

func TestCheckReadsStandardInput(t *testing.T) {
	assert.Equal(t, exit.Holds, commandtest.Reading(t, commandtest.Holding, "check", "-").Code)
	assert.Equal(t, exit.Violation, commandtest.Reading(t, commandtest.Violated, "check", "-").Code)
	commandtest.Reading(t, commandtest.Broken, "check", "-").RequireRefused(t, `standard input:2: the field "value" is missing: enq ok needs it`)
	commandtest.Run(t, "check", "-").RequireRefused(t, "standard input: the file is empty: expected a header line")
}

func TestCheckAsAnotherModel(t *testing.T) {
	commandtest.InFolder(t, map[string]string{
		"bag.jsonl": strings.ReplaceAll(strings.ReplaceAll(commandtest.Holding, `"enq"`, `"put"`), `"deq"`, `"take"`),
	})
	assert.Equal(t, exit.Holds, commandtest.Run(t, "check", "--model", "bag", "bag.jsonl").Code)
	commandtest.Run(t, "check", "bag.jsonl").RequireRefused(t, `bag.jsonl:2: unknown op "put": model fifo has enq, deq`)
}

func TestFilesThatCannotBeChecked(t *testing.T) {
	var many strings.Builder
	many.WriteString(commandtest.FIFOHeader)
	for range 400 {
		many.WriteString(`{"process":0,"op":"deq","result":"empty","call":1,"return":1}` + "\n")
	}
	whole := commandtest.Zipped(t, many.String())
	commandtest.InFolder(t, map[string]string{
		"empty.jsonl":      "",
		"empty.jsonl.gz":   "",
		"cut.jsonl.gz":     whole[:len(whole)-9],
		"damaged.jsonl.gz": "not a gzip file",
		"cut.jsonl":        commandtest.Holding[:len(commandtest.Holding)-20],
		"binary.jsonl":     "\x00\x01\x02",
		"later.jsonl":      strings.Replace(commandtest.Holding, `"version":1`, `"version":2`, 1),
		"endless.jsonl":    commandtest.FIFOHeader + strings.Repeat("x", 2<<20),
		"history.csv":      commandtest.Holding,
		"overlap.jsonl":    commandtest.Holding + `{"process":0,"op":"deq","result":"empty","call":130,"return":140}` + "\n",
		"before.jsonl":     commandtest.Holding + `{"process":5,"op":"deq","result":"empty","call":130,"return":129}` + "\n",
		"foreign.jsonl":    commandtest.Holding + `{"process":5,"op":"steal","result":"empty","call":130,"return":140}` + "\n",
		"wrong-type.jsonl": commandtest.Holding + `{"process":"five","op":"deq","result":"empty","call":130,"return":140}` + "\n",
	})
	require.NoError(t, os.Mkdir("folder.jsonl", 0o755))
	for file, want := range map[string]string{
		"missing.jsonl":    `missing.jsonl: no such file or directory`,
		"folder.jsonl":     `folder.jsonl: cannot be read: is a directory`,
		"empty.jsonl":      `empty.jsonl: the file is empty: expected a header line`,
		"empty.jsonl.gz":   `empty.jsonl.gz: the file is empty: expected a gzip file`,
		"damaged.jsonl.gz": `damaged.jsonl.gz: the compressed data is damaged: expected a gzip file`,
		"cut.jsonl":        `cut.jsonl:3: column `,
		"cut.jsonl.gz":     `cut.jsonl.gz:`,
		"binary.jsonl":     `binary.jsonl:1: header: column 1: expected a header in braces, found `,
		"later.jsonl":      `later.jsonl:1: header: version: expected 1, found 2`,
		"endless.jsonl":    `endless.jsonl:2: the line is longer than 1048576 bytes: expected one operation per line`,
		"history.csv":      `history.csv: unknown file ending: expected `,
		"overlap.jsonl":    `overlap.jsonl:4: process 0 calls deq at 130, before its enq in [120,131] returned: operations of a process must not overlap`,
		"before.jsonl":     `before.jsonl:4: return 129 is before call 130`,
		"foreign.jsonl":    `foreign.jsonl:4: unknown op "steal": model fifo has enq, deq`,
		"wrong-type.jsonl": `wrong-type.jsonl:4: process: expected a plain unsigned integer below 2^32, found "\"five\""`,
	} {
		t.Run(file, func(t *testing.T) {
			o := commandtest.Run(t, "check", file)
			assert.Equal(t, exit.Usage, o.Code)
			assert.Empty(t, o.Out)
			assert.Contains(t, o.Err, "stealproof: "+want)
			assert.Equal(t, 1, strings.Count(o.Err, "\n"), "one line: %s", o.Err)
			assert.Less(t, len(o.Err), 500)
		})
	}
}

func TestGzipThatInflatesWithoutEnd(t *testing.T) {
	t.Chdir(t.TempDir())
	f, err := os.Create("bomb.jsonl.gz")
	require.NoError(t, err)
	z := gzip.NewWriter(f)
	block := make([]byte, 1<<20)
	for range 64 {
		_, err := z.Write(block)
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	require.NoError(t, f.Close())
	commandtest.Run(t, "check", "bomb.jsonl.gz").RequireRefused(t, "bomb.jsonl.gz:1: the line is longer than 1048576 bytes: expected one operation per line")
}

// A name without an ending, as a shell gives to a pipe, is a stream of JSON
// Lines.
func TestPipesAreJSONLines(t *testing.T) {
	commandtest.InFolder(t, map[string]string{"fifo": commandtest.Holding})
	assert.Equal(t, exit.Holds, commandtest.Run(t, "check", "fifo").Code)
}
