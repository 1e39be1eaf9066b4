// Package verify is "stealproof verify".
package verify

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"time"

	"github.com/spf13/cobra"

	"stealproof/cmd/stealproof/internal/cases"
	"stealproof/cmd/stealproof/internal/console"
	"stealproof/cmd/stealproof/internal/exit"
	"stealproof/cmd/stealproof/internal/report"
	"stealproof/cmd/stealproof/internal/subject"
	"stealproof/cmd/stealproof/internal/usage"
	"stealproof/fuzz"
	"stealproof/fuzz/programs"
	"stealproof/fuzz/schedule"
	"stealproof/gpu"
	"stealproof/linearize"
	"stealproof/linearize/format"
	"stealproof/model"
	"stealproof/ref"
)

// Command is "stealproof verify".
func Command(con *console.Console) *cobra.Command {
	var quick, long bool
	var limit exit.Limit
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Check the published queues on this machine, and the checkers themselves",
		Long: `Runs the whole suite: every structure on simulated memory, sequentially
consistent and as weak as PTX, and on real memory, the texts that fail as
published, every planted defect, the forced counter wraps and the other stored
cases; and every execution of small programs of the kernels' modules, without a
GPU. It prints a row as each part ends, and one line at the end.

A row 'violation, as expected' is a published text or a planted defect that must
fail; if it does not, that is an error of the suite and said so.

Exit codes: 0 all came out as expected; 1 a structure that must hold does not;
3 something stayed undecided, or a defect was not found.`,
		Args: usage.NoArguments("verify"),
		RunE: exit.Command(func(cmd *cobra.Command, _ []string) (model.Verdict, error) {
			if quick && long {
				return model.NotRun, fmt.Errorf("--quick and --long exclude each other")
			}
			effort := 1.0
			switch {
			case quick:
				effort = 0.1
			case long:
				effort = 30
			}
			return limit.Within(cmd.Context(), con.SayLimit, func(ctx context.Context) (model.Verdict, error) {
				return verify(ctx, con, effort)
			})
		}).RunE,
	}
	cmd.Flags().BoolVar(&quick, "quick", false, "a tenth of the executions, some ten seconds")
	limit.Register(cmd.Flags())
	cmd.Flags().BoolVar(&long, "long", false, "thirty times the executions, some half an hour")
	return cmd
}

// part is a row of the table.
type part struct {
	what, memory, strategy string
	expected               model.Verdict
	run                    func(ctx context.Context, done func(int)) (outcome, error)
	total                  int // executions, for the progress bar
}

type outcome struct {
	verdict    model.Verdict
	executions int
	remark     string
}

// verification counts what the parts came to.
type verification struct {
	parts, executions, asExpected int
	verdict                       model.Verdict
}

const rowFormat = "%-44s %-10s %-9s %11s  %-26s %7s\n"

func verify(ctx context.Context, con *console.Console, effort float64) (model.Verdict, error) {
	parts, err := verifyParts(effort)
	if err != nil {
		return model.NotRun, err
	}
	return runParts(ctx, con, parts)
}

// runParts prints the table, and what it comes to.
func runParts(ctx context.Context, con *console.Console, parts []part) (model.Verdict, error) {
	start := time.Now()
	v := verification{verdict: model.Linearizable}
	con.Print(rowFormat, "structure", "memory", "strategy", "executions", "verdict", "time")
	for _, p := range parts {
		if err := v.add(ctx, con, p); err != nil {
			return model.NotRun, err
		}
		if ctx.Err() != nil {
			return model.NotRun, nil
		}
	}
	for name, n := range map[string]int{"parts": v.parts, "as_expected": v.asExpected, "executions": v.executions} {
		con.Report.Count(name, n)
	}
	con.Print("\nverify: %s: %d of %d parts came out as expected, %d executions judged in %s\n",
		conclusion(v.verdict), v.asExpected, v.parts, v.executions, time.Since(start).Round(100*time.Millisecond))
	return v.verdict, nil
}

func conclusion(v model.Verdict) string {
	switch v {
	case model.Linearizable:
		return "all holds"
	case model.Violation:
		return "VIOLATION"
	}
	return "UNDECIDED"
}

