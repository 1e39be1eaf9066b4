package progress

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/fuzz"
	"stealproof/fuzz/internal/given"
	"stealproof/model"
	"stealproof/ref"
)

func progressOf(t *testing.T, s Expected) *Report {
	t.Helper()
	return progressWith(t, given.Subject(t, s.Spec), s)
}

func progressWith(t *testing.T, s ref.Subject, expected Expected) *Report {
	t.Helper()
	r, err := Check(context.Background(), s, &expected)
	require.NoError(t, err)
	return r
}

// Every structure makes the progress that its paper claims, and no more; every
// case of a blocking operation shows it again.
func TestProgressIsAsClaimed(t *testing.T) {
	for _, s := range Table {
		t.Run(s.Spec+" "+s.About, func(t *testing.T) {
			r := progressOf(t, s)
			var text bytes.Buffer
			require.NoError(t, r.Write(&text))
			require.True(t, r.AsClaimed() && r.Decided(), text.String())
			for _, p := range r.Ops {
				assert.Equal(t, p.Level == Blocking, p.Case != nil)
				if p.Level == LockFree {
					assert.True(t, slices.IsSorted(p.Starved))
					assert.Greater(t, p.Starved[3], 3*p.Starved[0], "8 times the operations of others, and no bound in sight")
				}
				if p.Case != nil {
					replaysAsSaved(t, *p.Case)
				}
			}
		})
	}
}

// replaysAsSaved reads a case from its text and executes it.
func replaysAsSaved(t *testing.T, c model.Case) {
	t.Helper()
	again, err := model.ParseCase(c.String())
	require.NoError(t, err)
	rerun, err := fuzz.RunCase(again)
	require.NoError(t, err)
	assert.True(t, rerun.Expected(), "%s\n%s", rerun.Finding.Explanation, c)
	assert.Equal(t, fuzz.KindStuck, rerun.Finding.Kind)
}

// On the weak memory the same progress is made, though published variants have
// wrong results there; and a lock blocks there as well.
func TestProgressOnTheWeakMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("suspends a process at each of its accesses")
	}
	for spec, wrong := range map[string]bool{"abp": false, "abp:variant=book": true, "abp:variant=release2011": true, "static:capacity=4": false, "blocking:capacity=2": false} {
		i := slices.IndexFunc(Table, func(s Expected) bool { return s.Spec == spec })
		r, err := Check(t.Context(), given.On(t, "ptx", given.Subject(t, spec)), &Table[i])
		require.NoError(t, err)
		var text bytes.Buffer
		require.NoError(t, r.Write(&text))
		assert.True(t, r.AsClaimed() && r.Decided(), text.String())
		assert.Equal(t, wrong, r.Wrong != "", text.String())
		assert.Equal(t, wrong, strings.Contains(text.String(), "  to see it: stealproof explore "+spec+" --memory ptx\n"), text.String())
		for _, p := range r.Ops {
			if p.Case != nil {
				replaysAsSaved(t, *p.Case)
			}
		}
	}
}

// What faults has not made every execution, and is not decided; a wrong result
// alone is no fault.
func TestProgressOfWhatGoesWrong(t *testing.T) {
	faulty := planted(t, func(inner ref.Structure, m ref.Memory, o *model.Operation) {
		inner.Do(m, o)
		if o.Op == model.Steal && o.Result == model.OK {
			panic("planted")
		}
	})
	wrong := planted(t, func(inner ref.Structure, m ref.Memory, o *model.Operation) {
		inner.Do(m, o)
		if o.Op == model.Steal && o.Result == model.OK {
			o.Value += 100
		}
	})
	for _, memory := range []string{"sc", "ptx"} {
		r := progressWith(t, given.On(t, memory, faulty), abpSubject("abp"))
		assert.False(t, r.Decided())
		assert.Contains(t, r.Broken, "planted")
		var text bytes.Buffer
		require.NoError(t, r.Write(&text))
		assert.Contains(t, text.String(), "not all executions were made, since one is wrong: ")

		r = progressWith(t, given.On(t, memory, wrong), abpSubject("abp"))
		assert.True(t, r.AsClaimed() && r.Decided())
		assert.Contains(t, r.Wrong, "never put in")
	}
}

