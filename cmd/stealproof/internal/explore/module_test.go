package explore_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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

// Real atomics run a module as well, and what the ring that trusts its turn does shows there.
func TestModulesOnRealAtomics(t *testing.T) {
	o := commandtest.Run(t, strings.Fields("explore "+examples+"ticket.ptx --model fifo --memory native --runs 500")...)
	assert.Equal(t, exit.Holds, o.Code, o.Out+o.Err)
	assert.Contains(t, o.Out, "ticket-ptx on real atomics: linearizable after 500 executions")
}

// What a limit leaves of the search of a module is gone on with, on both memories.
func TestCheckpointsOfModules(t *testing.T) {
	left := filepath.Join(t.TempDir(), "left.txt")
	for _, memory := range []string{"sc", "ptx"} {
		args := examples + "ticket.ptx --model fifo --processes 2x2 --memory " + memory
		whole := exhaustively(t, args)
		o := exhaustively(t, args+" --runs 3 --checkpoint "+left)
		assert.Equal(t, exit.Undecided, o.Code, o.Err)
		o = exhaustively(t, args+" --resume "+left)
		assert.Equal(t, exit.Holds, o.Code, o.Err)
		assert.Equal(t, commandtest.Timeless(whole.Out), commandtest.Timeless(o.Out), "the sums are those of one search")
	}
	other := exhaustively(t, examples+"ticket-trusts-turn.ptx --model fifo --processes 2x2 --memory ptx --resume "+left)
	assert.Equal(t, exit.Usage, other.Code)
	assert.Regexp(t, "of another search: its structure is ticket-ptx with the text [0-9a-f]{16}, not ticket-trusts-turn-ptx with the text [0-9a-f]{16}", other.Err)

	// the same name, but another text by now
	changed := filepath.Join(t.TempDir(), "ticket.ptx")
	text, err := os.ReadFile(examples + "ticket.ptx")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(changed, append(text, "\n// changed\n"...), 0o600))
	other = exhaustively(t, changed+" --model fifo --processes 2x2 --memory ptx --resume "+left)
	assert.Equal(t, exit.Usage, other.Code)
	assert.Regexp(t, "of another search: its structure is ticket-ptx with the text [0-9a-f]{16}, not ticket-ptx with the text [0-9a-f]{16}", other.Err)
}

