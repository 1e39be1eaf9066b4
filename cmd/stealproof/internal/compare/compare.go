// Package compare is "stealproof compare".
package compare

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"stealproof/cmd/stealproof/internal/console"
	"stealproof/cmd/stealproof/internal/exit"
	"stealproof/cmd/stealproof/internal/report"
	"stealproof/cmd/stealproof/internal/subject"
	"stealproof/cmd/stealproof/internal/words"
	"stealproof/fuzz/compare"
	"stealproof/fuzz/programs"
	"stealproof/fuzz/schedule"
	"stealproof/fuzz/trace"
	"stealproof/model"
	"stealproof/ref"
)

// Command is "stealproof compare".
func Command(con *console.Console) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "compare [flags] STRUCTURE|MODULE.ptx STRUCTURE|MODULE.ptx",
		Short: "Whether two structures, or a kernel and its text, have the same histories",
		Long: `Makes every execution of all programs of a size on two structures, and compares
their histories: the operations, their results, and what preceded what. What is
right or wrong does not matter. Where they differ, the shortest program that
shows it is printed, with the results of either side and an execution of the one
that has more.

With --kernels it does so for every kernel of ours and the structure that stands
beside it, on both memories, or on the one that is named.

Exit codes: 0 the same; 1 they differ; 3 not every execution was made.`,
		Example: `  stealproof compare --kernels
  stealproof compare abp:capacity=2 gpu/ptx/abp.ptx --model wsdeque --numbers 2,16,128 --capacity 2 --shape 3+1
  stealproof compare gpu/examples/ticket.ptx gpu/examples/ticket-trusts-turn.ptx --model fifo`,
		RunE: exit.Command(func(cmd *cobra.Command, args []string) (model.Verdict, error) {
			if f.kernels {
				return f.compareKernels(cmd.Context(), con, cmd.Flags().Changed, args)
			}
			return f.compare(cmd.Context(), con, cmd.Flags().Changed, args)
		}).RunE,
	}
	fl := cmd.Flags()
	fl.BoolVar(&f.kernels, "kernels", false, "compare every kernel of ours with the structure that stands beside it")
	fl.StringVar(&f.memory, "memory", "sc", "what the programs run on: sc (sequentially consistent), ptx, rc11 or tso, as explore has them")
	fl.StringVar(&f.shape, "shape", "2+1", "all programs of up to so many operations of each process; of deques and ranges the first is the owner\n"+
		"(with --kernels: of each its own)")
	f.argument.Register(fl)
	return cmd
}

type flags struct {
	kernels       bool
	memory, shape string
	argument      subject.Argument
}

// compare compares two structures.
func (f *flags) compare(ctx context.Context, con *console.Console, changed func(flag string) bool, args []string) (model.Verdict, error) {
	if len(args) != 2 {
		return model.NotRun, fmt.Errorf("compare: expected two structures or modules, found %d (or --kernels)", len(args))
	}
	memory, err := subject.SearchedMemory(f.memory)
	if err != nil {
		return model.NotRun, err
	}
	shape, err := programs.ParseShape(f.shape)
	if err != nil {
		return model.NotRun, fmt.Errorf("--shape %w", err)
	}
	var both [2]ref.Subject
	for i, arg := range args {
		s, err := f.structure(arg, changed)
		if err == nil {
			both[i], err = s.On(memory)
		}
		if err != nil {
			return model.NotRun, err
		}
	}
	r, err := run(ctx, con, both, shape)
	if err != nil {
		return model.NotRun, err
	}
	con.Report.About(both[0])
	note(&con.Report, report.Item{Name: both[1].Spec().String()}, r)
	return verdict(r), show(con, both, shape, r)
}

// structure is what an argument names; flags of modules are for those among the two.
func (f *flags) structure(argument string, changed func(flag string) bool) (ref.Subject, error) {
	if subject.IsModule(argument) {
		return f.argument.Structure(argument, changed)
	}
	return subject.Structure(argument, model.Spec{})
}

