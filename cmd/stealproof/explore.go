package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"stealproof/fuzz"
	"stealproof/linearize"
	"stealproof/model"
	"stealproof/ref"
)

type exploreFlags struct {
	memory, strategy   string
	owner              int
	thieves, processes string
	program            string
	save, history      string
	seed               uint64
	runs, jobs         int
	duration           time.Duration
	list, exhaustive   bool
	noShrink           bool
	fences             string
	also               []string
	exhaust            exhaustFlags
}

func (a *app) exploreCommand() *cobra.Command {
	var f exploreFlags
	cmd := &cobra.Command{
		Use:   "explore [flags] STRUCTURE[:SETTING=VALUE,...]",
		Short: "Run a structure under a strategy, and judge every execution",
		Long: `Runs programs on a structure, on a simulated memory where every access is a
choice, sequentially consistent or as weak as PTX, or on real atomics, and
judges every execution, until one fails or all runs are done. What failed is
shrunk to the smallest case that fails for the same reason, explained, and saved
with --save.

A program is what each process does. By default it is generated, anew every 32
runs; its size is given by --owner and --thieves (deques and ranges) or by
--processes (queues and bags). --program gives one of your own, as text or as
the name of a file:
  0: push push pop
  1: steal`,
		Example: `  stealproof explore --list
  stealproof explore abp
  stealproof explore abp:width=1 --owner 10 --thieves 2x2 --save width1.case
  stealproof explore tz:variant=original --processes 2x3
  stealproof explore abp --exhaustive --owner 3 --thieves 2x2
  stealproof explore abp:width=1 --exhaustive --owner 4 --thieves 1x1 --save smallest.case
  stealproof explore abp --strategy directed:process=1,at=head#2,until=same \
      --program '0: push pop push pop
                 1: steal'
  stealproof explore abp:orders=steal-fence-head-tail.weak --memory ptx
  stealproof explore abp --memory ptx --fences
  stealproof explore abp --memory native --for 10s`,
		Args: func(_ *cobra.Command, args []string) error {
			if f.list {
				return nil
			}
			return oneArgument("explore", "one structure, as in abp:width=1 (--list shows them)")(nil, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.list {
				return a.listStructures()
			}
			return a.explore(cmd, f, args[0])
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&f.memory, "memory", "sc", "sc (simulated, sequentially consistent), ptx (simulated, all that the PTX model allows; ptx:place=block|cluster|gpu|system puts the processes into one of these) or native (Go's atomics)")
	fl.StringVar(&f.strategy, "strategy", fuzz.DefaultStrategy, "who goes next: "+strings.Join(fuzz.Strategies(), ", ")+", with settings as in pct:depth=3")
	fl.IntVar(&f.owner, "owner", 5, "operations of the owner")
	fl.StringVar(&f.thieves, "thieves", "3+2", "the thieves: 2x3 is two of three operations each, 3+2 one of three and one of two")
	fl.StringVar(&f.processes, "processes", "5+3+2", "the processes of a structure without owner, in the same form")
	fl.StringVar(&f.program, "program", "", "a program of your own, as text or a file's name")
	fl.Uint64Var(&f.seed, "seed", 1, "seed of the first run; each further run takes the next")
	fl.IntVar(&f.runs, "runs", 100000, "number of executions")
	fl.DurationVar(&f.duration, "for", 0, "run for so long instead, as in 30s")
	fl.IntVar(&f.jobs, "jobs", 0, "executions at the same time (default one per processor)")
	fl.BoolVar(&f.exhaustive, "exhaustive", false, "every execution, up to equivalence, of the program or of all programs up to the size; --runs limits each program")
	fl.BoolVar(&f.noShrink, "no-shrink", false, "show and save what failed as it was found")
	fl.StringArrayVar(&f.also, "also", nil, "with --fences: the orders must suffice with these settings too, as in --also tz:capacity=3; may be given several times")
	fl.StringVar(&f.fences, "fences", "", "with --memory ptx: the cheapest orders of accesses and fences that suffice, and what happens with less; =fences keeps the accesses as they are; --save names a folder for the counterexamples")
	fl.Lookup("fences").NoOptDefVal = fencesAll
	f.exhaust.add(fl)
	fl.StringVar(&f.save, "save", "", "save the failing case to this file, for replay")
	fl.StringVar(&f.history, "history", "", "write the failing history to this file (.jsonl, .jsonl.gz), for check")
	fl.BoolVar(&f.list, "list", false, "list the structures, their settings and defects, and the strategies")
	return cmd
}

func (a *app) explore(cmd *cobra.Command, f exploreFlags, structure string) error {
	a.verdict = model.NotRun
	c, err := a.campaign(cmd, f, structure)
	if err != nil {
		return err
	}
	ctx := cmd.Context()
	if f.exhaustive {
		return a.exhaustive(cmd, c, f)
	}
	if f.fences != "" {
		return a.fences(ctx, c, f)
	}
	if f.duration > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.duration)
		defer cancel()
	}
	p := newProgress(a.err, "executions", c.Runs)
	c.Progress = p.at
	r, err := c.Run(ctx)
	p.done()
	if err != nil {
		return err
	}
	a.verdict = r.Verdict
	if f.duration > 0 && r.Verdict == model.Undecided && r.Undecided == 0 && r.Executions > 0 && cmd.Context().Err() == nil {
		a.verdict = model.Linearizable // it ran as long as it was asked to
	}
	a.printCampaign(c, r)
	if r.Failure == nil {
		return nil
	}
	return a.shrinkAndPrint(cmd.Context(), r.Failure, f)
}

