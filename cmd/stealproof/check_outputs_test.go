package main

import (
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Who forgets the name behind a flag must not lose a history for it.
func TestReportsInThePlaceOfOtherFiles(t *testing.T) {
	inFolder(t, map[string]string{"twice.jsonl": violated, "twice": violated, "other.jsonl": holding})
	require.NoError(t, os.Link("twice", "linked"))
	for args, want := range map[string]string{
		"--html other.jsonl twice.jsonl":              `--html other.jsonl: expected a file to write, and this is the name of a history`,
		"--junit new.sph twice.jsonl":                 `--junit new.sph: expected a file to write, and this is the name of a history`,
		"--porcupine-html twice other.jsonl twice":    `--porcupine-html twice: expected a file to write, and this one is to be checked`,
		"--junit linked twice":                        `--junit linked: expected a file to write, and this one is to be checked`,
		"--html - twice":                              `--html -: expected a file to write (/dev/stdout is standard output)`,
		"--html report --junit ./report twice":        `--html and --junit would both be written to ./report`,
		"--html report --porcupine-html report twice": `--html and --porcupine-html would both be written to report`,
	} {
		stealproof(t, append([]string{"check"}, strings.Fields(args)...)...).requireRefused(t, want)
	}
	for file, want := range map[string]string{"twice.jsonl": violated, "twice": violated, "other.jsonl": holding} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Equal(t, want, string(text), file)
	}
	assert.Equal(t, exitViolation, stealproof(t, "check", "--html", "/dev/null", "--junit", "/dev/null", "twice").code, "a device may be given twice")
}

// What is put in twice goes to the general search only if it may be asked and
// has something to decide.
func TestNotesOnValuesThatArePutInTwice(t *testing.T) {
	twice := fifoHeader + `{"process":0,"op":"enq","result":"ok","value":1,"call":0,"return":1}
{"process":1,"op":"enq","result":"ok","value":1,"call":0,"return":1}
`
	inFolder(t, map[string]string{"twice.jsonl": twice, "invented.jsonl": twice + `{"process":2,"op":"deq","result":"ok","value":2,"call":0,"return":1}
`})
	const note = "note: object 0: value 1 is put in more than once (1 such value)"
	assert.Contains(t, stealproof(t, "check", "twice.jsonl").out, note+": left to the general search\n")
	assert.Contains(t, stealproof(t, "check", "--checker", "monitor", "twice.jsonl").out, note+"\n")
	assert.Contains(t, stealproof(t, "check", "invented.jsonl").out, note+"\n")
}

// A limit beyond all that can be counted is none, and not a small one.
func TestMemoryLimitsThatAreHuge(t *testing.T) {
	assert.Equal(t, uint64(17592186044415<<20), mebibytes(17592186044415))
	assert.Equal(t, uint64(math.MaxUint64), mebibytes(17592186044416))
}