// Every operation of every structure stands in the table, with a reason.
func TestProgressTableIsComplete(t *testing.T) {
	for _, d := range ref.Designs() {
		var ops []model.Op
		for _, s := range Table {
			if name, _, _ := strings.Cut(s.Spec, ":"); name != d.Name {
				continue
			}
			for _, c := range s.Claims {
				ops = append(ops, c.Op)
				assert.NotEmpty(t, c.Why)
				assert.Equal(t, c.Level == WaitFree, c.Bound > 0, "%s %s", s.Spec, c.Op)
				assert.True(t, c.Level != LockFree || c.Starve != "", "lock-free and no more is shown by starving it")
			}
		}
		for _, op := range d.Ops {
			assert.Contains(t, ops, op, d.Name)
		}
	}
}

// around is a structure with something put around its operations.
type around struct {
	ref.Structure
	do func(inner ref.Structure, m ref.Memory, o *model.Operation)
}

func (a around) Do(m ref.Memory, o *model.Operation) { a.do(a.Structure, m, o) }

func wrapWith(do func(inner ref.Structure, m ref.Memory, o *model.Operation)) func(ref.Structure) ref.Structure {
	return func(s ref.Structure) ref.Structure { return around{s, do} }
}

// planted is the deque with something planted in it; the last words of its array
// are not used otherwise.
func planted(t *testing.T, do func(inner ref.Structure, m ref.Memory, o *model.Operation)) ref.Subject {
	return given.Subject(t, "abp").Around(wrapWith(do))
}

func progressOfPlanted(t *testing.T, do func(inner ref.Structure, m ref.Memory, o *model.Operation)) *Report {
	t.Helper()
	return progressWith(t, planted(t, do), abpSubject("abp"))
}

const (
	spareWord  = ref.Location(16)
	secondWord = ref.Location(17)
)

var plainAccess = ref.Access{Order: ref.SC, Scope: ref.GPU, Site: 200}

func levelOf(r *Report, op model.Op) Level { return r.of(op).Level }

// A lock around a wait-free deque makes it blocking, and the points at which
// its holder must not be suspended are named.
func TestAPlantedLockIsBlocking(t *testing.T) {
	r := progressOfPlanted(t, func(inner ref.Structure, m ref.Memory, o *model.Operation) {
		for _, locked := m.CompareAndSwap(spareWord, 0, 1, plainAccess); !locked; _, locked = m.CompareAndSwap(spareWord, 0, 1, plainAccess) {
		}
		inner.Do(m, o)
		m.Store(spareWord, 0, plainAccess)
	})
	assert.False(t, r.AsClaimed())
	assert.True(t, r.Spins)
	for _, op := range []model.Op{model.Push, model.Pop, model.Steal} {
		assert.Equal(t, Blocking, levelOf(r, op), "%s", op)
		assert.NotEmpty(t, r.of(op).Stops)
	}
	assert.Contains(t, fmt.Sprint(r.of(model.Push).Stops), `steal before "steal: swap head" (head)`)
}

// Who waits in a loop of several accesses is blocked as well, on both memories; and one
// that reads what is old again and again is not.
func TestALongerLoopIsBlocking(t *testing.T) {
	lock := planted(t, func(inner ref.Structure, m ref.Memory, o *model.Operation) {
		if o.Op != model.Steal {
			m.Store(spareWord, 1, plainAccess)
			inner.Do(m, o)
			m.Store(spareWord, 0, plainAccess)
			return
		}
		for m.Load(spareWord, plainAccess) == 1 {
			m.Load(secondWord, plainAccess)
			m.Load(spareWord-1, plainAccess)
		}
		inner.Do(m, o)
	})
	for _, memory := range []string{"sc", "ptx"} {
		r := progressWith(t, given.On(t, memory, lock), Expected{
			Spec: "abp", Programs: []string{"0: push\n1: steal"},
			Claims: []Claim{{Op: model.Push}, {Op: model.Steal}},
		})
		assert.Equal(t, WaitFree, levelOf(r, model.Push), memory)
		assert.Equal(t, Blocking, levelOf(r, model.Steal), memory)
		for _, s := range r.of(model.Steal).Stops {
			assert.Equal(t, model.Push, s.Op)
		}
	}
}

// A lock that only thieves take leaves the owner alone.
func TestALockOfThievesAlone(t *testing.T) {
	r := progressOfPlanted(t, func(inner ref.Structure, m ref.Memory, o *model.Operation) {
		if o.Op != model.Steal {
			inner.Do(m, o)
			return
		}
		for _, locked := m.CompareAndSwap(spareWord, 0, 1, plainAccess); !locked; _, locked = m.CompareAndSwap(spareWord, 0, 1, plainAccess) {
		}
		inner.Do(m, o)
		m.Store(spareWord, 0, plainAccess)
	})
	assert.Equal(t, Blocking, levelOf(r, model.Steal))
	assert.Equal(t, WaitFree, levelOf(r, model.Push))
	assert.Equal(t, WaitFree, levelOf(r, model.Pop))
}