// check refuses what makes no sense by itself, and flags that another one
// would render idle: they mean that something else was expected.
func (f exploreFlags) check(cmd *cobra.Command) error {
	switch {
	case f.runs < 1:
		return fmt.Errorf("--runs %d: expected at least 1", f.runs)
	case f.jobs < 0:
		return fmt.Errorf("--jobs %d: expected at least 1, or 0 for one per processor", f.jobs)
	case f.duration < 0:
		return fmt.Errorf("--for %s: expected a duration above 0", f.duration)
	}
	changed := cmd.Flags().Changed
	if err := f.checkFences(cmd); err != nil {
		return err
	}
	if err := f.exhaust.check(cmd, f.exhaustive); err != nil {
		return err
	}
	switch {
	case f.duration > 0 && changed("runs"):
		return fmt.Errorf("--runs and --for exclude each other")
	case f.memory == "native" && changed("strategy"):
		return fmt.Errorf("--strategy does not apply to --memory native: there the machine decides who goes next")
	}
	if f.memory == "native" && changed("no-shrink") {
		return fmt.Errorf("--no-shrink does not apply to --memory native: what the machine did cannot be repeated, so it is never shrunk")
	}
	for _, name := range []string{"owner", "thieves", "processes"} {
		if f.program != "" && changed(name) {
			return fmt.Errorf("--%s does not apply to --program: it says itself what each process does", name)
		}
	}
	return nil
}

func (a *app) campaign(cmd *cobra.Command, f exploreFlags, structure string) (*fuzz.Campaign, error) {
	spec, err := model.ParseSpec(structure)
	if err != nil {
		return nil, err
	}
	config, err := ref.Resolve(spec)
	if err != nil {
		return nil, err
	}
	if err := f.check(cmd); err != nil {
		return nil, err
	}
	unmade, err := fuzz.CheckOrders(spec)
	if err != nil {
		return nil, err
	}
	for _, access := range unmade {
		fmt.Fprintf(a.err, "stealproof: %s: no random program came by the access %s: its order may change nothing\n", spec.Structure, access)
	}
	if !cmd.Flags().Changed("runs") {
		f.runs = defaultRuns(f)
	}
	c := &fuzz.Campaign{Spec: spec, Seed: f.seed, Runs: f.runs, Jobs: f.jobs}
	if c.Native = f.memory == "native"; !c.Native && f.memory != ref.MemorySC { // which cases do not name
		if c.Memory, err = simulatedMemory(f.memory); err != nil {
			return nil, err
		}
	}
	if f.duration > 0 {
		c.Runs = math.MaxInt
	}
	if c.Schedule, err = model.ParseSchedule(f.strategy); err != nil {
		return nil, fmt.Errorf("--strategy: %w", err)
	}
	if f.program != "" {
		return c, a.ownProgram(c, config, f.program)
	}
	return c, shape(cmd, c, config, f)
}