// add runs a part, and prints its row.
func (v *verification) add(ctx context.Context, con *console.Console, p part) error {
	bar := con.Bar(p.what, p.total)
	start := time.Now()
	o, err := p.run(ctx, bar.At)
	bar.Done()
	if err != nil {
		return fmt.Errorf("%s: %w", p.what, err)
	}
	if ctx.Err() != nil {
		return nil
	}
	v.parts++
	v.executions += o.executions
	verdict := o.verdict.String()
	switch {
	case o.verdict != p.expected:
		verdict += ", NOT AS EXPECTED"
		v.verdict = v.verdict.And(unexpected(p.expected, o.verdict))
	case p.expected == model.Violation:
		verdict += ", as expected"
		fallthrough
	default:
		v.asExpected++
	}
	p.note(&con.Report, o, time.Since(start))
	con.Print(rowFormat, p.what, p.memory, p.strategy, fmt.Sprint(o.executions), verdict, time.Since(start).Round(10*time.Millisecond))
	if o.remark != "" {
		con.Print("    %s\n", o.remark)
	}
	return nil
}

// note puts a part into the report.
func (p *part) note(to *report.Report, o outcome, took time.Duration) {
	item := report.Item{Name: p.what + " on " + p.memory, Memory: p.memory, Verdict: report.Holds, Answer: o.verdict.String(), Expected: p.expected.String(),
		Message: o.remark, Elapsed: took.Milliseconds(), Statistics: map[string]any{"executions": o.executions}, Details: map[string]any{"strategy": p.strategy}}
	if o.verdict != p.expected {
		surprise := unexpected(p.expected, o.verdict)
		item.Verdict = surprise.String()
		found := report.Finding{Item: item.Name, Kind: report.Unexpected, Level: report.Warning, Message: fmt.Sprintf("%s, expected %s. %s", o.verdict, p.expected, o.remark)}
		if surprise == model.Violation {
			found.Level = report.Error
		}
		defer to.Find(found)
	}
	to.Add(item)
}

// unexpected is the verdict on the suite when a part surprises: a violation of
// what must hold is one; a defect that was not found leaves all undecided.
func unexpected(expected, found model.Verdict) model.Verdict {
	if expected == model.Linearizable && found == model.Violation {
		return model.Violation
	}
	return model.Undecided
}

// Executions of each part at effort 1, about a minute on two cores in all.
const (
	simulatedRuns = 300_000
	nativeRuns    = 60_000
	weakRuns      = 20_000
)

// What the structures run on, as the table names it.
const (
	onSimulated = "simulated"
	onAtomics   = "atomics"
	onPTX       = "ptx"
)

// nativeShape is long enough for goroutines to meet, and short enough for
// porcupine.
var nativeShape = programs.Shape{16, 8, 8}

func verifyParts(effort float64) ([]part, error) {
	runs := func(n int) int { return int(math.Ceil(float64(n) * effort)) }
	var parts []part
	for _, spec := range []string{"abp", "abp:variant=book", "abp:variant=release2011", "abp:width=32", "tz", "the", "the:compare=difference", "blocking", "static", "list"} {
		parts = append(parts, campaignPart(spec, onSimulated, runs(simulatedRuns), model.Linearizable))
	}
	for _, d := range ref.Designs() {
		parts = append(parts, campaignPart(d.Name, onPTX, runs(weakRuns), model.Linearizable))
	}
	for _, d := range ref.Designs() {
		spec := d.Name
		if d.Name == "tz" {
			spec = "tz:capacity=64" // no slot is used twice while somebody sleeps
		}
		parts = append(parts, campaignPart(spec, onAtomics, runs(nativeRuns), model.Linearizable))
	}
	for _, spec := range publishedFailures {
		parts = append(parts, campaignPart(spec, onSimulated, simulatedRuns, model.Violation))
	}
	for _, spec := range weakFailures {
		parts = append(parts, campaignPart(spec, onPTX, weakRuns, model.Violation))
	}
	for _, d := range ref.Designs() {
		parts = append(parts, defectsPart(d.Name))
	}
	parts = append(parts, kernelParts()...)
	stored, err := fuzz.StoredCases()
	if err != nil {
		return nil, err
	}
	for _, s := range stored {
		parts = append(parts, casePart(s))
	}
	histories, err := gpu.StoredHistories()
	if err != nil {
		return nil, err
	}
	for _, h := range histories {
		parts = append(parts, historyPart(h))
	}
	return parts, nil
}

// publishedFailures are texts as they were printed, or plain readings of them,
// that do not hold even under sequential consistency; see docs/findings.md.
var publishedFailures = []string{
	"tz:variant=original",
	"tz:variant=skeleton",
	"blocking:variant=printed",
	"the:fill=beg-first",
	"the:fill=end-first",
	"the:failed=empty",
}

// weakFailures are texts and single fences left out that the PTX model breaks,
// while a sequentially consistent memory does not look at them; see
// docs/fences.md.
var weakFailures = []string{
	"abp:variant=book",
	"abp:variant=release2011",
	"abp:orders=push-fence-task-tail.weak",
	"abp:orders=steal-fence-head-tail.acq_rel",
	"abp:orders=steal-fence-tail-task.weak",
	"abp:orders=pop-fence-tail-head.acq_rel",
	"abp:orders=pop-fence-tail-head-on-reset.weak",
}

