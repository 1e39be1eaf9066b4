package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Which fences a structure needs, as a table; --save keeps a case for each.
func TestFences(t *testing.T) {
	t.Chdir(t.TempDir())
	o := stealproof(t, "explore", "blocking", "--memory", "ptx", "--fences", "--runs", "2000", "--save", "cases")
	assert.Equal(t, exitHolds, o.code, o.err)
	assert.Regexp(t, `(?m)^lock +acquire +acquire +relaxed: \S+, orders-blocking-lock.case$`, o.out)
	assert.Regexp(t, `(?m)^read beg +relaxed +weak *$`, o.out)
	assert.Contains(t, o.out, "no violation in 2000 random executions, nor in any execution of all 60 programs of at most 2+2 or 2+1+1 operations")
	o = stealproof(t, "replay", filepath.Join("cases", "orders-blocking-lock.case"))
	assert.Equal(t, exitViolation, o.code)
}

// Where nothing suffices, that is a violation: shrunk, and saved like others.
func TestFencesThatDoNotSuffice(t *testing.T) {
	t.Chdir(t.TempDir())
	o := stealproof(t, "explore", "abp:variant=release2011", "--memory", "ptx", "--fences=fences", "--runs", "2000", "--save", "cases")
	assert.Equal(t, exitViolation, o.code, o.err)
	assert.Contains(t, o.out, "abp:variant=release2011 on memory ptx: no choice of its fences suffices: as it is, it has a counterexample\nshrunk from ")
	assert.Contains(t, o.out, "\nout of order: the ", "what was found is explained at once")
	o = stealproof(t, "replay", filepath.Join("cases", "fences-abp-strongest.case"))
	assert.Equal(t, exitViolation, o.code)
}

// Orders of accesses that a variant does not have are not passed over in silence.
func TestOrdersOfAccessesThatAreNotMade(t *testing.T) {
	o := stealproof(t, "explore", "abp:variant=book,orders=push-fence-task-tail.sc", "--memory", "ptx", "--runs", "1")
	assert.Equal(t, exitHolds, o.code)
	assert.Equal(t, "stealproof: abp: no random program came by the access push-fence-task-tail: its order may change nothing\n", o.err)
	o = stealproof(t, "explore", "abp:orders=push-fence-task-tail.weak", "--memory", "ptx", "--runs", "1")
	assert.Empty(t, o.err, "a fence that is left out would be made")
}

// Orders mean nothing without a weak memory: what holds there must not be taken
// for an answer about them.
func TestOrdersWithoutAWeakMemory(t *testing.T) {
	const why = " changes nothing here: all that is not --memory ptx is sequentially consistent, whatever the orders"
	for _, args := range [][]string{{"explore"}, {"explore", "--memory", "sc"}, {"explore", "--memory", "native"}, {"explore", "--exhaustive"}, {"mutants"}} {
		stealproof(t, append(args, "abp:orders=steal-swap-head.acquire")...).requireRefused(t, "structure abp:orders=steal-swap-head.acquire: orders="+why)
	}
	stealproof(t, "explore", "abp:mutant=pop-fence-tail-head.weaker").requireRefused(t, "structure abp:mutant=pop-fence-tail-head.weaker: mutant=pop-fence-tail-head.weaker"+why)
	assert.Equal(t, exitViolation, stealproof(t, "explore", "abp:mutant=pop-fence-tail-head.weaker", "--memory", "ptx", "--no-shrink").code)
	assert.Equal(t, exitViolation, stealproof(t, "explore", "abp:mutant=steal-swap-head.drop", "--no-shrink").code, "that one changes more than an order")
}
