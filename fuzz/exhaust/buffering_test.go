package exhaust

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/fuzz"
	"stealproof/fuzz/exhaust/internal/buffering"
	"stealproof/fuzz/internal/given"
	"stealproof/fuzz/schedule"
	"stealproof/fuzz/trace"
	"stealproof/model"
	"stealproof/ref"
	"stealproof/ref/axioms"
	"stealproof/ref/litmus"
	"stealproof/ref/litmus/library"
)

// outcomesOf are the outcomes that the axioms allow, of executions with and without a
// cycle of program order and reads-from.
func outcomesOf(t testing.TB, test *litmus.Test) (all, with map[string]bool) {
	all, with = map[string]bool{}, map[string]bool{}
	_, err := litmus.Each(context.Background(), test, litmus.Options{Model: axioms.PTX}, func(e *litmus.Execution) bool {
		registers := make([][]int64, len(test.Threads))
		for p, th := range test.Threads {
			registers[p] = []int64{}
			for r := range th.Registers {
				registers[p] = append(registers[p], e.Register(p, r).Number)
			}
		}
		finals := make([][]int64, len(test.Locations))
		for l := range test.Locations {
			finals[l] = e.Finals(l)
		}
		everyFinal(finals, func(memory []int64) {
			outcome := fmt.Sprint(registers, memory)
			all[outcome] = true
			if buffered(e.Graph, false) {
				with[outcome] = true
			}
		})
		return true
	})
	require.NoError(t, err)
	return all, with
}

// outcomesOfSearch are those that the search makes.
func outcomesOfSearch(t testing.TB, test *litmus.Test, all, mute bool) (outcomes map[string]bool) {
	s := threadsOf(t, test)
	s.mute = mute
	return s.searched(t, all)
}

func (s *litmusThreads) searched(t testing.TB, all bool) (outcomes map[string]bool) {
	x := buffering.New(s.setup)
	x.All = all
	sim := ref.NewSim(s.setup)
	defer sim.Close()
	if all {
		x.Begin()
	} else {
		s.executed(t, false, func(sim *ref.Sim, e *ref.Execution) {
			if sim.MayBuffer() {
				x.Note(e.Trace)
			}
		})
	}
	outcomes = map[string]bool{}
	keys := map[string]bool{}
	finished := x.Run(t.Context(), func() { clear(outcomes); clear(keys) }, func(c *buffering.Complete) {
		require.False(t, keys[c.Key()], "a graph was made twice: %s", c.Key())
		keys[c.Key()] = true
		again := map[string]bool{}
		choices, err := model.ParseChoices(c.Choices().String())
		require.NoError(t, err)
		replay := schedule.NewReplay(choices)
		if replay.Buffered() == nil { // it can be made without
			require.False(t, c.Buffered())
			c.Replay()
		} else {
			e := sim.Run(replay)
			require.NoError(t, replay.Fits(e))
			require.Equal(t, ref.Complete, e.Ending, "%s", choices)
			s.outcomes(sim.Finals, again)
		}
		s.eachOutcome(c.Finals, func(outcome string) {
			outcomes[outcome] = true
			require.True(t, len(again) == 0 || again[outcome], "%s", choices)
		})
	})
	require.True(t, finished)
	return outcomes
}

// The search by revisiting has exactly the outcomes that the axioms allow, with load
// buffering and without, and makes no graph twice.
func TestBufferingAgreesWithTheAxioms(t *testing.T) {
	randomPrograms, every := given.Amount(testing.Short(), 30, 100, 200), given.Amount(testing.Short(), 80, 20, 5)
	compared, with := 0, 0
	check := func(text string) {
		test, err := litmus.Parse("test", text)
		require.NoError(t, err)
		if !runs(test) {
			return
		}
		all, buffering := outcomesOf(t, test)
		got := outcomesOfSearch(t, test, true, false)
		require.Equal(t, all, got, "%s", text)
		got = outcomesOfSearch(t, test, false, false)
		require.Equal(t, buffering, got, "%s", text)
		compared++
		if len(buffering) > 0 {
			with++
		}
	}
	for i, g := range library.Tests() {
		if i%every == 0 {
			check(g.Text)
		}
	}
	// While the swap reads anything else than what comes of the store behind it, it
	// keeps that from being made.
	check(`PTX failing-swap
{ x=0; y=0; z=0; }
P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;
ld.relaxed.gpu r0, z | ld.weak r0, z ;
atom.relaxed.gpu.cas r1, z, 0, 2 | st.weak z, r0 ;
atom.release.sys.add r2, z, 3 | st.release.gpu z, 5 ;
fence.acq_rel.sys | atom.acquire.sys.cas r1, z, 0, 7 ;
exists (x == 0)
`)
	// Only load buffering makes the second atomic come first, or its swap succeed.
	for _, atomic := range []string{"add %s, z, 5", "cas %s, z, 0, 5"} {
		check(`PTX awaited
{ x=0; y=0; z=0; }
P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;
atom.release.gpu.` + fmt.Sprintf(atomic, "r0") + ` | ld.relaxed.gpu r0, x ;
st.relaxed.gpu x, 1 | bne r0, 1, LC0 ;
 | atom.acquire.gpu.` + fmt.Sprintf(atomic, "r1") + ` ;
 | LC0: ;
exists (x == 0)
`)
	}
	random := rand.New(rand.NewPCG(7, 10))
	for range randomPrograms {
		check(randomBuffering(random))
	}
	t.Logf("%d tests, %d of them with load buffering", compared, with)
	assert.Greater(t, with, compared/10)
}

