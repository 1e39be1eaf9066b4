package shrink

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/fuzz"
	"stealproof/fuzz/internal/given"
	"stealproof/fuzz/programs"
	"stealproof/model"
	"stealproof/ref"
)

const emptiedTwice = `stealproof-case 1
note: by hand
model: wsdeque
structure: abp:width=0
schedule: choices:0*3,1*3,0*6,1
verdict: violation duplicate
program:
0: push pop push pop
1: steal steal
2: steal
`

// What is shrunk says where it comes from, fails for the same reason, and does
// not shrink any further; the same case gives the same result.
func TestShrinkingComesToAnEnd(t *testing.T) {
	s := shrunk(t, mustCase(t, emptiedTwice))
	assert.Equal(t, "by hand; shrunk from 7 operations of 3 processes, 3 preemptions", s.Failure.Case.Note)
	assert.Equal(t, "0: push pop\n1: steal\n", s.Failure.Case.Program.String())
	assert.Equal(t, 2, s.To.Preemptions, "of the owner behind its push, and of the thief before its swap")
	assert.True(t, s.Complete)
	assert.True(t, s.Exact)
	again := shrunk(t, s.Failure.Case)
	assert.Equal(t, s.Failure.Case, again.Failure.Case, "the note too: nothing was left out")
	assert.Equal(t, s.Failure.Case, shrunk(t, mustCase(t, emptiedTwice)).Failure.Case)
}

// A context that ends leaves the smallest case so far, and says that it is not
// the end.
func TestShrinkingThatIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	tried := 0
	s := Search{Subject: given.CaseSubject(t, mustCase(t, emptiedTwice)), Case: mustCase(t, emptiedTwice), Progress: func(Size, int) {
		if tried++; tried == 3 {
			cancel()
		}
	}}
	r, err := s.Run(ctx)
	require.NoError(t, err)
	assert.False(t, r.Complete)
	assert.False(t, r.Exact)
	assert.False(t, r.From.Less(r.To))
	again, err := fuzz.RunCase(r.Failure.Case)
	require.NoError(t, err)
	assert.True(t, again.Expected())
}

func TestCasesThatCannotBeShrunk(t *testing.T) {
	c := mustCase(t, emptiedTwice)
	c.Spec = given.Spec(t, "abp")
	_, err := (&Search{Subject: given.CaseSubject(t, c), Case: c}).Run(t.Context())
	assert.ErrorContains(t, err, "there is nothing to shrink: the case is linearizable")
	c.Schedule = model.Schedule{Strategy: "native"}
	_, err = (&Search{Subject: given.CaseSubject(t, c), Case: c}).Run(t.Context())
	assert.ErrorContains(t, err, "cannot be repeated")
}

// Of two violations in one program the one stays that was asked about: the
// structure here also lets steals take what is beyond tail, with one operation.
func TestShrinkingKeepsTheReason(t *testing.T) {
	c := savedCaseOf(t, "abp:defect=steal-store+steal-off-by-one", "0: push push push pop\n1: steal\n2: steal", "choices:0*9,1*3,2*4,1")
	require.Equal(t, "duplicate", c.Found)
	assert.Equal(t, "duplicate", shrunk(t, c).Failure.Case.Found)
	assert.NotEqual(t, reasonOf(fuzz.Finding{Kind: fuzz.KindFault, Explanation: "process 1: a[3] is outside"}), reasonOf(fuzz.Finding{Kind: fuzz.KindFault, Explanation: "process 1: b[3] is outside"}))
	assert.Equal(t, reasonOf(fuzz.Finding{Kind: fuzz.KindFault, Explanation: "process 1: a[3] is outside"}), reasonOf(fuzz.Finding{Kind: fuzz.KindFault, Explanation: "process 0: a[12] is outside\nstack"}))
}

// fewest makes exactly the schedules with no more preemptions than its bound:
// those among all interleavings, each once.
func TestFewestMakesEveryScheduleOnce(t *testing.T) {
	for _, program := range []string{"0: push\n1: steal", "0: push pop\n1: steal", "0: push\n1: steal\n2: steal"} {
		setup := given.Setup(t, "abp", program)
		byPreemptions := map[int]map[string]bool{}
		const unbounded = 1 << 20
		for choices, preemptions := range schedulesOf(setup, unbounded) {
			if byPreemptions[preemptions] == nil {
				byPreemptions[preemptions] = map[string]bool{}
			}
			require.False(t, byPreemptions[preemptions][choices], "made twice")
			byPreemptions[preemptions][choices] = true
		}
		want := map[string]int{}
		for bound := range 4 {
			for choices := range byPreemptions[bound] {
				want[choices] = bound
			}
			assert.Equal(t, want, schedulesOf(setup, bound), "bound %d of\n%s", bound, program)
		}
	}
	assert.Len(t, schedulesOf(given.Setup(t, "abp", "0: push\n1: push@1"), 1<<20), 20, "3 accesses each: 6 over 3")
}

