// Package given makes what tests begin with out of its text.
package given

import (
	"os"

	"stealproof/model"
	"stealproof/ref"
)

// Large says whether the tests are to be made at full size: see make large.
func Large() bool { return os.Getenv("STEALPROOF_LARGE") != "" }

// Amount is how much a test does: little if it is to be short, much for make large.
func Amount(short bool, little, usual, much int) int {
	switch {
	case Large():
		return much
	case short:
		return little
	}
	return usual
}

// TB is what is needed of a *testing.T.
type TB interface {
	Helper()
	Fatal(args ...any)
}

func must[T any](tb TB, v T, err error) T {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
	return v
}

// Spec reads a spec.
func Spec(tb TB, text string) model.Spec {
	tb.Helper()
	s, err := model.ParseSpec(text)
	return must(tb, s, err)
}

// Subject is a structure of package ref on the sequentially consistent memory.
func Subject(tb TB, spec string) ref.Subject {
	tb.Helper()
	s, err := ref.NewSubject(Spec(tb, spec), model.Spec{})
	return must(tb, s, err)
}

// CaseSubject is what a case is about.
func CaseSubject(tb TB, c model.Case) ref.Subject {
	tb.Helper()
	s, err := ref.NewSubject(c.Spec, c.Memory)
	return must(tb, s, err)
}

// On is the subject on another memory.
func On(tb TB, memory string, s ref.Subject) ref.Subject {
	tb.Helper()
	s, err := s.On(Spec(tb, memory))
	return must(tb, s, err)
}

// Setup is a program on a structure of package ref.
func Setup(tb TB, spec, program string) *ref.Setup {
	tb.Helper()
	return Prepare(tb, Subject(tb, spec), program)
}

// Prepare is a program on a subject.
func Prepare(tb TB, s ref.Subject, program string) *ref.Setup {
	tb.Helper()
	p, err := s.ParseProgram(program)
	must(tb, p, err)
	setup, err := s.Prepare(p)
	return must(tb, setup, err)
}