func run(ctx context.Context, con *console.Console, both [2]ref.Subject, shape programs.Shape) (*compare.Result, error) {
	all, err := programs.All(both[0], programs.Bounds{Shape: shape})
	if err != nil {
		return nil, err
	}
	bar := con.Bar("programs", len(all))
	defer bar.Done()
	return (&compare.Comparison{Subjects: both, Programs: all, Progress: bar.At}).Run(ctx)
}

// note puts what came of a comparison into the report: an item for the two, or for the
// kernel and its structure.
func note(to *report.Report, i report.Item, r *compare.Result) {
	i.Verdict, i.Answer, i.Expected = report.Holds, "the same", "the same"
	i.Statistics = map[string]any{"programs": r.Programs, "histories": r.Histories, "executions": r.Executions[0], "executions_of_other": r.Executions[1]}
	found := report.Finding{Item: i.Name}
	switch {
	case r.Difference != nil:
		i.Verdict, i.Answer = model.Violation.String(), "they differ"
		i.Details = map[string]any{"program": r.Difference.Program.String(), "sides": sides(r.Difference)}
		found.Kind, found.Message = "difference", fmt.Sprintf("they differ in the program\n%s", r.Difference.Program)
		found.Subject, found.Trace = i.Name, differing(r.Difference)
	case r.Unfinished != nil:
		i.Verdict, i.Answer = model.Undecided.String(), "undecided"
		found.Kind, found.Level, found.Message = report.Undecided, report.Warning, fmt.Sprintf("not every execution was made of the program\n%s", r.Unfinished)
	}
	to.Add(i)
	if found.Kind != "" {
		to.Find(found)
	}
}

// sides are what the two do in the program in which they differ.
func sides(d *compare.Difference) (all []map[string]any) {
	for k := range d.Sides {
		s := &d.Sides[k]
		side := map[string]any{"subject": s.Subject.Spec().String(), "histories": s.Histories, "outcomes": len(s.Results), "only": append([]string{}, s.Only...)}
		if s.Fails != "" {
			side["fails"] = s.Fails
		}
		all = append(all, side)
	}
	return all
}

// differing is an execution that only one of the two has.
func differing(d *compare.Difference) string {
	var text bytes.Buffer
	if s := shown(d); s != nil {
		if err := showExecution(&text, s.Subject, d.Program, s.Choices); err == nil {
			return text.String()
		}
	}
	return ""
}

func verdict(r *compare.Result) model.Verdict {
	switch {
	case r.Difference != nil:
		return model.Violation
	case r.Unfinished != nil:
		return model.Undecided
	}
	return model.Linearizable
}

// show prints what came of a comparison.
func show(con *console.Console, both [2]ref.Subject, shape programs.Shape, r *compare.Result) error {
	con.Print("%s\nand %s: ", both[0], both[1])
	switch {
	case r.Difference != nil:
		con.Print("they differ\n")
		return showDifference(con, r.Difference)
	case r.Unfinished != nil:
		con.Print("undecided: not every execution was made of the program\n%s", r.Unfinished)
		return nil
	}
	con.Print("the same in all %s of at most %s operations (%s; %d and %d executions)\n",
		words.Plural(r.Programs, "program"), shape, histories(r.Histories), r.Executions[0], r.Executions[1])
	return nil
}

func histories(n int) string {
	if n == 1 {
		return "1 history"
	}
	return fmt.Sprintf("%d histories", n)
}

// mostResults bounds what is listed of a program.
const mostResults = 20

