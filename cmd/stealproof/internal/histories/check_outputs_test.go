package histories_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/cmd/stealproof/internal/commandtest"
	"stealproof/cmd/stealproof/internal/exit"
)

// Who forgets the name behind a flag must not lose a history for it.
func TestReportsInThePlaceOfOtherFiles(t *testing.T) {
	commandtest.InFolder(t, map[string]string{"twice.jsonl": commandtest.Violated, "twice": commandtest.Violated, "other.jsonl": commandtest.Holding})
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
		commandtest.Run(t, append([]string{"check"}, strings.Fields(args)...)...).RequireRefused(t, want)
	}
	for file, want := range map[string]string{"twice.jsonl": commandtest.Violated, "twice": commandtest.Violated, "other.jsonl": commandtest.Holding} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Equal(t, want, string(text), file)
	}
	assert.Equal(t, exit.Violation, commandtest.Run(t, "check", "--html", "/dev/null", "--junit", "/dev/null", "twice").Code, "a device may be given twice")
}

// What is put in twice goes to the general search only if it may be asked and
// has something to decide.
func TestNotesOnValuesThatArePutInTwice(t *testing.T) {
	twice := commandtest.FIFOHeader + `{"process":0,"op":"enq","result":"ok","value":1,"call":0,"return":1}
{"process":1,"op":"enq","result":"ok","value":1,"call":0,"return":1}
`
	commandtest.InFolder(t, map[string]string{"twice.jsonl": twice, "invented.jsonl": twice + `{"process":2,"op":"deq","result":"ok","value":2,"call":0,"return":1}
`})
	const note = "note: object 0: value 1 is put in more than once (1 such value)"
	assert.Contains(t, commandtest.Run(t, "check", "twice.jsonl").Out, note+": left to the general search\n")
	assert.Contains(t, commandtest.Run(t, "check", "--checker", "monitor", "twice.jsonl").Out, note+"\n")
	assert.Contains(t, commandtest.Run(t, "check", "invented.jsonl").Out, note+"\n")
}
