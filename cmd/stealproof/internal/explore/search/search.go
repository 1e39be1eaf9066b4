// Package search has what the searches of "stealproof explore" share: what they look
// at, how much of it, and what becomes of a failure.
package search

import (
	"fmt"

	"github.com/spf13/pflag"

	"stealproof/cmd/stealproof/internal/cases"
	"stealproof/cmd/stealproof/internal/subject"
	"stealproof/cmd/stealproof/internal/usage"
)

// Flags are those that all searches have.
type Flags struct {
	Subject    subject.Flags
	Failure    cases.Flags
	Runs, Jobs int
}

// Register adds the flags to those of the command.
func (f *Flags) Register(fl *pflag.FlagSet) {
	f.Subject.Register(fl)
	f.Failure.Register(fl)
	fl.IntVar(&f.Runs, "runs", 100000, "number of executions")
	fl.IntVar(&f.Jobs, "jobs", 0, "executions at the same time (default one per processor)")
}

// Check refuses numbers that make no sense by themselves.
func (f *Flags) Check() error {
	if f.Runs < 1 {
		return fmt.Errorf("--runs %d: expected at least 1", f.Runs)
	}
	return usage.Jobs(f.Jobs)
}

// Search is what is to be searched.
type Search struct {
	subject.Work
	Runs    int
	Limited bool // somebody asked for that number of Runs
	Jobs    int
	Failure cases.Flags
}
