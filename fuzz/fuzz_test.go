package fuzz

import (
	"testing"

	"github.com/stretchr/testify/require"

	"stealproof/fuzz/choice"
	"stealproof/fuzz/internal/given"
	"stealproof/fuzz/programs"
	"stealproof/fuzz/schedule"
	"stealproof/model"
	"stealproof/ref"
)

// The fuzz targets mutate a program and a schedule, each a string of bytes, on
// every structure: what holds must hold.

func FuzzABP(f *testing.F)      { fuzzStructure(f, "abp") }
func FuzzTZ(f *testing.F)       { fuzzStructure(f, "tz:capacity=24") }
func FuzzTHE(f *testing.F)      { fuzzStructure(f, "the") }
func FuzzBlocking(f *testing.F) { fuzzStructure(f, "blocking:capacity=3") }
func FuzzStatic(f *testing.F)   { fuzzStructure(f, "static") }
func FuzzList(f *testing.F)     { fuzzStructure(f, "list") }

func fuzzStructure(f *testing.F, spec string) {
	f.Add([]byte{2, 3, 2, 0, 1, 0, 1}, []byte{0, 0, 0, 1, 0, 0, 1})
	f.Add([]byte{1, 4, 4, 0, 0, 1, 1, 0, 1, 1}, []byte{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1})
	f.Add([]byte{3, 2, 2, 2, 2}, []byte{})
	s, err := model.ParseSpec(spec)
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, program, choices []byte) {
		setup := setupFromBytes(t, s, program)
		holdsUnder(t, setup, schedule.NewByteChoices(choices), 0)
	})
}

// setupFromBytes takes the shape and the program from a string of bytes.
func setupFromBytes(t *testing.T, spec model.Spec, program []byte) *ref.Setup {
	source := choice.NewBytes(program)
	shape := make(programs.Shape, 1+source.IntN(4))
	for i := range shape {
		shape[i] = 1 + source.IntN(5)
	}
	subject := given.Subject(t, spec.String())
	setup, err := subject.Prepare(programs.New(subject, shape, source))
	require.NoError(t, err)
	return setup
}

// FuzzReplay follows arbitrary lists of choices: a list either is followed to
// its end or refused, and never makes a structure fail that holds.
func FuzzReplay(f *testing.F) {
	f.Add("0*3,1*3")
	f.Add("2,1,0,2,1,0,2,1,0")
	f.Add("0*4000000000")
	f.Fuzz(func(t *testing.T, text string) {
		choices, err := model.ParseChoices(text)
		if err != nil {
			return
		}
		spec, err := model.ParseSpec("abp")
		require.NoError(t, err)
		program, err := model.ParseProgram(model.WSDeque, "0: push push pop\n1: steal\n")
		require.NoError(t, err)
		r, err := RunCase(model.Case{Kind: model.WSDeque, Spec: spec, Program: program, Schedule: model.Schedule{Strategy: model.ByChoices, Choices: choices}})
		if err != nil {
			return
		}
		require.Equal(t, model.Linearizable, r.Finding.Verdict)
	})
}
