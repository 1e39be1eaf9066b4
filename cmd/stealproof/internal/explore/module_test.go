package explore_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"stealproof/cmd/stealproof/internal/commandtest"
	"stealproof/cmd/stealproof/internal/exit"
)

// examples are the modules of docs/vendor.md.
const examples = "../../../../gpu/examples/"

func TestExploreModules(t *testing.T) {
	for _, args := range []string{
		"ticket.ptx --model fifo --runs 200",
		"ticket.ptx --model fifo --exhaustive --processes 2x1",
		"ticket.ptx --model fifo --exhaustive --processes 2x1 --memory ptx",
		"../ptx/abp.ptx --model wsdeque --numbers 2,16,128 --capacity 2 --runs 200",
	} {
		o := commandtest.Run(t, strings.Fields("explore "+examples+args)...)
		assert.Equal(t, exit.Holds, o.Code, "%s: %s%s", args, o.Out, o.Err)
		assert.Contains(t, o.Out, "-ptx", args)
		assert.Contains(t, o.Out, "linearizable", args)
	}
}

// The ring that trusts its turn is found, shrunk, saved and replayed.
func TestModulesThatFail(t *testing.T) {
	module := examples + "ticket-trusts-turn.ptx"
	saved := filepath.Join(t.TempDir(), "turn.case")
	o := commandtest.Run(t, "explore", module, "--model", "fifo", "--save", saved)
	assert.Equal(t, exit.Violation, o.Code, o.Err)
	assert.Contains(t, o.Out, "violation (false-empty)")
	assert.Contains(t, o.Out, "to 3 operations of 2 processes")
	assert.Contains(t, o.Out, "stealproof replay --module "+module+" "+saved)
	o = commandtest.Run(t, "replay", "--module", module, saved)
	assert.Equal(t, exit.Violation, o.Code, o.Err)
	assert.Contains(t, o.Out, "store +264: never written -> 1")
	assert.Contains(t, o.Out, "<== fatal")
	o = commandtest.Run(t, "replay", saved)
	assert.Equal(t, exit.Usage, o.Code)
}

func TestModulesThatAreRefused(t *testing.T) {
	for args, message := range map[string]string{
		"ticket.ptx":                                          "say with --model what it is: wsdeque, fifo, range or bag",
		"ticket.ptx --model queue":                            "--model: ",
		"ticket.ptx --model bag":                              "this module is of model fifo, not of bag",
		"ticket.ptx --model fifo --fences":                    "--fences is not there for modules yet",
		"ticket.ptx --model fifo --numbers 1,two":             "--numbers 1,two: expected numbers with commas between them",
		"ticket.ptx --model fifo --numbers 1,2,3,4,5,6,7,8,9": "expected at most 8",
		"nowhere.ptx --model fifo":                            "no such file or directory",
		"../ptx/clock.ptx --model fifo":                       "this module has no word stealproof_abi",
	} {
		o := commandtest.Run(t, strings.Fields("explore "+examples+args)...)
		assert.Equal(t, exit.Usage, o.Code, args)
		assert.Contains(t, o.Err, message, args)
	}
	commandtest.Run(t, "explore", "abp", "--model", "fifo").RequireRefused(t, "--model is for modules, as in queue.ptx: abp says it itself")
}
