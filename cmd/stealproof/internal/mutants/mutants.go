// Package mutants is "stealproof mutants".
package mutants

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"stealproof/cmd/stealproof/internal/cases"
	"stealproof/cmd/stealproof/internal/console"
	"stealproof/cmd/stealproof/internal/exit"
	"stealproof/cmd/stealproof/internal/files"
	"stealproof/cmd/stealproof/internal/report"
	"stealproof/cmd/stealproof/internal/subject"
	"stealproof/cmd/stealproof/internal/usage"
	"stealproof/fuzz/mutate"
	"stealproof/model"
	"stealproof/ref"
	"stealproof/ref/ptx/patch"
)

type flags struct {
	memory, only, save string
	seed               uint64
	jobs               int
	all                bool
	argument           subject.Argument
	limit              exit.Limit
}

// Command is "stealproof mutants".
func Command(con *console.Console) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "mutants [flags] [STRUCTURE...|MODULE.ptx]",
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

Of a module (docs/modules.md) every access that an operation reaches is changed in
the text, by the operators that fit; each mutant is a patch, as explore and gpu run
take it with --patch. Its survivors have no reasons: 3 says that there are some.

` + operatorList() + `
Exit codes: 0 every survivor has a reason; 1 a survivor has none, or a reason
no survivor; 3 undecided, since the reasons are for other settings or memories.`,
		Example: "  stealproof mutants abp\n  stealproof mutants --all --save cases abp tz the\n  stealproof mutants --only steal-swap-head abp\n  stealproof mutants queue.ptx --model fifo --only queue.cu:31",
		RunE: exit.Command(func(cmd *cobra.Command, args []string) (model.Verdict, error) {
			return f.limit.Within(cmd.Context(), con.SayLimit, func(ctx context.Context) (model.Verdict, error) {
				return mutants(ctx, cmd, con, f, args)
			})
		}).RunE,
	}
	fl := cmd.Flags()
	fl.StringVar(&f.memory, "memory", "sc", "what the mutants run on: sc (sequentially consistent), ptx, rc11 or tso, as explore has them")
	fl.StringVar(&f.only, "only", "", "only the mutants whose names contain this")
	fl.StringVar(&f.save, "save", "", "save the case that killed a mutant, STRUCTURE.MUTANT.case, to this folder")
	fl.Uint64Var(&f.seed, "seed", 1, "seed of the random programs")
	fl.IntVar(&f.jobs, "jobs", 0, "mutants at the same time (default one per processor)")
	f.argument.Register(fl)
	f.limit.Register(fl)
	fl.BoolVar(&f.all, "all", false, "print the mutants that were killed too, by which violation, and after how many executions")
	return cmd
}

func operatorList() string {
	var b strings.Builder
	b.WriteString("What is done to an access:\n")
	for _, o := range ref.Operators {
		fmt.Fprintf(&b, "  %-10s %s\n", o.Name, o.Doc)
	}
	b.WriteString("and in the text of a module:\n")
	for _, o := range patch.Mechanical() {
		fmt.Fprintf(&b, "  %-10s %s\n", o.Name, o.Doc)
	}
	return b.String()
}

func mutants(ctx context.Context, cmd *cobra.Command, con *console.Console, f flags, args []string) (model.Verdict, error) {
	if err := usage.Jobs(f.jobs); err != nil {
		return model.NotRun, err
	}
	all, err := mutations(f, args, cmd.Flags().Changed)
	if err != nil {
		return model.NotRun, err
	}
	if err := files.MakeFolder(f.save); err != nil {
		return model.NotRun, err
	}
	var scores []*mutate.Score
	verdict := model.Linearizable
	for _, x := range all {
		bar := con.Bar("mutants of "+x.Subject.Spec().String(), 0)
		x.Progress = bar.At
		s, err := x.Run(ctx)
		bar.Done()
		if err != nil {
			return model.NotRun, err
		}
		scores = append(scores, s)
		note(&con.Report, s)
		verdict = verdict.And(scoreVerdict(s))
		if err := saveKilled(f.save, s); err != nil {
			return model.NotRun, err
		}
		if ctx.Err() != nil {
			break
		}
	}
	countAll(&con.Report, scores)
	return verdict, printScores(con, scores, f)
}

// mutations are what the command line asks for.
func mutations(f flags, args []string, changed func(flag string) bool) ([]*mutate.Measurement, error) {
	memory, err := subject.UnbufferedMemory(f.memory)
	if err != nil {
		return nil, err
	}
	if len(args) == 0 {
		for _, d := range ref.Designs() {
			args = append(args, d.Name)
		}
	}
	var all []*mutate.Measurement
	found := false
	for _, name := range args {
		s, err := f.argument.Structure(name, changed)
		if err == nil {
			s, err = s.On(memory)
		}
		if err != nil {
			return nil, err
		}
		if err := subject.CheckIdleOrders(s, memory.Structure != ""); err != nil {
			return nil, err
		}
		x := &mutate.Measurement{Subject: s, Seed: f.seed, Jobs: f.jobs}
		x.Only = func(m ref.Mutant) bool { return strings.Contains(m.String(), f.only) }
		for _, m := range s.Design().Mutants() {
			found = found || x.Only(m)
		}
		all = append(all, x)
	}
	if !found {
		like := "pop-write-tail.drop"
		if mutants := all[0].Subject.Design().Mutants(); subject.IsModule(args[0]) && len(mutants) > 0 {
			like = mutants[0].String()
		}
		return nil, fmt.Errorf("--only %s: no mutant has this in its name, as in %s", f.only, like)
	}
	return all, nil
}

// scoreVerdict says whether everything that lives on is explained.
func scoreVerdict(s *mutate.Score) model.Verdict {
	switch {
	case len(s.Outdated()) > 0:
		return model.Violation
	case s.Count(mutate.NotJudged) > 0 || len(s.Unexplained()) > 0 && !s.Standard():
		return model.Undecided
	case len(s.Unexplained()) > 0:
		return model.Violation
	}
	return model.Linearizable
}

// note puts a score into the report, an item for each mutant.
func note(to *report.Report, s *mutate.Score) {
	spec := s.Subject.Spec().String()
	for i := range s.Mutants {
		m := &s.Mutants[i]
		item := report.Item{Name: spec + ": " + m.Mutant.String(), Verdict: report.Holds, Memory: report.MemoryOf(s.Subject), Answer: m.Outcome.String(),
			Statistics: map[string]any{"executions": m.Executions}}
		found := report.Finding{Item: item.Name, Subject: spec, Site: s.Subject.Design().Sites[m.Mutant.Site]}
		switch m.Outcome {
		case mutate.Killed:
			item.Details = map[string]any{"killed_by": m.Failure.Finding.Kind, "exhaustively": m.Exhaustive, "case": m.Failure.Case.String()}
		case mutate.NotJudged:
			item.Verdict = model.Undecided.String()
			found.Kind, found.Level, found.Message = report.Undecided, report.Warning, "not judged: the search ended before"
		case mutate.Survivor:
			if item.Message = s.Reason(m.Mutant); item.Message == "" {
				item.Verdict = model.Violation.String()
				found.Kind, found.Message = "survivor", m.Mutant.String()+" lives on, and there is no reason why nothing is wrong with it"
				if !s.Standard() {
					item.Verdict, found.Level = model.Undecided.String(), report.Warning
				}
			}
		}
		to.Add(item)
		if found.Kind != "" {
			found.File, found.Line = cases.Place(found.Site, "")
			to.Find(found)
		}
	}
	for _, name := range s.Outdated() {
		to.Find(report.Finding{Kind: "outdated", Subject: spec, Message: name + " has a reason why it lives on, and does not"})
	}
}

// countAll puts the sums into the report.
func countAll(to *report.Report, scores []*mutate.Score) {
	all, killed, survivors := 0, 0, 0
	for _, s := range scores {
		all, killed, survivors = all+len(s.Mutants), killed+s.Count(mutate.Killed), survivors+s.Count(mutate.Survivor)
	}
	for name, n := range map[string]int{"mutants": all, "killed": killed, "survivors": survivors} {
		to.Count(name, n)
	}
}

func printScores(con *console.Console, scores []*mutate.Score, f flags) error {
	if err := mutate.WriteScores(con.Out, scores); err != nil {
		return err
	}
	for _, s := range scores {
		fmt.Fprintln(con.Out)
		if err := s.Write(con.Out, f.all); err != nil {
			return err
		}
		for _, name := range s.Outdated() {
			fmt.Fprintf(con.Out, "  OUTDATED: %s has a reason why it lives on, and does not\n", name)
		}
	}
	return nil
}

// saveKilled keeps the cases that killed mutants.
func saveKilled(folder string, s *mutate.Score) error {
	for _, m := range s.Mutants {
		if m.Outcome != mutate.Killed {
			continue
		}
		if err := cases.Save(folder, s.Subject.Spec().String(), m.Mutant, &m.Failure.Case); err != nil {
			return err
		}
	}
	return nil
}
