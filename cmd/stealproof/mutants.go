package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"stealproof/fuzz"
	"stealproof/model"
	"stealproof/ref"
)

type mutantFlags struct {
	memory, only, save string
	seed               uint64
	jobs               int
	all                bool
}

func (a *app) mutantsCommand() *cobra.Command {
	var f mutantFlags
	cmd := &cobra.Command{
		Use:   "mutants [flags] [STRUCTURE...]",
		Short: "Change every access of a structure, and see whether the checks notice",
		Long: `Changes every access of a structure's algorithm mechanically, one at a time, and
looks for a violation: first in random programs, then in every execution of all
programs of a size. The share of mutants that are noticed is a measure of what a
structure that passes the checks has been through.

A mutant is killed if a violation is found; equivalent if the exhausted programs
have the same histories with it and without it; of the same results if only the
overlap of operations differs; and a survivor otherwise, printed with the reason
why nothing is wrong with it. Mutants that change nothing but orders and fences
are counted apart: the sequentially consistent memory does not look at them.

Without a structure, all of them are done, in some minutes. The mutants are
settings too: stealproof explore abp:mutant=pop-write-tail.drop

` + operatorList() + `
Exit codes: 0 every survivor has a reason; 1 a survivor has none, or a reason
no survivor; 3 undecided, since the reasons are for other settings or memories.`,
		Example: "  stealproof mutants abp\n  stealproof mutants --all --save cases abp tz the\n  stealproof mutants --only steal-swap-head abp",
		RunE:    func(cmd *cobra.Command, args []string) error { return a.mutants(cmd.Context(), f, args) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.memory, "memory", "sc", "what the mutants run on: sc (sequentially consistent) or ptx, as explore has them")
	fl.StringVar(&f.only, "only", "", "only the mutants whose names contain this")
	fl.StringVar(&f.save, "save", "", "save the case that killed a mutant, STRUCTURE.MUTANT.case, to this folder")
	fl.Uint64Var(&f.seed, "seed", 1, "seed of the random programs")
	fl.IntVar(&f.jobs, "jobs", 0, "mutants at the same time (default one per processor)")
	fl.BoolVar(&f.all, "all", false, "print the mutants that were killed too, by which violation, and after how many executions")
	return cmd
}

func operatorList() string {
	var b strings.Builder
	b.WriteString("What is done to an access:\n")
	for _, o := range ref.Operators {
		fmt.Fprintf(&b, "  %-10s %s\n", o.Name, o.Doc)
	}
	return b.String()
}

func (a *app) mutants(ctx context.Context, f mutantFlags, args []string) error {
	a.verdict = model.NotRun
	if f.jobs < 0 {
		return fmt.Errorf("--jobs %d: expected at least 1, or 0 for one per processor", f.jobs)
	}
	all, err := mutations(f, args)
	if err != nil {
		return err
	}
	var scores []*fuzz.Score
	verdict := model.Linearizable
	for _, x := range all {
		bar := newProgress(a.err, "mutants of "+x.Subject.Spec().String(), 0)
		x.Progress = bar.at
		s, err := x.Run(ctx)
		bar.done()
		if err != nil {
			return err
		}
		scores = append(scores, s)
		verdict = verdict.And(scoreVerdict(s))
		if err := saveKilled(f.save, s); err != nil {
			return err
		}
		if ctx.Err() != nil {
			break
		}
	}
	a.verdict = verdict
	return a.printScores(scores, f)
}

// mutations are what the command line asks for.
func mutations(f mutantFlags, args []string) ([]*fuzz.Mutation, error) {
	memory, err := memoryOfSearch(f.memory)
	if err != nil {
		return nil, err
	}
	if len(args) == 0 {
		for _, d := range ref.Designs() {
			args = append(args, d.Name)
		}
	}
	var all []*fuzz.Mutation
	found := false
	for _, name := range args {
		spec, err := model.ParseSpec(name)
		if err != nil {
			return nil, err
		}
		s, err := ref.NewSubject(spec, memory)
		if err != nil {
			return nil, err
		}
		if err := checkIdleOrders(s, memory.Structure != ""); err != nil {
			return nil, err
		}
		x := &fuzz.Mutation{Subject: s, Seed: f.seed, Jobs: f.jobs}
		x.Only = func(m ref.Mutant) bool { return strings.Contains(m.String(), f.only) }
		for _, m := range s.Design().Mutants() {
			found = found || x.Only(m)
		}
		all = append(all, x)
	}
	if !found {
		return nil, fmt.Errorf("--only %s: no mutant has this in its name, as in pop-write-tail.drop", f.only)
	}
	return all, nil
}

// scoreVerdict says whether everything that lives on is explained.
func scoreVerdict(s *fuzz.Score) model.Verdict {
	switch {
	case len(s.Outdated()) > 0:
		return model.Violation
	case s.Count(fuzz.NotJudged) > 0 || len(s.Unexplained()) > 0 && !s.Standard():
		return model.Undecided
	case len(s.Unexplained()) > 0:
		return model.Violation
	}
	return model.Linearizable
}

func (a *app) printScores(scores []*fuzz.Score, f mutantFlags) error {
	if err := fuzz.WriteScores(a.out, scores); err != nil {
		return err
	}
	for _, s := range scores {
		fmt.Fprintln(a.out)
		if err := s.Write(a.out, f.all); err != nil {
			return err
		}
		for _, name := range s.Outdated() {
			fmt.Fprintf(a.out, "  OUTDATED: %s has a reason why it lives on, and does not\n", name)
		}
	}
	return nil
}

// saveKilled keeps the cases that killed mutants.
func saveKilled(folder string, s *fuzz.Score) error {
	for _, m := range s.Mutants {
		if m.Outcome != fuzz.Killed {
			continue
		}
		if err := saveCase(folder, s.Subject.Spec().String(), m.Mutant, &m.Failure.Case); err != nil {
			return err
		}
	}
	return nil
}
