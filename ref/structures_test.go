package ref

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/model"
)

func resultOf(o *model.Operation) string {
	switch {
	case !o.TakesOut():
		return o.Result.String()
	case o.To > 0:
		return fmt.Sprintf("[%d,%d)", o.Value, o.To)
	}
	return fmt.Sprint(o.Value)
}

// What the structures do when nobody interferes: each process runs to its end
// before the next begins.
func TestSequentialMeaning(t *testing.T) {
	for _, c := range []struct{ spec, program, want string }{
		{"abp", "0: push push push pop\n1: steal steal steal", "ok ok ok 3 1 2 empty"},
		{"abp:capacity=2", "0: push push push pop pop pop push", "ok ok full 2 1 empty ok"},
		{"abp:variant=book", "0: push push pop\n1: steal steal", "ok ok 2 1 empty"},
		{"abp:variant=release2011", "0: push push pop\n1: steal steal", "ok ok 2 1 empty"},
		// not circular: stolen room comes back only with a reset, and then at once
		{"abp:capacity=2", "0: push push pop\n1: steal\n", "ok ok 2 1"},
		{"tz:capacity=4", "0: enq enq enq deq deq deq enq deq", "ok ok full 1 2 empty ok 4"},
		{"tz:capacity=4,variant=original", "0: enq enq enq deq deq deq enq deq", "ok ok full 1 2 empty ok 4"},
		{"tz:capacity=3,every=1", "0: [enq deq]*7", "ok 1 ok 2 ok 3 ok 4 ok 5 ok 6 ok 7"},
		{"tz:variant=skeleton", "0: enq enq deq deq", "ok ok 1 2"},
		{"blocking:capacity=2", "0: enq enq enq deq deq deq enq deq", "ok ok full 1 2 empty ok 4"},
		{"the", "0: push[10,14) pop(1) push[8,10) pop(9) pop(1)", "ok [10,11) full [11,14) empty"},
		{"the", "0: push[10,14) push[6,10) pop(3)\n1: steal(2) steal(9) steal(2)", "ok ok [6,9) [12,14) abort [10,12)"},
		{"the:failed=empty", "0: push[0,2)\n1: steal(3)", "ok empty"},
		{"the:failed=empty-if-equal", "0: push[0,2)\n1: steal(3) steal(2) steal(1)", "ok abort [0,2) empty"},
		{"list", "0: push[4,8) pop(3) push[2,4) pop(9) push[1,3) \n1: pop(1)", "ok [4,7) full [7,8) ok [1,2)"},
		{"static", "0: put put | take take take | take", "ok ok 1 2 abort empty"},
		{"static", "0: put | take put | take take | take", "ok 1 ok 2 abort empty"},
		{"static:capacity=1", "0: put put | take take", "ok full 1 abort"},
		{"static", "0: put put put | take take | take\n1: | take | take", "ok ok ok 1 3 empty 2 empty"},
		// a task left behind by a phase that ended early keeps the bag from being called empty
		{"static", "0: put put | take | take", "ok ok 1 abort"},
	} {
		e := simulate(t, c.spec, c.program)
		assert.Equal(t, Complete, e.Ending, c.spec)
		assert.Equal(t, c.want, results(e.History), "%s\n%s", c.spec, c.program)
	}
}

// Several objects have memory of their own, and a thief may push to its own
// queue what it stole from another.
func TestSeveralObjects(t *testing.T) {
	e := simulate(t, "the", "0: push[0,8) pop(2)\n1: steal(4)@0 push(last)@1 pop(1)@1\n2: steal(3)@1")
	assert.Equal(t, "ok [0,2) [4,8) ok [4,5) [5,8)", results(e.History))
	e = simulate(t, "the", "0: push[0,1) pop(1)\n1: steal(4)@0 push(last)@1")
	assert.Equal(t, "ok [0,1) abort", results(e.History), "there was nothing to push")
}

// The array of abp is used up although the deque is empty: tail only comes
// back when the owner finds that out.
func TestDequeIsNotCircular(t *testing.T) {
	choices := []int{}
	for range 6 { // two pushes of three accesses
		choices = append(choices, 0)
	}
	for range 8 { // two steals of four
		choices = append(choices, 1)
	}
	e := simulate(t, "abp:capacity=2", "0: push push push pop push\n1: steal steal", choices...)
	assert.Equal(t, "ok ok full empty ok 1 2", results(e.History))
}

// The loop of figure 2 pushes what was stolen while it still holds the
// victim's lock. Here a push takes its own lock only when the victim's is free
// again: two thieves that rob one another cannot wait for each other.
func TestMutualTheftEnds(t *testing.T) {
	e := simulate(t, "the", "0: push[0,8) steal(4)@1 push(last)@0\n1: push[8,16)@1 steal(4)@0 push(last)@1", 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 1, 0, 1, 0, 1)
	assert.Equal(t, Complete, e.Ending)
}

func TestUnknownAndWrongSpecs(t *testing.T) {
	for spec, want := range map[string]string{
		"abq":                        `unknown structure "abq": expected one of abp, tz, the, blocking, static, list`,
		"abp:width=17":               "structure abp: width=17: expected one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 32",
		"abp:with=2":                 `structure abp: unknown setting "with": expected one of defect, mutant, orders, variant, width, capacity`,
		"abp:capacity=0":             "structure abp: capacity=0: expected a number from 1 to 1048576",
		"abp:capacity=65536":         "structure abp: capacity=65536: a 16-bit index allows at most 65535; width=32 allows more",
		"list:defect=no-luck":        `structure list: unknown defect "no-luck": expected one of no-lock, pop-unlocked, push-unlocked, lock-in-two-steps, unlock-early, pop-too-much, push-unchecked`,
		"abp:capacity=65536,width=2": "structure abp: capacity=65536: a 16-bit index allows at most 65535; width=32 allows more",
	} {
		s, err := model.ParseSpec(spec)
		require.NoError(t, err)
		program := model.Program{Processes: [][]model.Step{model.Calls(model.Call{Op: model.Push, Value: model.NoValue})}}
		if s.Structure == "list" {
			program.Processes[0][0].Call.To = 3
			program.Processes[0][0].Call.Value = 1
		}
		subject, err := NewSubject(s, model.Spec{})
		if err == nil {
			_, err = subject.Prepare(program)
		}
		assert.EqualError(t, err, want, spec)
	}
	_, err := mustSubject(t, "abp:capacity=65536,width=32").Prepare(
		model.Program{Processes: [][]model.Step{model.Calls(model.Call{Op: model.Push, Value: model.NoValue})}})
	assert.NoError(t, err)
}

// A design names all its accesses, and none twice, and has a place for each.
func TestSitesAreNamed(t *testing.T) {
	for _, d := range Designs() {
		seen := map[string]bool{}
		places := map[*Access]bool{}
		for _, l := range d.declared() {
			assert.False(t, seen[l.name], "%s: %s", d.Name, l.name)
			assert.False(t, places[l.at], "%s: %s has the place of another", d.Name, l.name)
			seen[l.name], places[l.at] = true, true
		}
		assert.Len(t, d.Sites, len(seen))
	}
}