// Where nobody tells of dependencies, as a text in Go does not, they are found by
// executing a thread again with other values read: the same on random programs.
func TestDependenciesAreFoundByOtherValues(t *testing.T) {
	programs := 60
	if given.Large() {
		programs = 400
	}
	random := rand.New(rand.NewPCG(9, 10))
	compared := 0
	for range programs {
		text := randomBuffering(random)
		test, err := litmus.Parse("test", text)
		require.NoError(t, err)
		if !branchesBothWays(test) {
			continue
		}
		compared++
		all, _ := outcomesOf(t, test)
		require.Equal(t, all, outcomesOfSearch(t, test, true, true), "%s", text)
	}
	assert.Greater(t, compared, programs/2)
}

// branchesBothWays says whether each branch of a test asks if a read has read 0, which
// every location holds at some time: a dependency on one that no value takes makes no
// difference.
func branchesBothWays(test *litmus.Test) bool {
	for _, thread := range test.Threads {
		read := map[int]bool{}
		for i := range thread.Code {
			switch in := &thread.Code[i]; in.Op {
			case litmus.Load, litmus.Atomic, litmus.Exchange, litmus.Compare:
				read[in.Register] = true
			case litmus.Branch:
				if !read[in.A.Register] || in.B.IsRegister || in.B.Constant != 0 {
					return false
				}
			}
		}
	}
	return true
}

// What is not found is a dependency that makes no difference: on a value that cancels
// itself out, and on a branch that is never taken. A text in Go has no such thing, as a
// compiler may leave it out.
func TestDependenciesThatMakeNoDifference(t *testing.T) {
	for _, c := range []struct {
		name, between, store string
		told, found          bool // whether there is load buffering
	}{
		{"none", "add r1, r2, 0", "1", true, true},
		{"data", "add r1, r0, 0", "r1", false, false},
		{"a product, one factor of which is 0 at first", "mul r1, r0, r2", "r1", false, false},
		{"control", "bne r0, 1, LC0", "1", false, false},
		{"a value that cancels itself out", "sub r1, r0, r0", "r1", false, true},
		{"a branch that is never taken", "beq r0, 77, LC0", "1", false, true},
	} {
		test, err := litmus.Parse("test", `PTX buffering
{ x=0; y=0; z=0; }
P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0 ;
ld.relaxed.gpu r2, z | ld.relaxed.gpu r0, y | st.relaxed.gpu z, 1 ;
ld.relaxed.gpu r0, x | add r1, r0, 1 | ;
`+c.between+` | st.relaxed.gpu x, r1 | ;
st.relaxed.gpu y, `+c.store+` | | ;
LC0: | | ;
exists (x == 0)
`)
		require.NoError(t, err)
		_, with := outcomesOf(t, test)
		assert.Equal(t, c.told, len(with) > 0, c.name)
		assert.Equal(t, c.told, len(outcomesOfSearch(t, test, false, false)) > 0, c.name)
		assert.Equal(t, c.found, len(outcomesOfSearch(t, test, false, true)) > 0, c.name)
	}
}