func showDifference(con *console.Console, d *compare.Difference) error {
	con.Print("\nin no shorter program than\n%s", d.Program)
	for k := range d.Sides {
		s := &d.Sides[k]
		con.Print("\n%s: %s, %s\n", s.Subject, histories(s.Histories), words.Plural(len(s.Results), "outcome"))
		if s.Fails != "" {
			con.Print("  an execution fails: %s\n", s.Fails)
		}
		for i, only := range s.Only {
			if i == mostResults {
				con.Print("  and %d more\n", len(s.Only)-i)
				break
			}
			con.Print("  only here: %s\n", only)
		}
	}
	if len(d.Sides[0].Only)+len(d.Sides[1].Only) == 0 && d.Sides[0].Fails == d.Sides[1].Fails {
		con.Print("\nThe outcomes are the same. What precedes what is not.\n")
	}
	if s := shown(d); s != nil {
		con.Print("\nan execution of %s that the other does not have:\n\n", s.Subject)
		return showExecution(con.Out, s.Subject, d.Program, s.Choices)
	}
	return nil
}

// shown is the side of which an execution is shown: the one that fails, or else the first
// that has one of its own.
func shown(d *compare.Difference) *compare.Side {
	var first *compare.Side
	for k := range d.Sides {
		switch s := &d.Sides[k]; {
		case s.Choices == nil:
		case s.Fails != "":
			return s
		case first == nil:
			first = s
		}
	}
	return first
}

func showExecution(w io.Writer, s ref.Subject, p model.Program, choices model.Choices) error {
	setup, err := s.Prepare(p)
	if err != nil {
		return err
	}
	sim := ref.NewSim(setup)
	defer sim.Close()
	sim.Tracing = true
	replay := schedule.NewReplay(choices)
	replay.Begin(0)
	return trace.WriteColumns(w, sim.Run(replay), nil, 0)
}

const row = "%-38s %-7s %8v %10v %10v  %-9s %s\n"

// compareKernels compares every kernel of ours with its structure.
func (f *flags) compareKernels(ctx context.Context, con *console.Console, changed func(flag string) bool, args []string) (model.Verdict, error) {
	if len(args) > 0 {
		return model.NotRun, errors.New("compare --kernels: expected no structures: it takes all that have a kernel")
	}
	memories := []model.Spec{{}, {Structure: ref.MemoryPTX}}
	if changed("memory") {
		memory, err := subject.SearchedMemory(f.memory)
		if err != nil {
			return model.NotRun, err
		}
		memories = []model.Spec{memory}
	}
	wanted, err := programs.ParseShape(f.shape)
	if err != nil {
		return model.NotRun, fmt.Errorf("--shape %w", err)
	}
	con.Print(row, "structure and kernel", "memory", "programs", "executions", "histories", "", "time")
	all := model.Linearizable
	for _, on := range memories {
		for _, k := range kernels {
			memory, shape := ref.MemorySC, k.sc
			if on.Structure != "" {
				memory, shape = on.String(), k.ptx
			}
			if changed("shape") {
				shape = wanted
			}
			both, err := k.subjects(on)
			if err != nil {
				return model.NotRun, err
			}
			start := time.Now()
			r, err := run(ctx, con, both, shape)
			if err != nil {
				return model.NotRun, fmt.Errorf("%s: %w", k.spec, err)
			}
			if ctx.Err() != nil {
				return all, nil
			}
			word := map[model.Verdict]string{model.Linearizable: "the same", model.Violation: "DIFFERENT", model.Undecided: "undecided"}[verdict(r)]
			executions := fmt.Sprint(r.Executions[0])
			if r.Executions[0] != r.Executions[1] {
				executions += fmt.Sprintf("/%d", r.Executions[1])
			}
			note(&con.Report, report.Item{Name: k.spec + " on " + memory, Memory: memory, Elapsed: time.Since(start).Milliseconds()}, r)
			con.Print(row, k.spec, memory, r.Programs, executions, r.Histories, word, time.Since(start).Round(10*time.Millisecond))
			if r.Difference != nil {
				if err := showDifference(con, r.Difference); err != nil {
					return model.NotRun, err
				}
			}
			all = all.And(verdict(r))
		}
	}
	return all, nil
}
