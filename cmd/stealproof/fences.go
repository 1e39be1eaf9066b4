package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"stealproof/fuzz"
	"stealproof/model"
	"stealproof/ref"
)

// What --fences may change.
const (
	fencesAll   = "orders"
	fencesAlone = "fences"
)

// checkFences refuses what --fences would not heed: it makes searches of its own.
func (f exploreFlags) checkFences(cmd *cobra.Command) error {
	changed := cmd.Flags().Changed
	if !changed("fences") {
		if changed("also") {
			return fmt.Errorf("--also needs --fences: it names settings for which the orders that it finds must suffice")
		}
		return nil
	}
	if f.fences != fencesAll && f.fences != fencesAlone {
		return fmt.Errorf("--fences=%s: expected %s or %s", f.fences, fencesAll, fencesAlone)
	}
	for _, name := range []string{"exhaustive", "strategy", "seed", "for", "history", "no-shrink"} {
		if changed(name) {
			return fmt.Errorf("--%s does not apply to --fences: it makes random and exhaustive searches of its own, --runs limits the random ones", name)
		}
	}
	if f.program != "" {
		return fmt.Errorf("--program does not apply to --fences: what one program needs is not what others do")
	}
	if info, err := os.Stat(f.save); f.save != "" && err == nil && !info.IsDir() {
		return fmt.Errorf("--save %s: expected a folder for the counterexamples, found a file", f.save)
	}
	return nil
}

// fences answers which orders a structure needs on a weak memory.
func (a *app) fences(ctx context.Context, c *fuzz.Campaign, f exploreFlags) error {
	if c.Subject.Memory().Structure == "" {
		return fmt.Errorf("--fences needs a weak memory, as in --memory ptx: on a sequentially consistent one no fence is needed")
	}
	bound := fuzz.FenceBound(c.Subject)
	s := &fuzz.FenceSearch{FencesOnly: f.fences == fencesAlone, Subject: c.Subject, Shape: c.Shape, Runs: c.Runs, Bound: bound, Jobs: c.Jobs}
	for _, text := range f.also {
		also, err := model.ParseSpec(text)
		if err != nil {
			return fmt.Errorf("--also: %w", err)
		}
		s.Also = append(s.Also, also)
	}
	p := newProgress(a.err, "choices of orders", 0)
	tried := 0
	s.Progress = func(before, cost int) {
		tried = before
		p.say("%d choices of orders tried, now of cost %d", before, cost)
	}
	s.Shrinking = func(which, of int) { p.say("counterexample %d of %d: making it small", which+1, of) }
	start := time.Now()
	r, err := s.Run(ctx)
	p.done()
	if ctx.Err() != nil {
		a.verdict = model.Undecided
		fmt.Fprintf(a.out, "%s on memory %s: undecided: stopped after %s, %s tried and none found that suffices\n", c.Subject.Spec(), c.Subject.Memory(), time.Since(start).Round(time.Second), plural(tried, "choice"))
		return nil
	}
	if err != nil {
		return err
	}
	if r.Failure != nil {
		a.verdict = model.Violation
		return a.printNoneSuffices(ctx, c, r, f)
	}
	a.verdict = model.Linearizable
	if !r.Exhausted {
		a.verdict = model.Undecided
	}
	names, err := saveNeeded(f.save, f.fences, r, c.Subject.Spec())
	if err != nil {
		return err
	}
	a.printFences(c, r, names, f.also)
	fmt.Fprintf(a.out, "in %s\n", time.Since(start).Round(time.Second))
	return nil
}

// printNoneSuffices shows the counterexample to the strongest choice.
func (a *app) printNoneSuffices(ctx context.Context, c *fuzz.Campaign, r *fuzz.Fences, f exploreFlags) error {
	what := "no choice suffices of accesses up to acq_rel and fences as strong as they are: the strongest has a counterexample"
	if f.fences == fencesAlone {
		what = "no choice of its fences suffices: as it is, it has a counterexample"
	}
	fmt.Fprintf(a.out, "%s on memory %s: %s\n", c.Subject.Spec(), c.Subject.Memory(), what)
	if f.save != "" {
		if err := os.MkdirAll(f.save, 0o755); err != nil {
			return unreadable(f.save, err)
		}
		f.save = filepath.Join(f.save, fmt.Sprintf("%s-%s-strongest.case", f.fences, c.Subject.Design().Name))
	}
	return a.shrinkAndPrint(ctx, r.Failure, f)
}

// saveNeeded writes the counterexamples into a folder, and returns their names
// by site.
func saveNeeded(folder, what string, r *fuzz.Fences, spec model.Spec) (map[int]string, error) {
	if folder == "" {
		return nil, nil
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, unreadable(folder, err)
	}
	names := map[int]string{}
	for _, n := range r.Needed {
		name := fmt.Sprintf("%s-%s-%s.case", what, spec.Structure, r.Design.SiteSlug(n.Site))
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, []byte(n.Case.String()), 0o644); err != nil {
			return nil, unreadable(file, err)
		}
		names[n.Site] = name
	}
	return names, nil
}

func (a *app) printFences(c *fuzz.Campaign, r *fuzz.Fences, names map[int]string, also []string) {
	specs := strings.Join(append([]string{c.Subject.Spec().String()}, also...), ", ")
	fmt.Fprintf(a.out, "%s on memory %s: the cheapest orders without a counterexample\n\n", specs, c.Subject.Memory())
	t := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "access\tas it is\tsuffices\tone step weaker")
	needed := map[int]fuzz.NeededOrder{}
	for _, n := range r.Needed {
		needed[n.Site] = n
	}
	for _, s := range r.Sites {
		weaker := ""
		if n, found := needed[s.Site]; found {
			weaker = fmt.Sprintf("%s: %s", orderName(s.Kind, n.Weaker), n.Case.Found)
			if names[s.Site] != "" {
				weaker += ", " + names[s.Site]
			}
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", r.Design.Sites[s.Site], orderName(s.Kind, s.Given), orderName(s.Kind, r.Sufficient[s.Site]), weaker)
	}
	t.Flush()
	fmt.Fprintf(a.out, "\nsufficient: %s\n", strings.TrimRight(weakestSpec(c.Subject.Spec(), r).String(), "\n"))
	fmt.Fprintf(a.out, "cost %d, as it is %d; %d choices tried; no violation in %d random executions", r.Cost, r.PublishedCost, r.Tried, c.Runs)
	if r.Exhausted {
		fmt.Fprintf(a.out, ", nor in any execution of all %d programs of at most %s operations (%d execution graphs)", r.Programs, shapesOf(fuzz.FenceBound(c.Subject)), r.Executions)
	}
	fmt.Fprintln(a.out, "\nnot judged: load buffering, a load that takes effect after a later store of its process (docs/fences.md)")
}

// shapesOf is "5+2 or 4+1+1".
func shapesOf(bound []fuzz.Bounds) string {
	var shapes []string
	for _, b := range bound {
		shapes = append(shapes, b.Shape.String())
	}
	return strings.Join(shapes, " or ")
}

// orderName is an order as one would write it at the site.
func orderName(kind ref.AccessKind, o ref.Order) string {
	if kind == ref.Fence && o == ref.Weak {
		return "no fence"
	}
	return o.String()
}

// weakestSpec is the structure with the orders that suffice.
func weakestSpec(spec model.Spec, r *fuzz.Fences) model.Spec {
	return fuzz.WithOrders(spec, r.Design, r.Sites, r.Sufficient)
}
