// Package fences looks for the cheapest orders of accesses and fences that suffice on
// a weak memory.
package fences

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/pflag"

	"stealproof/cmd/stealproof/internal/console"
	"stealproof/cmd/stealproof/internal/explore/search"
	"stealproof/cmd/stealproof/internal/files"
	"stealproof/cmd/stealproof/internal/report"
	"stealproof/cmd/stealproof/internal/words"
	"stealproof/fuzz/fences"
	"stealproof/fuzz/programs"
	"stealproof/model"
)

// What --fences may change.
const (
	changeAll    = "orders"
	changeFences = "fences"
)

// Flags are those of this search alone.
type Flags struct {
	change string
	also   []string
	folder string // for counterexamples
}

// Register adds the flags to those of the command.
func (f *Flags) Register(fl *pflag.FlagSet) {
	fl.StringArrayVar(&f.also, "also", nil, "with --fences: the orders must suffice with these settings too, as in --also tz:capacity=3; may be given several times")
	fl.StringVar(&f.change, "fences", "", "with --memory ptx, rc11 or tso: the cheapest orders of accesses and fences that suffice, and what happens with less; =fences keeps the accesses as they are; --save names a folder for the counterexamples")
	fl.Lookup("fences").NoOptDefVal = changeAll
}

// Asked says whether this search is to be made.
func (f *Flags) Asked() bool { return f.change != "" }

// Check refuses what this search would not heed: it makes searches of its own.
func (f *Flags) Check(changed func(flag string) bool, shared *search.Flags) error {
	if !changed("fences") {
		if changed("also") {
			return fmt.Errorf("--also needs --fences: it names settings for which the orders that it finds must suffice")
		}
		return nil
	}
	if f.change != changeAll && f.change != changeFences {
		return fmt.Errorf("--fences=%s: expected %s or %s", f.change, changeAll, changeFences)
	}
	for _, name := range []string{"exhaustive", "strategy", "seed", "for", "history", "html", "no-shrink"} {
		if changed(name) {
			return fmt.Errorf("--%s does not apply to --fences: it makes random and exhaustive searches of its own, --runs limits the random ones", name)
		}
	}
	if changed("program") {
		return fmt.Errorf("--program does not apply to --fences: what one program needs is not what others do")
	}
	folder := shared.Failure.Save
	if info, err := os.Stat(folder); folder != "" && err == nil && !info.IsDir() {
		return fmt.Errorf("--save %s: expected a folder for the counterexamples, found a file", folder)
	}
	return nil
}

// Run answers which orders a structure needs on a weak memory.
func (f *Flags) Run(ctx context.Context, con *console.Console, s *search.Search) (model.Verdict, error) {
	if s.Subject.Memory().Structure == "" {
		return model.NotRun, fmt.Errorf("--fences needs a weak memory, as in --memory ptx, rc11 or tso: on a sequentially consistent one no fence is needed")
	}
	if err := files.MakeFolder(s.Failure.Save); err != nil {
		return model.NotRun, err
	}
	x := &fences.Search{FencesOnly: f.change == changeFences, Subject: s.Subject, Shape: s.Shape, Runs: s.Runs, Jobs: s.Jobs, KeepStrong: s.Failure.Module.File != ""}
	for _, text := range f.also {
		also, err := model.ParseSpec(text)
		if err != nil {
			return model.NotRun, fmt.Errorf("--also: %w", err)
		}
		x.Also = append(x.Also, also)
	}
	bar := con.Bar("choices of orders", 0)
	var tried atomic.Int64 // a search that is stopped may go on for a while
	x.Progress = func(before, cost int) {
		tried.Store(int64(before))
		bar.Say("%d choices of orders tried, now of cost %d", before, cost)
	}
	x.Shrinking = func(which, of int) { bar.Say("counterexample %d of %d: making it small", which+1, of) }
	start := time.Now()
	r, err := console.UntilStopped(ctx, func() (_ *fences.Answer, err error) {
		if x.Bound, err = fences.Bound(ctx, x.Subject); err != nil {
			return nil, err
		}
		if x.Clients, err = fences.Calls(ctx, x.Subject); err != nil {
			return nil, err
		}
		return x.Run(ctx)
	})
	bar.Done()
	if ctx.Err() != nil {
		con.Report.Limit("stopped before a choice was found that suffices")
		con.Report.Count("tried", tried.Load())
		con.Print("%s on memory %s: undecided: stopped after %s, %s tried and none found that suffices\n", s.Subject.Spec(), s.Subject.Memory(), time.Since(start).Round(time.Second), words.Plural(int(tried.Load()), "choice"))
		return model.Undecided, nil
	}
	if err != nil {
		return model.NotRun, err
	}
	if r.Failure != nil {
		return model.Violation, f.printNoneSuffices(ctx, con, s, r)
	}
	f.folder = s.Failure.Save
	names, err := saveNeeded(s.Failure.Save, f.change, r, s.Subject.Spec())
	if err != nil {
		return model.NotRun, err
	}
	f.print(con, s, r, names)
	f.note(&con.Report, r, names)
	con.Print("in %s\n", time.Since(start).Round(time.Second))
	if !r.Exhausted {
		return model.Undecided, nil
	}
	con.Report.Verdict = report.Holds
	return model.Linearizable, nil
}

