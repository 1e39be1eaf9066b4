package exhaust

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/fuzz"
	"stealproof/fuzz/internal/given"
	"stealproof/fuzz/programs"
	"stealproof/model"
)

// programsOfTheirOwn are those of defects that need more operations than all
// programs can have.
var programsOfTheirOwn = map[string]string{
	"abp:width=2": "0: [push pop]*5\n1: steal",
	"abp:width=3": "0: [push pop]*9\n1: steal",
	"abp:width=4": "0: [push pop]*17\n1: steal",
	"tz:capacity=3,every=1,defect=null-not-switched": "0: enq\n1: [enq deq]*4",
	"the:failed=empty-if-equal":                      "0: push[4,8) pop(3) pop(1)\n1: steal(1) steal(2) steal(1)",
}

// tooLarge are the defects whose counterexamples do not fit: a process must
// sleep in the middle of an operation while others go through the whole array, and
// the programs in which they do have more executions than a test can make. The
// strategies find them; see Register.
var tooLarge = map[string]string{
	"tz:capacity=3,defect=positions-modulo":            "12 enqueues and dequeues of two processes or 6 of three, over ten million executions",
	"tz:capacity=3,every=1,defect=vnull-not-published": "two rounds of 3 slots beside a process that sleeps: 10 operations",
	"tz:capacity=3,every=1,vnull=elsewhere":            "two rounds of 3 slots beside a process that sleeps: 10 operations",
	"tz:capacity=5,every=1,defect=head-store":          "a round of 5 slots beside a dequeue that sleeps: 12 operations",
}

// usual are the bounds within which most defects show.
var usual = map[model.Kind][]programs.Bounds{
	model.WSDeque: {{Shape: programs.Shape{4, 2}}, {Shape: programs.Shape{3, 1, 1}}},
	model.FIFO:    {{Shape: programs.Shape{3, 2}}, {Shape: programs.Shape{2, 1, 1}}},
	model.Range:   {{Shape: programs.Shape{2, 1}}, {Shape: programs.Shape{3, 1}}, {Shape: programs.Shape{2, 1, 1}}},
	model.Bag:     {{Shape: programs.Shape{2, 2}}, {Shape: programs.Shape{3, 1}, Phases: 3}},
}

// Every planted defect is found by executing every program of a size, in the
// smallest program that shows it.
func TestEveryPlantedDefectIsFoundExhaustively(t *testing.T) {
	for _, p := range fuzz.Register {
		t.Run(p.Spec, func(t *testing.T) {
			if why := tooLarge[p.Spec]; why != "" {
				t.Skip(why)
			}
			if testing.Short() && p.Spec == "tz:capacity=4,defect=tail-store" {
				t.Skip("takes as many executions as all the others")
			}
			r := findExhaustively(t, p.Spec)
			require.NotNil(t, r, "%s: %s", p.Spec, p.Why)
			t.Logf("%d operations, %d executions, %s: %s", r.Failure.Case.Program.Len(), r.Executions, r.Elapsed, r.Failure.Finding.Kind)
			again, err := fuzz.RunCase(r.Failure.Case)
			require.NoError(t, err)
			assert.True(t, again.Expected())
		})
	}
}

// findExhaustively returns the search that found something, or nil.
func findExhaustively(t *testing.T, text string) *Result {
	subject := given.Subject(t, text)
	if program, own := programsOfTheirOwn[text]; own {
		r := exhaust(t, searchOf(given.Setup(t, text, program)))
		return found(r)
	}
	bounds := usual[subject.Design().Kind]
	for _, b := range bounds {
		programs, err := programs.All(subject, b)
		require.NoError(t, err)
		r := exhaust(t, &Search{Subject: subject, Programs: programs, Accesses: 500, Limit: 100_000})
		if found(r) != nil {
			return r
		}
		t.Logf("not within %s: %s, %d executions in %s", b.Shape, r.Verdict, r.Executions, r.Elapsed)
	}
	return nil
}

func found(r *Result) *Result {
	if r.Failure == nil {
		return nil
	}
	return r
}
