package fuzz

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"stealproof/model"
	"stealproof/ref"
)

// A thief that sleeps between its read of head and its swap while the owner
// resets head exactly 2^width times takes a task that is gone; after one reset
// less its swap fails. All widths, by really performing the resets.
func TestCounterWrapsExactlyAtItsWidth(t *testing.T) {
	for width := 0; width <= 16; width++ {
		if testing.Short() && width > 8 && width < 16 {
			continue
		}
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			t.Parallel()
			resets := 1 << width
			f := sleepOver(t, fmt.Sprintf("abp:width=%d", width), resets, "same")
			assert.Equal(t, model.Violation, f.Verdict)
			assert.Equal(t, "duplicate", f.Kind)
			if width > 0 {
				f = sleepOver(t, fmt.Sprintf("abp:width=%d", width), resets-1, "others")
				assert.Equal(t, model.Linearizable, f.Verdict, f.Explanation)
			}
		})
	}
}

// A 32-bit counter survives what a 16-bit one does not. Its own wrap is
// computed, not performed: see docs/findings.md.
func TestWiderCounterSurvives(t *testing.T) {
	f := sleepOver(t, "abp:width=32", 1<<16, "others")
	assert.Equal(t, model.Linearizable, f.Verdict, f.Explanation)
}

// sleepOver lets the thief sleep over so many resets. The owner's first push
// takes three accesses; then the thief begins.
func sleepOver(t *testing.T, spec string, resets int, until string) Finding {
	program := fmt.Sprintf("0: [push pop]*%d\n1: steal\n", resets)
	return Judge(execute(t, spec, program, "directed:process=1,after=3,at=head#2,until="+until))
}

// An enqueuer that sleeps until its slot has been used twice finds the null
// that it saw; after one use it finds the other one. The positions of the
// program show that the second use is what matters: 4 slots, so that slot 1 is
// used first by the first and again by the fifth enqueue.
func TestEnqueuerAsleep(t *testing.T) {
	for _, c := range []struct {
		pairs int
		want  model.Verdict
	}{{1, model.Linearizable}, {4, model.Linearizable}, {5, model.Violation}} {
		e := execute(t, "tz:capacity=4,every=1", fmt.Sprintf("0: enq deq\n1: [enq deq]*%d\n", c.pairs), "directed:process=0,at=nodes[1]#2,until=others")
		f := Judge(e)
		assert.Equal(t, c.want, f.Verdict, "%d pairs: %s", c.pairs, f.Explanation)
	}
}

// A dequeuer that sleeps until the value that it saw stands in its slot again
// takes it before an older one; with distinct values it does not.
func TestDequeuerAsleep(t *testing.T) {
	const schedule = "directed:process=1,after=9,at=nodes[1]#2,until=same"
	same := Judge(execute(t, "tz:capacity=4,every=1", "0: enq(7) deq [enq deq]*2 enq(8) enq(7)\n1: deq\n", schedule))
	assert.Equal(t, model.Violation, same.Verdict)
	assert.Equal(t, "order", same.Kind)
	distinct := Judge(execute(t, "tz:capacity=4,every=1", "0: enq(7) deq [enq deq]*2 enq(8) enq(6)\n1: deq\n", schedule))
	assert.Equal(t, model.Linearizable, distinct.Verdict, distinct.Explanation)
}

// Indices that cross the width of a word break every comparison but that of
// the difference.
func TestIndicesWrap(t *testing.T) {
	program := "0: push[6,10) push[4,6) pop(3) pop(3)\n1: steal(1)\n" // 4 bits: signed until 8, unsigned until 16
	for compare, want := range map[string]model.Verdict{"signed": model.Violation, "difference": model.Linearizable} {
		e := execute(t, "the:bits=4,base=4,compare="+compare, program, "choices:")
		assert.Equal(t, want, Judge(e).Verdict, compare)
	}
	beyond := "0: push[14,18) push[12,14) pop(3) pop(3)\n1: steal(1)\n"
	for compare, want := range map[string]model.Verdict{"unsigned": model.Violation, "difference": model.Linearizable} {
		e := execute(t, "the:bits=4,base=10,compare="+compare, beyond, "choices:")
		assert.Equal(t, want, Judge(e).Verdict, compare)
	}
}

// A full queue holds exactly two values less than it has slots, whenever it
// says so: the slot of head and one free slot before it are never used.
func TestWhatFullMeans(t *testing.T) {
	for slots := 3; slots <= 6; slots++ {
		for declared, want := range map[int]model.Verdict{slots - 2: model.Linearizable, slots - 1: model.Violation} {
			spec := fmt.Sprintf("tz:capacity=%d,declare=%d", slots, declared)
			e := execute(t, spec, fmt.Sprintf("0: [enq]*%d deq enq\n", slots), "choices:")
			assert.Equal(t, ref.Complete, e.Ending)
			f := Judge(e)
			assert.Equal(t, want, f.Verdict, "%s: %s", spec, f.Explanation)
		}
	}
}