func schedulesOf(setup *ref.Setup, bound int) map[string]int {
	sim := ref.NewSim(setup)
	defer sim.Close()
	all := map[string]int{}
	for f := (&fewest{bound: bound}); ; {
		w := &watched{Scheduler: f}
		e := sim.Run(w)
		all[e.Choices().String()] = w.preemptions
		if !f.advance() {
			return all
		}
	}
}

// Weak outcomes cost as preemptions do; each is tried once.
func TestFewestTriesWeakOutcomes(t *testing.T) {
	var seen [][2]int
	f := &fewest{bound: 1}
	for more := true; more; more = f.advance() {
		seen = append(seen, [2]int{f.Pick(nil, 3), f.Pick(nil, 2)})
	}
	assert.Equal(t, [][2]int{{0, 0}, {0, 1}, {1, 0}, {2, 0}}, seen)
	assert.Equal(t, []uint16{0, 2, 4}, newer(5))
	assert.Equal(t, []uint16{0}, newer(1))
	assert.Empty(t, newer(0))
	lenient := &follow{pick: 4}
	assert.Equal(t, 2, lenient.Pick(nil, 3), "the oldest that there is")
	w := &watched{Scheduler: lenient}
	w.Pick(nil, 3)
	assert.Equal(t, 2, w.weak)
}

// A plan survives what is taken out of its program: the operation that is gone
// is passed over, and the others still meet as they did.
func TestPlansAreFollowedWithoutWhatIsGone(t *testing.T) {
	whole, err := model.ParseProgram(model.WSDeque, "0: push push pop | push\n1: steal | steal\n")
	require.NoError(t, err)
	plan := []planned{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 2, 3}, {0, 4, 0}, {1, 2, 0}}
	d := draftOf(whole)
	assert.Equal(t, []planned{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 2, 3}, {0, 3, 0}, {1, 1, 0}}, d.transfer(plan, 1))
	assert.Equal(t, []planned{{0, 0, 0}, {1, 0, 0}, {0, 1, 3}, {0, 2, 0}, {1, 1, 0}}, d.without([]spot{{0, 1}}).transfer(plan, 1))
	assert.Equal(t, []planned{{0, 0, 0}, {0, 1, 0}}, d.without([]spot{{0, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 4}}).transfer(plan, 1), "process 1 is now the first")
}

func TestRollingUp(t *testing.T) {
	for text, want := range map[string]string{
		"0: push pop [push pop]*70000 push pop push": "0: [push pop]*70002 push\n",
		"0: [push]*1000 pop":                         "0: [push]*1000 pop\n",
		"0: [push pop]*3":                            "0: push pop push pop push pop\n",
	} {
		p, err := model.ParseProgram(model.WSDeque, text)
		require.NoError(t, err)
		assert.Equal(t, p.Expand(), rolled(flatten(p)).Expand())
		assert.Equal(t, want, rolled(flatten(p)).String())
	}
}

// Operations are shared out in every way that makes a difference.
func TestSharingOut(t *testing.T) {
	assert.Equal(t, []programs.Shape{{3}, {2, 1}, {1, 1, 1}}, sharedOut(3, 3, false))
	assert.Equal(t, []programs.Shape{{3}, {2, 1}}, sharedOut(3, 2, false))
	assert.Equal(t, []programs.Shape{{0, 2}, {0, 1, 1}, {1, 1}, {2}}, sharedOut(2, 3, true))
	assert.Equal(t, []programs.Shape{{2}}, sharedOut(2, 1, true))
}

// A program that is no part of the large one may be the smallest: here nothing
// single can be left out of five operations, and there is one of four.
func TestShrinkingLooksElsewhere(t *testing.T) {
	s := shrunk(t, savedCaseOf(t, "tz:variant=original", "0: enq enq\n1: enq deq deq", "choices:1*20,0*16,1*7"))
	require.Equal(t, "order", s.Failure.Case.Found)
	assert.Equal(t, 4, s.To.Operations, "%s", s.Failure.Case)
}
