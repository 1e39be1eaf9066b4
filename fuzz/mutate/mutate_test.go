package mutate

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/fuzz"
	"stealproof/fuzz/internal/given"
	"stealproof/model"
	"stealproof/ref"
)

// mutate judges the mutants whose names have one of the words.
func mutate(t *testing.T, spec string, jobs int, words ...string) *Score {
	t.Helper()
	x := Measurement{Subject: given.Subject(t, spec), Seed: 1, Jobs: jobs, Only: func(m ref.Mutant) bool {
		for _, w := range words {
			if strings.Contains(m.String(), w) {
				return true
			}
		}
		return len(words) == 0
	}}
	s, err := x.Run(context.Background())
	require.NoError(t, err)
	return s
}

func outcomes(s *Score) map[string]Outcome {
	m := map[string]Outcome{}
	for _, r := range s.Mutants {
		m[r.Mutant.String()] = r.Outcome
	}
	return m
}

// The mutants of a structure under a lock: without the lock, or with a lock that
// does not lock, everything breaks; to read twice what nobody else may change is
// the same.
func TestMutantsOfAList(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a campaign for each mutant")
	}
	s := mutate(t, "list", 0)
	got := outcomes(s)
	for name, want := range map[string]Outcome{
		"lock.drop": Killed, "lock.blind": Killed, "lock.split": Killed, "lock.never": Killed, "unlock.drop": Killed, "unlock.twice": Killed,
		"read-beg.minus-one": Killed, "write-end.drop": Killed, "write-beg.late": Killed,
		"read-beg.twice": Equivalent, "write-end.twice": Equivalent,
		"lock.weaker": OrdersOnly, "unlock.weakest": OrdersOnly,
		"read-beg.reuse": Unreached, "read-beg.weakest": Unreached,
	} {
		assert.Equal(t, want, got[name], name)
	}
	assert.Zero(t, s.Count(Survivor, NotJudged))
	assert.Empty(t, s.Unexplained())
	for _, r := range s.Mutants {
		if r.Outcome != Killed {
			assert.Nil(t, r.Failure)
			continue
		}
		assert.Positive(t, r.Executions)
		again, err := model.ParseCase(r.Failure.Case.String())
		require.NoError(t, err)
		rerun, err := fuzz.RunCase(again)
		require.NoError(t, err)
		assert.True(t, rerun.Expected(), r.Failure.Case.String())
	}
}

// The result depends on the seed alone, and not on the number of workers.
func TestMutationIsDeterministic(t *testing.T) {
	words := []string{"lock", "read-beg"}
	if testing.Short() {
		words = []string{"unlock"}
	}
	one, three := mutate(t, "blocking", 1, words...), mutate(t, "blocking", 3, words...)
	var a, b bytes.Buffer
	require.NoError(t, one.Write(&a, true))
	require.NoError(t, three.Write(&b, true))
	assert.Equal(t, a.String(), b.String())
}

// Mutants that do what a planted defect does are killed as it is found.
func TestMutantsThatArePlantedDefects(t *testing.T) {
	for spec, mutants := range map[string][]string{
		"abp": {"steal-swap-head.blind", "pop-swap-head.blind", "pop-reset-tail.drop", "pop-reset-tail.late", "pop-swap-head.uncounted", "pop-reset-head.uncounted", "push-write-task.late"},
		"tz":  {"enq-swap-slot.blind", "deq-swap-slot.blind", "deq-swap-head.blind", "deq-write-vnull.drop", "enq-swap-head-to-help.drop"},
		"the": {"steal-lock.drop", "steal-undo-end.drop", "owner-lock.split", "steal-retreat-end.late", "pop-advance-beg.late"},
	} {
		if testing.Short() && spec != "abp" {
			continue
		}
		for name, got := range outcomes(mutate(t, spec, 0, mutants...)) {
			assert.Equal(t, Killed, got, "%s %s", spec, name)
		}
	}
}

// Every reason belongs to a survivor; the other way round, that no survivor is
// without one, is what the command's exit code says, and docs/mutation.md.
func TestReasonsOfSurvivors(t *testing.T) {
	for structure, reasons := range Reasons {
		if (structure == "tz" || structure == "the") && !given.Large() || structure != "static" && testing.Short() {
			continue // they are what takes longest: make large
		}
		var names []string
		for name, why := range reasons {
			names = append(names, name)
			assert.NotEmpty(t, why)
		}
		s := mutate(t, structure, 0, names...)
		assert.Len(t, s.Mutants, len(names), "a reason for a mutant that there is not")
		assert.Equal(t, len(names), s.Count(Survivor), "%v", outcomes(s))
		assert.Empty(t, s.Outdated())
		assert.Empty(t, s.Unexplained())
	}
}