// simulatedMemory reads --memory.
func simulatedMemory(text string) (model.Spec, error) {
	m, err := model.ParseSpec(text)
	if err != nil {
		return m, fmt.Errorf("--memory %.40q: expected sc, native, ptx, or where the processes run as in ptx:place=block", text)
	}
	switch m.Structure {
	case ref.MemorySC, ref.MemoryPTX:
	case "native":
		return m, fmt.Errorf("--memory %s: native has no settings", text)
	default:
		return m, fmt.Errorf("--memory: unknown memory %q: expected sc, ptx or native", m.Structure)
	}
	if err := ref.CheckMemory(m); err != nil {
		return m, fmt.Errorf("--memory: %w", err)
	}
	return m, nil
}

// defaultRuns is no limit where every execution is made, and 1 where all would
// be the same.
func defaultRuns(f exploreFlags) int {
	name, _, _ := strings.Cut(f.strategy, ":")
	switch {
	case f.exhaustive:
		return 0
	case f.program != "" && (name == model.ByChoices || name == "directed" || name == "bytes"):
		return 1
	}
	return f.runs
}

func shape(cmd *cobra.Command, c *fuzz.Campaign, config *ref.Config, f exploreFlags) (err error) {
	owned := config.Design.Kind == model.WSDeque || config.Design.Kind == model.Range && !config.Design.Shared
	for _, name := range []string{"owner", "thieves", "processes"} {
		if cmd.Flags().Changed(name) && owned == (name == "processes") {
			return fmt.Errorf("--%s does not apply to %s: %s", name, config.Design.Name,
				map[bool]string{true: "it has an owner and thieves", false: "it has processes without an owner"}[owned])
		}
	}
	if !owned {
		c.Shape, err = fuzz.Thieves(f.processes)
		if err != nil {
			return fmt.Errorf("--processes %w", err)
		}
		return nil
	}
	if f.owner < 1 || f.owner > 10000 {
		return fmt.Errorf("--owner %d: expected 1 to 10000 operations", f.owner)
	}
	thieves, err := fuzz.Thieves(f.thieves)
	if err != nil {
		return fmt.Errorf("--thieves %w", err)
	}
	c.Shape = append(fuzz.Shape{f.owner}, thieves...)
	return nil
}

// ownProgram takes a program as text, or from a file.
func (a *app) ownProgram(c *fuzz.Campaign, config *ref.Config, program string) error {
	name := "--program"
	if !strings.Contains(program, ":") {
		text, err := a.readText(program)
		if err != nil {
			return fmt.Errorf("--program: expected a program, as in \"0: push pop\", or its file: %w", err)
		}
		name, program = program, text
	}
	p, err := model.ParseProgram(config.Design.Kind, program)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	c.Program = &p
	return nil
}

func (a *app) printCampaign(c *fuzz.Campaign, r *fuzz.Result) {
	memory := "simulated memory, strategy " + c.Schedule.String()
	if c.Memory.Structure != "" {
		memory = "simulated memory " + c.Memory.String() + ", strategy " + c.Schedule.String()
	}
	if c.Native {
		memory = "real atomics"
	}
	fmt.Fprintf(a.out, "%s on %s: %s after %d executions, %d operations, in %s\n",
		c.Spec, memory, r.Verdict, r.Executions, r.Operations, r.Elapsed.Round(time.Millisecond))
	if r.Undecided > 0 {
		fmt.Fprintf(a.out, "%d executions stayed undecided: a limit was met before all operations had returned\n", r.Undecided)
	}
}

