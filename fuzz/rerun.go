package fuzz

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"stealproof/fuzz/schedule"
	"stealproof/linearize"
	"stealproof/model"
	"stealproof/ref"
)

// Rerun is a saved case, executed again with every access recorded.
type Rerun struct {
	Case      model.Case
	Execution *ref.Execution
	Finding   Finding
	// Fatal is the access after which the violation could no longer be
	// avoided, 0 if there is none.
	Fatal int
	// Matter are the operations that show the violation.
	Matter []model.Operation
}

// mostTraced is the number of accesses after which a replay is cut, since it
// keeps a record of every one: some gigabyte at most.
const mostTraced = 1 << 21

// RunCase executes a case of a structure of package ref again.
func RunCase(c model.Case) (*Rerun, error) {
	s, err := SubjectOf(c)
	if err != nil {
		return nil, err
	}
	return RunCaseOf(s, c)
}

// SubjectOf is what a case is about, if its structure is one of package ref.
func SubjectOf(c model.Case) (ref.Subject, error) { return ref.NewSubject(c.Spec, c.Memory) }

// RunCaseOf executes a case again whose structure may be somebody else's: that
// of the subject, with the settings and on the memory that the case names.
func RunCaseOf(s ref.Subject, c model.Case) (*Rerun, error) {
	s, err := s.With(c.Spec)
	if err != nil {
		return nil, err
	}
	if s, err = s.On(c.Memory); err != nil {
		return nil, err
	}
	setup, err := s.Prepare(c.Program)
	if err != nil {
		return nil, err
	}
	if kind := s.Design().Kind; kind != c.Kind {
		return nil, fmt.Errorf("structure %s is of model %s, the case says %s", c.Spec, kind, c.Kind)
	}
	if c.Schedule.Strategy == "" || c.Schedule.Strategy == byMachine {
		return nil, errors.New("the case has no schedule: it comes from a native run, which cannot be repeated")
	}
	st, seed, err := schedule.New(c.Schedule, setup)
	if err != nil {
		return nil, err
	}
	sim := ref.NewSim(setup)
	defer sim.Close()
	sim.Tracing = true
	sim.Limit = mostTraced
	st.Begin(seed)
	e := sim.Run(st)
	if r, ok := st.(*schedule.Replay); ok && (e.Ending != ref.Cut || r.Diverged != nil || r.Buffered() != nil) {
		if err := r.Fits(e); err != nil {
			return nil, err
		}
	}
	r := &Rerun{Case: c, Execution: e, Finding: Judge(e)}
	if s, ok := st.(*schedule.Suspended); ok {
		if r.Finding, err = JudgeSuspended(s, e); err != nil {
			return nil, err
		}
	}
	r.locate()
	return r, nil
}

// Expected says whether the case came out as it was saved.
func (r *Rerun) Expected() bool {
	return r.Finding.Verdict == r.Case.Verdict && r.Finding.Kind == r.Case.Found
}

// locate finds the operations that matter and the fatal access.
func (r *Rerun) locate() {
	h := r.Execution.History
	if r.Finding.Kind == KindFault {
		r.Fatal = r.Execution.Steps
	}
	v := r.Finding.Violation
	if v == nil {
		return
	}
	var last *model.Operation
	for _, i := range v.Ops {
		o := &h.Ops[i]
		r.Matter = append(r.Matter, *o)
		if !o.Pending() && (last == nil || o.Return > last.Return) {
			last = o
		}
	}
	if len(h.Ops) <= smallHistory && !r.Execution.Setup.Weak() { // there times tell nothing
		if i, ok := linearize.ShortestPrefix(h); ok {
			last = &h.Ops[i]
		}
	}
	if last != nil {
		r.Fatal = effectOf(r.Execution.Trace, last)
	}
}

// effectOf returns the last access by which an operation changed memory, or
// its last access if it changed nothing.
func effectOf(trace []ref.Event, o *model.Operation) int {
	step := int(o.Return)
	for i := range trace {
		ev := &trace[i]
		if ev.Process == int(o.Process) && ev.Kind != ref.Fence && uint64(ev.Step) >= o.Call && uint64(ev.Step) <= o.Return && ev.Changed() {
			step = ev.Step
		}
	}
	return step
}

//go:embed testdata/cases/*.case
var storedCases embed.FS

// StoredCase is a case that the project keeps.
type StoredCase struct {
	Name string
	Case model.Case
}

// StoredCases returns the cases that the project keeps: the shortest
// counterexamples of its findings and the forced wraps.
func StoredCases() ([]StoredCase, error) {
	const folder = "testdata/cases"
	files, err := fs.ReadDir(storedCases, folder)
	if err != nil {
		return nil, err
	}
	var all []StoredCase
	for _, f := range files {
		text, err := fs.ReadFile(storedCases, path.Join(folder, f.Name()))
		if err != nil {
			return nil, err
		}
		c, err := model.ParseCase(string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name(), err)
		}
		all = append(all, StoredCase{f.Name(), c})
	}
	return all, nil
}