// A survivor without a reason stands out.
func TestUnexplainedSurvivors(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a campaign for each mutant")
	}
	s := mutate(t, "list", 0, "read-beg.twice")
	s.Mutants[0].Outcome = Survivor
	assert.Equal(t, []string{"read-beg.twice"}, s.Unexplained())
	var text bytes.Buffer
	require.NoError(t, s.Write(&text, false))
	assert.Contains(t, text.String(), "UNEXPLAINED: holds in all executions of the bounds, with other results")

	s = mutate(t, "static", 0, "host.drop")
	assert.Empty(t, s.Unexplained())
	s.Mutants[0].Outcome = Killed
	assert.Equal(t, []string{"host.drop"}, s.Outdated())
}

// What fails by itself says nothing about mutants.
func TestMutantsOfABrokenStructure(t *testing.T) {
	x := Measurement{Subject: given.Subject(t, "list:defect=no-lock"), Seed: 1, Only: func(m ref.Mutant) bool { return m.String() == "read-beg.drop" }}
	_, err := x.Run(context.Background())
	assert.ErrorContains(t, err, "list:defect=no-lock fails without a mutant already, so that its mutants say nothing: ")
}

func TestMutationInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	x := Measurement{Subject: given.Subject(t, "list"), Seed: 1}
	s, err := x.Run(ctx)
	require.NoError(t, err)
	assert.Equal(t, len(s.Mutants), s.Count(NotJudged))
}

// Every trial and every bound is worth its time: it reaches some line, and holds
// without a mutant.
func TestSuitesHoldWithoutMutants(t *testing.T) {
	if testing.Short() {
		t.Skip("runs every campaign of the suites")
	}
	for _, d := range ref.Designs() {
		if d.Name == "tz" && !given.Large() {
			continue // twelve campaigns: make large
		}
		j, err := newMutantJudge(&Measurement{Subject: given.Subject(t, d.Name), Seed: 1})
		require.NoError(t, err)
		for _, tr := range j.trials {
			assert.NoError(t, j.holdsWithout(context.Background(), tr), d.Name)
		}
		for _, b := range j.baselines {
			require.NoError(t, j.original(context.Background(), b), d.Name)
			assert.True(t, b.complete, "%s %s\n%s", d.Name, b.settings, b.program)
		}
	}
}

// A queue with two nulls fails by itself where an enqueue sleeps through more
// enqueues of others than there are slots: a mutant must not be killed by that.
func TestTrialsStayWithinTheTwoNulls(t *testing.T) {
	j, err := newMutantJudge(&Measurement{Subject: given.Subject(t, "tz"), Seed: 1})
	require.NoError(t, err)
	for _, tr := range j.trials {
		c, err := j.campaign(tr, "")
		require.NoError(t, err)
		for run := 0; run < tr.runs; run += fuzz.RunsPerProgram {
			setup, err := c.Subject.Prepare(c.ProgramOf(run))
			require.NoError(t, err)
			slots := setup.Space.Names()[3] // nodes[0..N-1]
			enqs, total := []int{}, 0
			for _, calls := range setup.Program.Expand() {
				n := 0
				for _, call := range calls {
					if call.Op == model.Enq {
						n++
					}
				}
				enqs, total = append(enqs, n), total+n
			}
			for p, n := range enqs {
				if n > 0 {
					last := int(slots[len(slots)-2] - '0')
					require.LessOrEqual(t, total-n, last+1, "%s: process %d\n%s", setup.Subject.Spec(), p, setup.Program)
				}
			}
		}
	}
}

// Load buffering is not left out in silence.
func TestMutantsWithLoadBuffering(t *testing.T) {
	s, err := ref.NewSubject(model.Spec{Structure: "abp"}, model.Spec{Structure: ref.MemoryPTX, Settings: model.Settings{"buffering": "yes"}})
	require.NoError(t, err)
	_, err = (&Measurement{Subject: s}).Run(t.Context())
	assert.ErrorContains(t, err, "leave buffering=yes out")
}
