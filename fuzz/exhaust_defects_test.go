package fuzz

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/model"
	"stealproof/ref"
)

// larger are the bounds of defects that do not show within the usual ones.
var larger = map[string]Bounds{}

// programsOfTheirOwn are those of defects that need more operations than all
// programs can have.
var programsOfTheirOwn = map[string]string{
	"abp:width=2": "0: [push pop]*5\n1: steal",
	"abp:width=3": "0: [push pop]*9\n1: steal",
	"abp:width=4": "0: [push pop]*17\n1: steal",
}

// usual are the bounds within which most defects show.
var usual = map[model.Kind][]Bounds{
	model.WSDeque: {{Shape: Shape{4, 2}}, {Shape: Shape{3, 1, 1}}},
	model.FIFO:    {{Shape: Shape{3, 2}}, {Shape: Shape{2, 1, 1}}},
	model.Range:   {{Shape: Shape{2, 1}}, {Shape: Shape{3, 1}}, {Shape: Shape{2, 1, 1}}},
	model.Bag:     {{Shape: Shape{2, 2}}, {Shape: Shape{3, 1}, Phases: 3}},
}

// Every planted defect is found by executing every program of a size, in the
// smallest program that shows it.
func TestEveryPlantedDefectIsFoundExhaustively(t *testing.T) {
	for _, p := range Register {
		t.Run(p.Spec, func(t *testing.T) {
			r := findExhaustively(t, p.Spec)
			require.NotNil(t, r, "%s: %s", p.Spec, p.Why)
			t.Logf("%d operations, %d executions, %s: %s", r.Failure.Case.Program.Len(), r.Executions, r.Elapsed, r.Failure.Finding.Kind)
			again, err := RunCase(r.Failure.Case)
			require.NoError(t, err)
			assert.True(t, again.Expected())
		})
	}
}

// findExhaustively returns the search that found something, or nil.
func findExhaustively(t *testing.T, text string) *Exhausted {
	spec := mustSpec(t, text)
	config, err := ref.Resolve(spec)
	require.NoError(t, err)
	if program, own := programsOfTheirOwn[text]; own {
		r := exhaust(t, &Exhaust{Setup: mustSetup(t, text, program)})
		return found(r)
	}
	bounds := usual[config.Design.Kind]
	if b, given := larger[text]; given {
		bounds = []Bounds{b}
	}
	for _, b := range bounds {
		programs, err := AllPrograms(config, b)
		require.NoError(t, err)
		setup, err := ref.Prepare(spec, programs[0])
		require.NoError(t, err)
		r := exhaust(t, &Exhaust{Setup: setup, Programs: programs, Accesses: 500, Limit: 100_000})
		if found(r) != nil {
			return r
		}
		t.Logf("not within %s: %s, %d executions in %s", b.Shape, r.Verdict, r.Executions, r.Elapsed)
	}
	return nil
}

func found(r *Exhausted) *Exhausted {
	if r.Failure == nil {
		return nil
	}
	return r
}