func campaignPart(spec, memory string, runs int, expected model.Verdict) part {
	p := part{what: spec, memory: memory, strategy: schedule.Default, expected: expected, total: runs}
	if memory == onAtomics {
		p.strategy = "machine"
	}
	p.run = func(ctx context.Context, done func(int)) (outcome, error) {
		var simulated model.Spec
		if memory == onPTX {
			simulated.Structure = ref.MemoryPTX
		}
		s, err := subject.Structure(spec, simulated)
		if err != nil {
			return outcome{}, err
		}
		c := fuzz.Campaign{Subject: s, Seed: 1, Runs: runs, Native: memory == onAtomics, Progress: done, Schedule: model.Schedule{Strategy: schedule.Default}}
		if memory == onAtomics {
			c.Shape = nativeShape
		}
		r, err := c.Run(ctx)
		if err != nil {
			return outcome{}, err
		}
		o := outcome{verdict: r.Verdict, executions: r.Executions}
		if r.Failure != nil {
			o.remark = r.Failure.Finding.Kind + ": " + r.Failure.Finding.Explanation
		}
		return o, nil
	}
	return p
}

// defectsPart looks for every planted defect of a structure.
func defectsPart(structure string) part {
	p := part{what: structure + ", planted defects", memory: onSimulated, strategy: schedule.Default, expected: model.Violation}
	p.run = func(ctx context.Context, done func(int)) (outcome, error) {
		o := outcome{verdict: model.Violation}
		found, all := 0, 0
		for _, d := range fuzz.Register {
			spec, err := model.ParseSpec(d.Spec)
			if err != nil {
				return o, err
			}
			if spec.Structure != structure {
				continue
			}
			r, err := d.Find(ctx, 1)
			if err != nil {
				return o, err
			}
			all++
			o.executions += r.Executions
			if r.Failure != nil {
				found++
			} else if ctx.Err() == nil {
				o.verdict = model.Undecided
				o.remark += fmt.Sprintf("%s was not found in %d runs. ", d.Spec, d.Runs)
			}
			done(all)
		}
		o.remark += fmt.Sprintf("%d of %d found", found, all)
		return o, nil
	}
	return p
}

func casePart(s fuzz.StoredCase) part {
	p := part{what: s.Name, memory: onSimulated, strategy: "replay", expected: s.Case.Verdict, total: 1}
	if s.Case.Memory.Structure != "" {
		p.memory = s.Case.Memory.Structure
	}
	p.run = func(ctx context.Context, _ func(int)) (outcome, error) {
		about, err := fuzz.SubjectOf(s.Case)
		if err != nil {
			return outcome{}, err
		}
		r, err := cases.Rerun(ctx, about, s.Case)
		if err != nil {
			return outcome{}, err
		}
		o := outcome{verdict: r.Finding.Verdict, executions: 1}
		if r.Finding.Verdict == model.Violation {
			o.remark = r.Finding.Kind + ": " + r.Finding.Explanation
		}
		if !r.Expected() {
			o.verdict = model.Undecided
			o.remark = fmt.Sprintf("saved as %s %s, now %s %s", s.Case.Verdict, s.Case.Found, r.Finding.Verdict, r.Finding.Kind)
		}
		return o, nil
	}
	return p
}

// historyPart judges a history that was captured from a device.
func historyPart(s gpu.StoredHistory) part {
	p := part{what: s.Name, memory: "GPU", strategy: "captured", expected: s.Verdict, total: 1}
	p.run = func(ctx context.Context, _ func(int)) (outcome, error) {
		h, err := format.Read(bytes.NewReader(s.Text), s.Name, format.Options{})
		if err != nil {
			return outcome{}, err
		}
		r := linearize.Check(ctx, h, linearize.Options{Certify: true, Validated: true})
		o := outcome{verdict: r.Verdict, executions: r.Objects}
		if len(r.Uncertified) > 0 {
			o.verdict, o.remark = model.Undecided, "not certified: "+r.Uncertified[0].Msg
			return o, nil
		}
		if len(r.Violations) > 0 {
			v := r.Violations[0]
			o.remark = v.Kind + ": " + v.Explanation
			if v.Kind != s.Kind {
				o.verdict = model.Undecided
				o.remark = fmt.Sprintf("stored as %s %s, now %s", s.Verdict, s.Kind, o.remark)
			}
		}
		return o, nil
	}
	return p
}