// A steal that tries again instead of giving up is lock-free and no longer
// wait-free: others can make it lose for ever.
func TestAStealThatTriesAgain(t *testing.T) {
	r := progressOfPlanted(t, func(inner ref.Structure, m ref.Memory, o *model.Operation) {
		for inner.Do(m, o); o.Result == model.Abort; inner.Do(m, o) {
		}
	})
	assert.Equal(t, LockFree, levelOf(r, model.Steal))
	assert.Equal(t, WaitFree, levelOf(r, model.Push))
	assert.False(t, r.AsClaimed())
}

// One access more than claimed is noticed.
func TestABoundIsExact(t *testing.T) {
	r := progressOfPlanted(t, func(inner ref.Structure, m ref.Memory, o *model.Operation) {
		m.Load(spareWord, plainAccess)
		inner.Do(m, o)
	})
	assert.Equal(t, WaitFree, levelOf(r, model.Push))
	assert.Equal(t, 4, r.of(model.Push).Own)
	assert.False(t, r.AsClaimed())
}

// Two that politely make way for one another may do so for ever: an execution
// without end in which memory changes all the time.
func TestALivelockIsNotDecided(t *testing.T) {
	r := progressOfPlanted(t, func(inner ref.Structure, m ref.Memory, o *model.Operation) {
		mine, other := spareWord, secondWord
		if o.Op == model.Steal {
			mine, other = other, mine
		}
		for m.Store(mine, 1, plainAccess); m.Load(other, plainAccess) == 1; m.Store(mine, 1, plainAccess) {
			m.Store(mine, 0, plainAccess)
		}
		inner.Do(m, o)
		m.Store(mine, 0, plainAccess)
	})
	assert.True(t, r.Endless)
	assert.False(t, r.Decided())
	var text bytes.Buffer
	require.NoError(t, r.Write(&text))
	assert.Contains(t, text.String(), "an execution has no end within 1000 accesses")
}

// Mutants and planted defects change the answer.
func TestProgressOfDefects(t *testing.T) {
	for _, c := range []struct {
		spec, program string
		op            model.Op
	}{
		{"blocking:mutant=unlock.drop", "0: enq\n1: enq", model.Enq},                   // the lock is never released
		{"tz:capacity=3,defect=no-help-head", "0: enq deq enq enq\n1: enq", model.Enq}, // nobody moves head
		{"tz:capacity=4,mutant=enq-swap-slot.never", "0: enq\n1: deq", model.Enq},      // the swap always fails
	} {
		d := strings.Split(c.spec, ":")[0]
		_, err := ref.FindDesign(d)
		require.NoError(t, err)
		r := progressOf(t, Expected{Spec: c.spec, Programs: []string{c.program}, Claims: []Claim{{Op: c.op, Level: LockFree}}})
		p := r.of(c.op)
		if assert.Equal(t, Blocking, p.Level, c.spec) {
			assert.True(t, p.Alone, "%s: nobody need be suspended", c.spec)
			replaysAsSaved(t, *p.Case)
		}
	}
}

// A case with a suspended process is refused where it no longer fits.
func TestSuspendedCasesThatDoNotFit(t *testing.T) {
	const text = "stealproof-case 1\nmodel: fifo\nstructure: blocking\nschedule: suspend:%s\nverdict: violation stuck\nprogram:\n0: enq\n1: deq\n"
	run := func(schedule string) (*fuzz.Rerun, error) {
		c, err := model.ParseCase(fmt.Sprintf(text, schedule))
		require.NoError(t, err)
		return fuzz.RunCase(c)
	}
	_, err := run("process=2,after=1")
	assert.ErrorContains(t, err, "strategy suspend: process=2: expected a number from 0 to 1")
	_, err = run("process=1,after=1,choices=x")
	assert.ErrorContains(t, err, `choice "x": expected a process`)
	_, err = run("process=1,after=1,choices=0*9")
	assert.ErrorContains(t, err, "choice 7 is process 0, which cannot go on")
	r, err := run("process=1,after=1,choices=1+0*2")
	require.NoError(t, err)
	assert.True(t, r.Expected())
	r, err = run("process=1,after=4,choices=1*4")
	require.NoError(t, err)
	assert.Equal(t, model.Undecided, r.Finding.Verdict, "the dequeue has returned: nothing is suspended")
}
