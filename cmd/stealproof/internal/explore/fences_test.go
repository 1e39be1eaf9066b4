package explore_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"

	"stealproof/cmd/stealproof/internal/commandtest"
	"stealproof/cmd/stealproof/internal/exit"
)

// Which fences a structure needs, as a table; --save keeps a case for each.
func TestFences(t *testing.T) {
	if testing.Short() {
		t.Skip("makes every execution of 60 programs, several times")
	}
	t.Chdir(t.TempDir())
	o := commandtest.Run(t, "explore", "blocking", "--memory", "ptx", "--fences", "--runs", "2000", "--save", "cases")
	assert.Equal(t, exit.Holds, o.Code, o.Err)
	assert.Regexp(t, `(?m)^lock +acquire +acquire +relaxed: \S+, orders-blocking-lock.case$`, o.Out)
	assert.Regexp(t, `(?m)^read beg +relaxed +weak *$`, o.Out)
	assert.Contains(t, o.Out, "no violation in 2000 random executions, nor in any execution of all 60 programs of at most 2+2 or 2+1+1 operations")
	o = commandtest.Run(t, "replay", filepath.Join("cases", "orders-blocking-lock.case"))
	assert.Equal(t, exit.Violation, o.Code)
}

// Where nothing suffices, that is a violation: shrunk, and saved like others.
func TestFencesThatDoNotSuffice(t *testing.T) {
	t.Chdir(t.TempDir())
	o := commandtest.Run(t, "explore", "abp:variant=release2011", "--memory", "ptx", "--fences=fences", "--runs", "2000", "--save", "cases")
	assert.Equal(t, exit.Violation, o.Code, o.Err)
	assert.Contains(t, o.Out, "abp:variant=release2011 on memory ptx: no choice of its fences suffices: as it is, it has a counterexample\nshrunk from ")
	assert.Contains(t, o.Out, "\nout of order: the ", "what was found is explained at once")
	o = commandtest.Run(t, "replay", filepath.Join("cases", "fences-abp-strongest.case"))
	assert.Equal(t, exit.Violation, o.Code)
}

// Orders of accesses that a variant does not have are not passed over in silence.
func TestOrdersOfAccessesThatAreNotMade(t *testing.T) {
	o := commandtest.Run(t, "explore", "abp:variant=book,orders=push-fence-task-tail.sc", "--memory", "ptx", "--runs", "1")
	assert.Equal(t, exit.Holds, o.Code)
	assert.Equal(t, "stealproof: abp: no random program came by the access push-fence-task-tail: its order may change nothing\n", o.Err)
	o = commandtest.Run(t, "explore", "abp:orders=push-fence-task-tail.weak", "--memory", "ptx", "--runs", "1")
	assert.Empty(t, o.Err, "a fence that is left out would be made")
}

// Orders mean nothing without a weak memory: what holds there must not be taken
// for an answer about them.
func TestOrdersWithoutAWeakMemory(t *testing.T) {
	const why = " changes nothing here: all that is not --memory ptx, rc11 or tso is sequentially consistent, whatever the orders"
	for _, args := range [][]string{{"explore"}, {"explore", "--memory", "sc"}, {"explore", "--memory", "native"}, {"explore", "--exhaustive"}, {"mutants"}} {
		commandtest.Run(t, append(args, "abp:orders=steal-swap-head.acquire")...).RequireRefused(t, "structure abp:orders=steal-swap-head.acquire: orders="+why)
	}
	commandtest.Run(t, "explore", "abp:mutant=pop-fence-tail-head.weaker").RequireRefused(t, "structure abp:mutant=pop-fence-tail-head.weaker: mutant=pop-fence-tail-head.weaker"+why)
	assert.Equal(t, exit.Violation, commandtest.Run(t, "explore", "abp:mutant=pop-fence-tail-head.weaker", "--memory", "ptx", "--no-shrink").Code)
	assert.Equal(t, exit.Violation, commandtest.Run(t, "explore", "abp:mutant=steal-swap-head.drop", "--no-shrink").Code, "that one changes more than an order")
}