// The fences of a module are left out and weakened like those of a structure in Go, and
// what happens then replays. Its sc fences need not be, and half of them are not needed.
func TestFencesOfModules(t *testing.T) {
	orders := "orders=ticket-ptx-2084-fence.weak"
	o := commandtest.Run(t, strings.Fields("explore "+examples+"ticket.ptx:"+orders+" --model fifo --memory ptx --no-shrink")...)
	assert.Equal(t, exit.Violation, o.Code, o.Err)
	if !commandtest.Large() {
		t.Skip("the table takes ten seconds: make large; TestFences has that of a structure")
	}
	folder := t.TempDir()
	o = commandtest.Run(t, strings.Fields("explore "+examples+"ticket.ptx --model fifo --memory ptx --fences=fences --runs 2000 --processes 2+2 --save "+folder)...)
	assert.Equal(t, exit.Holds, o.Code, o.Err)
	assert.Regexp(t, `ticket\.ptx:2084: fence +sc +acq_rel +no fence: fault, fences-ticket-ptx-ticket-ptx-2084-fence\.case\n`, o.Out)
	assert.Regexp(t, `ticket\.ptx:2058: fence +sc +no fence +\n`, o.Out)
	assert.Contains(t, o.Out, "sufficient: ticket-ptx:orders=ticket-ptx-2058-fence.weak+")
	assert.Contains(t, o.Out, "nor in any execution of all 27 programs of at most 2+2 operations")
	o = commandtest.Run(t, "replay", "--module", examples+"ticket.ptx", filepath.Join(folder, "fences-ticket-ptx-ticket-ptx-2084-fence.case"))
	assert.Equal(t, exit.Violation, o.Code, o.Err)
	assert.Contains(t, o.Out, "a load of what was never written")
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

// A fence of a module is left out: found, saved with the patch, and replayed.
func TestPatchedModules(t *testing.T) {
	if testing.Short() {
		t.Skip("shrinks what it finds on the weak memory")
	}
	deque := strings.Fields(examples + "../ptx/abp.ptx --model wsdeque --numbers 2,16,128 --capacity 2")
	saved := filepath.Join(t.TempDir(), "fence.case")
	o := commandtest.Run(t, append(append([]string{"explore"}, deque...), "--memory", "ptx", "--patch", "steal_fence_head_tail.drop", "--save", saved)...)
	assert.Equal(t, exit.Violation, o.Code, o.Err)
	assert.Contains(t, o.Out, "structure: abp-ptx:patch=steal_fence_head_tail.drop\n")
	o = commandtest.Run(t, "replay", "--module", deque[0], "--numbers", "2,16,128", "--capacity", "2", saved)
	assert.Equal(t, exit.Violation, o.Code, o.Err)
	assert.Contains(t, o.Out, "structure abp-ptx:patch=steal_fence_head_tail.drop on memory ptx")

	o = commandtest.Run(t, append(append([]string{"explore"}, deque...), "--patch", "steal_swap_head.blind", "--patch", "steal_read_tail.twice")...)
	assert.Equal(t, exit.Violation, o.Code, o.Err)
	assert.Contains(t, o.Out, "structure: abp-ptx:patch=steal_swap_head.blind+steal_read_tail.twice\n")

	for patch, message := range map[string]string{
		"steal_fence_head_tail.drop": "the patch changes nothing here: all that is not --memory ptx, rc11 or tso is sequentially consistent, whatever the orders",
		"nowhere.drop":               "abp.ptx has no access nowhere: there are push_read_tail, ",
		"push_read_tail.blind":       "it does not fit: blind is for swaps",
		"a, b":                       `--patch "a, b": expected a place and what becomes of it, as in queue.cu:31.drop`,
		"":                           `--patch "": expected a place`,
	} {
		o := commandtest.Run(t, append(append([]string{"explore"}, deque...), "--patch", patch)...)
		assert.Equal(t, exit.Usage, o.Code, patch)
		assert.Contains(t, o.Err, message, patch)
	}
	commandtest.Run(t, "explore", "abp", "--patch", "a.drop").RequireRefused(t, "--patch is for modules, as in queue.ptx: abp says it itself")
}

func TestModulesThatAreRefused(t *testing.T) {
	for args, message := range map[string]string{
		"ticket.ptx":                       "say with --model what it is: wsdeque, fifo, range or bag",
		"ticket.ptx --model queue":         "--model: ",
		"ticket.ptx --model bag":           "this module is of model fifo, not of bag",
		"ticket.ptx --model fifo --fences": "--fences needs a weak memory, as in --memory ptx, rc11 or tso",
		"ticket.ptx:orders=no-site.weak --model fifo --memory ptx": `no access "no-site": expected one of ticket-ptx-`,
		"ticket.ptx --model fifo --numbers 1,two":                  "--numbers 1,two: expected numbers with commas between them",
		"ticket.ptx --model fifo --numbers 1,2,3,4,5,6,7,8,9":      "expected at most 8",
		"nowhere.ptx --model fifo":                                 "no such file or directory",
		"../ptx/clock.ptx --model fifo":                            "this module has no word stealproof_abi",
	} {
		o := commandtest.Run(t, strings.Fields("explore "+examples+args)...)
		assert.Equal(t, exit.Usage, o.Code, args)
		assert.Contains(t, o.Err, message, args)
	}
	commandtest.Run(t, "explore", "queue", "--model", "fifo").RequireRefused(t, `unknown structure "queue": expected one of abp, tz, the, blocking, static, list`)
	commandtest.Run(t, "explore", "abp", "--model", "fifo").RequireRefused(t, "--model is for modules, as in queue.ptx: abp says it itself")
}