// printNoneSuffices shows the counterexample to the strongest choice.
func (f *Flags) printNoneSuffices(ctx context.Context, con *console.Console, s *search.Search, r *fences.Answer) error {
	what := "no choice suffices of accesses up to acq_rel and fences as strong as they are: the strongest has a counterexample"
	if f.change == changeFences {
		what = "no choice of its fences suffices: as it is, it has a counterexample"
	}
	con.Print("%s on memory %s: %s\n", s.Subject.Spec(), s.Subject.Memory(), what)
	failure := s.Failure
	if folder := failure.Save; folder != "" {
		failure.Save = filepath.Join(folder, fmt.Sprintf("%s-%s-strongest.case", f.change, s.Subject.Design().Name))
	}
	return failure.Show(ctx, con, s.Subject, r.Failure, false)
}

// saveNeeded writes the counterexamples into a folder, and returns their names
// by site.
func saveNeeded(folder, what string, r *fences.Answer, spec model.Spec) (map[int]string, error) {
	if folder == "" {
		return nil, nil
	}
	names := map[int]string{}
	for _, n := range r.Needed {
		name := fmt.Sprintf("%s-%s-%s.case", what, spec.Structure, r.Design.SiteSlug(n.Site))
		file := filepath.Join(folder, name)
		if err := files.Save(file, n.Case.String()); err != nil {
			return nil, err
		}
		names[n.Site] = name
	}
	return names, nil
}

func (f *Flags) print(con *console.Console, searched *search.Search, r *fences.Answer, names map[int]string) {
	specs := strings.Join(append([]string{searched.Subject.Spec().String()}, f.also...), ", ")
	con.Print("%s on memory %s: the cheapest orders without a counterexample\n\n", specs, searched.Subject.Memory())
	r.WriteTable(con.Out, names)
	con.Print("\nsufficient: %s\n", strings.TrimRight(weakestSpec(searched.Subject.Spec(), r).String(), "\n"))
	con.Print("cost %d, as it is %d; %d choices tried; no violation in %d random executions", r.Cost, r.PublishedCost, r.Tried, searched.Runs)
	if r.Exhausted {
		con.Print(", nor in any execution of all %d programs of at most %s operations (%d execution graphs)", r.Programs, shapesOf(r.Bound), r.Executions)
		if r.Clients > 0 {
			con.Print(", nor of any client of at most %s", words.Plural(r.Clients, "call"))
		}
	}
	fmt.Fprintln(con.Out)
	switch s := searched.Subject; {
	case s.Buffers() && r.Clients > 0:
		fmt.Fprintln(con.Out, "load buffering was judged in the executions of all programs, and not in those of clients (docs/fences.md)")
	case s.Buffers():
		fmt.Fprintln(con.Out, "load buffering was judged in the executions of all programs (docs/fences.md)")
	case s.NotMade() != "":
		fmt.Fprintln(con.Out, "not judged: load buffering, a load that takes effect after a later store of its process (docs/fences.md)")
	}
}

// note puts the answer into the report: an item for each access.
func (f *Flags) note(to *report.Report, r *fences.Answer, names map[int]string) {
	to.Question.Programs = fmt.Sprintf("all programs of at most %s operations", shapesOf(r.Bound))
	needed := map[int]fences.Needed{}
	for _, n := range r.Needed {
		needed[n.Site] = n
	}
	for _, s := range r.Sites {
		details := map[string]any{"published": s.Given.String(), "kind": s.Kind.String()}
		if n, found := needed[s.Site]; found {
			details["weaker"] = n.Weaker.String()
			details["weaker_breaks"] = n.Case.Found
			details["case"] = n.Case.String()
			if names[s.Site] != "" {
				details["case_file"] = filepath.Join(f.folder, names[s.Site])
			}
		}
		verdict := report.Holds
		if !r.Exhausted {
			verdict = model.Undecided.String()
		}
		to.Add(report.Item{Name: r.Design.Sites[s.Site], Verdict: verdict, Answer: r.Sufficient[s.Site].String(), Details: details})
	}
	for name, n := range map[string]int{"cost": r.Cost, "published_cost": r.PublishedCost, "tried": r.Tried, "programs": r.Programs, "executions": r.Executions, "calls_of_clients": r.Clients} {
		to.Count(name, n)
	}
}

// shapesOf is "5+2 or 4+1+1".
func shapesOf(bound []programs.Bounds) string {
	var shapes []string
	for _, b := range bound {
		shapes = append(shapes, b.Shape.String())
	}
	return strings.Join(shapes, " or ")
}

// weakestSpec is the structure with the orders that suffice.
func weakestSpec(spec model.Spec, r *fences.Answer) model.Spec {
	return fences.WithOrders(spec, r.Design, r.Sites, r.Sufficient)
}
