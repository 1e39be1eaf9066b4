package explore_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"stealproof/cmd/stealproof/internal/commandtest"
	"stealproof/cmd/stealproof/internal/exit"
)

// The queue whose producers wait for a weak load is whole as its PTX has it, and broken as a
// compiler may make it: the wait never ends, or is left out. lint names the same line.
func TestLiberties(t *testing.T) {
	saved := filepath.Join(t.TempDir(), "once.case")
	const how = " --model fifo --memory ptx --exhaustive --processes 1+1+1"
	o := commandtest.Run(t, strings.Fields("explore "+examples+"relay.ptx"+how)...)
	assert.Equal(t, exit.Holds, o.Code, o.Out+o.Err)
	o = commandtest.Run(t, strings.Fields("explore "+examples+"relay.ptx"+how+" --liberties --save "+saved)...)
	assert.Equal(t, exit.Violation, o.Code, o.Err)
	for _, want := range []string{
		"\nwhat a compiler may make of it, 1 of 2:\nrelay-ptx:patch=push_wait.once on memory ptx: violation",
		"an endless loop: nothing changes in it, and it makes no access to shared memory",
		"\nwhat a compiler may make of it, 2 of 2:\nrelay-ptx:patch=push_wait.unawaited on memory ptx: violation",
		"violation (invented): a value came out that was never put in: deq ok 0",
	} {
		assert.Contains(t, o.Out, want)
	}
	o = commandtest.Run(t, strings.Fields("replay --module "+examples+"relay.ptx "+saved)...)
	assert.Equal(t, exit.Violation, o.Code, o.Err)
	o = commandtest.Run(t, "lint", examples+"relay.ptx")
	assert.Contains(t, o.Out, "push_wait (")
	assert.Contains(t, o.Out, ": wait: ")

	o = commandtest.Run(t, strings.Fields("explore "+examples+"relay-relaxed.ptx"+how+" --liberties")...)
	assert.Equal(t, exit.Holds, o.Code, o.Out+o.Err)
	assert.Contains(t, o.Out, "nobody waits for a weak load in a loop that a compiler may change")
}

// By hand, and in random runs.
func TestLibertiesInRandomRuns(t *testing.T) {
	o := commandtest.Run(t, strings.Fields("explore "+examples+"relay.ptx --model fifo --memory ptx --runs 300 --processes 2x2 --patch push_wait.unawaited")...)
	assert.Equal(t, exit.Violation, o.Code, o.Out+o.Err)
	assert.Contains(t, o.Out, "violation (")
}

// An access that has a name and no line is in the file of the module at least.
func TestFindingsOfModulesHaveAFile(t *testing.T) {
	o := commandtest.Run(t, strings.Fields("explore "+examples+"relay.ptx --model fifo --memory ptx --exhaustive --processes 1+1 --patch push_wait.once --json")...)
	assert.Equal(t, exit.Violation, o.Code, o.Out+o.Err)
	assert.Contains(t, o.Out, `"file":"`+examples+`relay.ptx","site":"push_wait"`)
}

// What ends undecided does not offer a flag that would be refused.
func TestLibertiesOfferNoCheckpoint(t *testing.T) {
	o := commandtest.Run(t, strings.Fields("explore "+examples+"relay.ptx --model fifo --memory ptx --exhaustive --processes 1+1+1 --runs 1 --liberties")...)
	assert.Equal(t, exit.Undecided, o.Code, o.Out+o.Err)
	assert.Contains(t, o.Out, "--runs 1, which limits each program, was met")
	assert.NotContains(t, o.Out, "--checkpoint")
}

func TestLibertiesRefused(t *testing.T) {
	for args, want := range map[string]string{
		examples + "relay.ptx --model fifo --liberties":                                              "--liberties needs --memory ptx",
		examples + "relay.ptx --model fifo --memory rc11 --liberties":                                "--liberties needs --memory ptx",
		"abp --memory ptx --liberties":                                                               "--liberties: abp is no module",
		examples + "relay.ptx --model fifo --memory ptx --liberties --fences":                        "--fences does not apply to --liberties",
		examples + "relay.ptx --model fifo --memory ptx --exhaustive --liberties --checkpoint x.txt": "--checkpoint does not apply to --liberties",
	} {
		o := commandtest.Run(t, strings.Fields("explore "+args)...)
		assert.Equal(t, exit.Usage, o.Code, args)
		assert.Contains(t, o.Err, want, args)
	}
}
