package queuetest

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"stealproof/fuzz"
	"stealproof/fuzz/schedule"
	"stealproof/model"
)

// folderOf is where the cases of a test lie, beside the test.
func folderOf(test string) string {
	clean := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`\:*?"<>|`, r) {
			return '_'
		}
		return r
	}, test)
	return filepath.Join("testdata", "stealproof", filepath.FromSlash(clean))
}

// save writes a case under a name that its content gives, so that the same one
// is there once.
func save(folder string, c model.Case) (file string, err error) {
	text := c.String()
	kind := c.Found
	if kind == "" {
		kind = "open"
	}
	c.Note = "" // where it comes from does not matter
	h := fnv.New32a()
	h.Write([]byte(c.String()))
	file = filepath.Join(folder, fmt.Sprintf("%s-%08x.case", kind, h.Sum32()))
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	return filepath.ToSlash(file), os.WriteFile(file, []byte(text), 0o644)
}

func readCase(file string) (model.Case, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return model.Case{}, err
	}
	c, err := model.ParseCase(string(text))
	if err != nil {
		return model.Case{}, fmt.Errorf("%s: %w", file, err)
	}
	return c, nil
}

// savedCases runs what failed before, first of all. One that no longer fits is
// not passed over in silence.
func (k *checker) savedCases(ctx context.Context) {
	k.t.Helper()
	files, err := filepath.Glob(filepath.Join(globbed(k.folder), "*.case"))
	if err != nil {
		k.t.Fatalf("stealproof: %s: %v", k.folder, err)
	}
	slices.Sort(files)
	for _, file := range files {
		k.again(ctx, filepath.ToSlash(file))
	}
}

// globbed escapes what a pattern would take for something else.
func globbed(path string) string {
	return strings.NewReplacer("[", "[[]", "*", "[*]", "?", "[?]").Replace(path)
}

// again runs one saved case. Where its schedule no longer fits, since the queue
// has changed, its program is searched anew.
func (k *checker) again(ctx context.Context, file string) {
	k.t.Helper()
	r, misfit, err := k.rerun(ctx, file)
	switch {
	case errors.As(err, new(misuse)):
		k.t.Fatalf("stealproof: %v", err)
	case err != nil:
		k.t.Errorf("stealproof: saved case: %v\nmend the file or delete it", err)
	case r.Verdict == model.Violation || r.Open > 0:
		k.artifacts(r)
		k.t.Fatalf("stealproof: the saved case %s fails again\n%s\nto reproduce: %s", file, r.text(), command(k.t.Name(), file))
	case r.Verdict != model.Linearizable:
		k.t.Errorf("stealproof: the saved case %s: %s", file, r)
	case misfit != nil:
		k.t.Logf("stealproof: saved case %s: its schedule no longer fits the queue (%v), so its program was searched anew: %s", file, misfit, r)
	default:
		k.t.Logf("stealproof: saved case %s holds now", file)
	}
}

// only runs the case that a flag names, and shows it whatever comes out.
func (k *checker) only(ctx context.Context, file string) {
	k.t.Helper()
	r, misfit, err := k.rerun(ctx, file)
	if err != nil {
		k.t.Fatalf("stealproof: %v", err)
	}
	if misfit != nil {
		k.t.Logf("stealproof: %s: the schedule no longer fits the queue (%v), so the program was searched anew", file, misfit)
	}
	if r.Verdict == model.Linearizable {
		k.t.Logf("stealproof: %s: %s", file, r)
		return
	}
	k.artifacts(r)
	k.t.Fatalf("stealproof: %s\nto reproduce: %s", r.text(), command(k.t.Name(), file))
}

// rerun executes a saved case; misfit says why its schedule could not be
// followed.
func (k *checker) rerun(ctx context.Context, file string) (r *Report, misfit, err error) {
	c, err := readCase(file)
	if err != nil {
		return nil, nil, err
	}
	if c.Spec.String() != k.queue.Name || c.Kind != k.queue.Kind {
		return nil, nil, fmt.Errorf("%s: it is a case of %s %s, this test is of %s %s", file, c.Kind, c.Spec, k.queue.Kind, k.queue.Name)
	}
	settings := k.flags
	settings.Memory = c.Memory
	x, err := newQueueTest(k.queue, settings)
	if err != nil {
		return nil, nil, err
	}
	if _, err := x.subject.Prepare(c.Program); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", file, err)
	}
	r, err = x.watched(ctx, func(ctx context.Context) { misfit = x.replay(ctx, c) })
	return r, misfit, err
}

// replay executes a saved case. If its schedule no longer fits it runs the
// program in other ways.
func (x *queueTest) replay(ctx context.Context, c model.Case) (misfit error) {
	x.looksAt()
	x.change(func(r *Report) { r.Verdict = model.Undecided })
	setup, err := x.subject.Prepare(c.Program)
	if err != nil {
		return err
	}
	st, seed, err := schedule.New(c.Schedule, setup)
	if err != nil {
		return err
	}
	x.watch.strict.Store(true)
	sim := x.simulation(setup)
	defer sim.Close()
	e := x.run(sim, setup, st, seed)
	if c.Found == KindStateful {
		x.probeRun(setup, st, seed)
	}
	if r, ok := st.(*schedule.Replay); ok {
		misfit = r.Fits(e)
	}
	if misfit == nil {
		x.judge(e, c.Note)
	} else {
		x.watch.strict.Store(false)
		x.exhaust(ctx, c.Program)
		x.runProgram(ctx, c.Program, 0, shortChecks)
	}
	x.change(func(r *Report) {
		if r.Failure == nil && ctx.Err() == nil {
			r.Verdict = model.Linearizable
		}
	})
	if x.failed() {
		x.showFailure()
	}
	return misfit
}

// showOpen adds the accesses of the first execution that did not come to an end, as
// far as it went.
func (x *queueTest) showOpen() {
	f := x.report.Failure // nobody else changes it
	setup, err := x.subject.Prepare(f.Case.Program)
	if err != nil {
		return
	}
	sim := x.simulation(setup)
	defer sim.Close()
	sim.Tracing, sim.Limit = true, min(sim.Limit, f.Case.Schedule.Choices.Len())
	e := sim.Run(schedule.NewReplay(f.Case.Schedule.Choices))
	x.change(func(r *Report) { r.Rerun = &fuzz.Rerun{Case: f.Case, Execution: e, Finding: f.Finding} })
}

// showFailure adds the accesses of what failed.
func (x *queueTest) showFailure() {
	f := x.report.Failure // nobody else changes it
	if again, err := fuzz.RunCaseOf(x.subject, f.Case); err == nil && again.Finding.Kind == f.Finding.Kind {
		x.change(func(r *Report) { r.Rerun = again })
	}
}