func (a *app) printFailure(found *fuzz.Failure, f exploreFlags) error {
	fmt.Fprintf(a.out, "\n%s\n", describeFinding(found.Finding))
	if found.Case.Memory.Structure != "" {
		if again, err := fuzz.RunCase(found.Case); err == nil {
			a.printReordered(again)
		}
	}
	fmt.Fprintf(a.out, "\n%s", readable(found.Case.String()))
	if f.memory == "native" {
		fmt.Fprintln(a.out, "\nA native run cannot be repeated; the simulated memory may show the same.")
	}
	if f.history != "" {
		if err := linearize.WriteFile(f.history, found.History); err != nil {
			return err
		}
		fmt.Fprintf(a.out, "\nHistory saved. To judge it again: stealproof check %s\n", f.history)
	}
	if f.save == "" {
		return nil
	}
	if err := os.WriteFile(f.save, []byte(found.Case.String()), 0o644); err != nil {
		return unreadable(f.save, err)
	}
	fmt.Fprintln(a.out, "\nCase saved.")
	if f.memory != "native" {
		fmt.Fprintf(a.out, "To see it step by step: stealproof replay %s\n", f.save)
	}
	return nil
}

const longestLine = 600

// readable cuts lines that nobody would read to their end.
func readable(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if n := len(line) - longestLine; n > 0 {
			line = fmt.Sprintf("%s ... and %d characters more, which --save keeps\n", line[:longestLine], n)
		}
		b.WriteString(line)
	}
	return b.String()
}

func (a *app) listStructures() error {
	for _, d := range ref.Designs {
		fmt.Fprintf(a.out, "%s (%s): %s\n", d.Name, d.Kind, d.Source)
		for _, s := range d.Settings {
			values := strings.Join(s.Values, "|")
			if len(s.Values) == 0 {
				values = fmt.Sprintf("%d..%d", s.Min, s.Max)
			}
			fmt.Fprintf(a.out, "  %s=%s (default %s)\n      %s\n", s.Name, values, s.Default, s.Doc)
		}
		fmt.Fprint(a.out, "  orders=ACCESS.ORDER+... gives accesses another order, weak, relaxed, acquire, release, acq_rel or sc (a weak fence is none):\n")
		for i := range d.Sites {
			fmt.Fprintf(a.out, "      %s\n", d.SiteSlug(i))
		}
		fmt.Fprintln(a.out, "  defect=NAME plants one of")
		for _, df := range d.Defects {
			fmt.Fprintf(a.out, "      %-24s %s\n", df.Name, df.Doc)
		}
	}
	fmt.Fprint(a.out, strategyList)
	return nil
}

const strategyList = `
strategies, given as in --strategy pct:depth=2
  mix          takes turns between random, pct and round-robin: the default
  random       every choice is a throw of dice
  pct          priorities that change at random accesses
                 depth=1..100 (default 3): how many ordering constraints a defect may need
                 steps=N: length of an execution (default: measured)
  round-robin  one process after the other, but for a few preemptions
                 preemptions=0..1000 (default 2)
                 steps=N: length of an execution (default: measured)
  directed     a process sleeps just before an access while the others run
                 process=P (default 1): who sleeps
                 at=LOCATION#N: before its N-th access to a location, as in at=head#2
                 until=same (default): until the location holds again what the process saw there,
                       writes-N: until it has changed N times, others: until all others are done
                 after=N (default 0): the process begins when the others have made N accesses
  bytes        a byte per choice, for fuzzers
                 hex=BYTES: the bytes, as in hex=00ff01
  choices      a list of processes, as in choices:0*5,1/2,0*2: the form that cases are saved in
`