// The sixth fence of the deque: without it a thief that has taken a task returns the one
// that the owner has put into the same place since. Whoever replays the case finds that.
func TestTheSixthFenceIsNeeded(t *testing.T) {
	search := func(spec, memory string, other ...string) *Result {
		subject := weakSetupOf(t, memory, spec, "0:").Subject
		program, err := subject.ParseProgram(strings.Join(append(other, "0: push push pop push\n1: steal")[:1], ""))
		require.NoError(t, err)
		r, err := (&Search{Subject: subject, Programs: []model.Program{program}}).Run(t.Context())
		require.NoError(t, err)
		return r
	}
	const without = "abp:orders=steal-fence-task-head.weak"
	assert.Equal(t, model.Linearizable, search("abp", "ptx:buffering=yes").Verdict)
	assert.Equal(t, model.Linearizable, search(without, "ptx").Verdict)
	r := search(without, "ptx:buffering=yes")
	require.NotNil(t, r.Failure)
	assert.True(t, r.Failure.Case.Schedule.Choices.Buffered())
	// Nor do six suffice: a swap that is lost must acquire.
	const lost = "0: push pop push\n1: steal steal"
	assert.Equal(t, model.Violation, search("abp", "ptx:buffering=yes", lost).Verdict)
	assert.Equal(t, model.Linearizable, search("abp:orders=pop-swap-head.acquire", "ptx:buffering=yes", lost).Verdict)

	c, err := model.ParseCase(r.Failure.Case.String())
	require.NoError(t, err)
	again, err := fuzz.RunCase(c)
	require.NoError(t, err)
	assert.True(t, again.Expected())
	assert.Contains(t, strings.Join(trace.Reordered(again.Execution, again.Matter), "\n"), "which comes later, and read what that wrote")
	for i := range c.Schedule.Choices {
		if c.Schedule.Choices[i].Later > 0 {
			c.Schedule.Choices[i].Value++
		}
	}
	_, err = fuzz.RunCase(c)
	assert.ErrorContains(t, err, "which does not write that")
}

// randomBuffering writes a program whose loads flow into stores, and whose stores often
// come behind loads.
func randomBuffering(r *rand.Rand) string {
	choose := func(among ...string) string { return among[r.IntN(len(among))] }
	scope := func() string { return choose("cta", "gpu", "gpu", "gpu", "sys") }
	threads := 2 + r.IntN(2)
	most := 5 - threads/3
	columns := make([][]string, threads)
	var b strings.Builder
	b.WriteString("PTX buffering\n{ x=0; y=0; z=0; }\n")
	value := 0
	for p := range threads {
		if p > 0 {
			b.WriteString(" | ")
		}
		fmt.Fprintf(&b, "P%d@cta %s,gpu 0", p, choose("0", fmt.Sprint(p)))
		registers := 0
		operand := func() string {
			value++
			if registers > 0 && r.IntN(3) == 0 {
				return fmt.Sprintf("r%d", r.IntN(registers))
			}
			return fmt.Sprint(value)
		}
		load := func() {
			columns[p] = append(columns[p], fmt.Sprintf("ld.%s r%d, %s", choose("weak", "relaxed."+scope(), "relaxed."+scope(), "acquire."+scope()), registers, choose("x", "y", "z")))
			registers++
		}
		load()
		for n := 1; n < 2+r.IntN(most-1); n++ {
			x := choose("x", "y", "z")
			switch r.IntN(10) {
			case 0:
				load()
			case 1:
				columns[p] = append(columns[p], "fence."+choose("acq_rel", "sc")+"."+scope())
			case 2:
				columns[p] = append(columns[p], fmt.Sprintf("atom.%s.%s.%s r%d, %s, %s", choose("relaxed", "acquire", "release", "acq_rel"), scope(), choose("add", "exch", "max"), registers, x, operand()))
				registers++
			case 3:
				columns[p] = append(columns[p], fmt.Sprintf("atom.%s.%s.cas r%d, %s, %s, %s", choose("relaxed", "acquire", "release"), scope(), registers, x, choose("0", operand()), operand()))
				registers++
			case 4:
				columns[p] = append(columns[p], fmt.Sprintf("add r%d, r%d, %d", registers, r.IntN(registers), r.IntN(2)))
				registers++
			case 5:
				columns[p] = append(columns[p], fmt.Sprintf("beq r%d, %d, LC%d", r.IntN(registers), r.IntN(2), p))
			default:
				columns[p] = append(columns[p], fmt.Sprintf("st.%s %s, %s", choose("weak", "relaxed."+scope(), "relaxed."+scope(), "release."+scope()), x, operand()))
			}
		}
		columns[p] = append(columns[p], fmt.Sprintf("LC%d:", p))
	}
	return withColumns(&b, columns, most+2)
}
