package progress

import (
	"context"
	"slices"

	"stealproof/fuzz"
	"stealproof/fuzz/exhaust"
	"stealproof/fuzz/schedule"
	"stealproof/model"
	"stealproof/ref"
)

// The limits of an exhaustive search with and without a suspended process.
const (
	progressExecutions = 300_000
	progressAccesses   = 1000
)

// explore makes every execution of a program, with nobody suspended, and then
// with each process suspended after each number of accesses that it makes.
func (r *Report) explore(ctx context.Context, setup *ref.Setup) {
	var most []int
	r.exhaust(ctx, setup, nil, func(e *ref.Execution) { most = r.observe(e, most) })
	if !r.Complete || r.Endless {
		return // there is no end to the points at which somebody could be suspended
	}
	for process := range setup.Threads() {
		for after := 1; process < len(most) && after < most[process] && ctx.Err() == nil; after++ {
			r.suspend(ctx, setup, process, after)
		}
	}
}

func (r *Report) exhaust(ctx context.Context, setup *ref.Setup, s *schedule.Suspended, each func(*ref.Execution)) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	x := exhaust.Search{Subject: setup.Subject, Programs: []model.Program{setup.Program}, Limit: progressExecutions, Accesses: progressAccesses, Unjudged: true}
	x.Each = func(e *ref.Execution) {
		if e.Ending == ref.Cut && e.Steps >= progressAccesses {
			r.Endless = true
			cancel() // there is no end to the executions either
			return
		}
		each(e)
	}
	x.Around = func(inner ref.Scheduler) ref.Scheduler {
		if s == nil {
			return &spinWatch{Scheduler: inner, report: r}
		}
		return s.Within(inner)
	}
	res, err := x.Run(ctx)
	if err != nil {
		r.Complete, r.Broken = false, err.Error()
		return
	}
	r.Executions += res.Executions
	switch {
	case res.Failure != nil && res.Failure.Finding.Kind != fuzz.KindStuck:
		r.Complete, r.Broken = false, res.Failure.Finding.Explanation
	case !res.Complete && res.Failure == nil:
		r.Complete = false
	}
}

// spinWatch notes that somebody waits, and hides from the search who goes round
// in circles until somebody changes memory: the search itself recognises loops
// of a single access only.
type spinWatch struct {
	ref.Scheduler
	report *Report
	able   []int
}

func (s *spinWatch) Next(v *ref.View) int {
	s.report.Spins = s.report.Spins || slices.ContainsFunc(v.Enabled, v.Waits)
	s.able = schedule.WithoutCircling(s.able[:0], v, v.Enabled)
	if len(s.able) == len(v.Enabled) {
		return s.Scheduler.Next(v)
	}
	s.report.Spins = true
	if len(s.able) == 0 {
		return s.Scheduler.Next(v) // all do: that is for the simulation to notice
	}
	w := *v
	w.Enabled = s.able
	return s.Scheduler.Next(&w)
}

// observe looks at an execution in which nobody was suspended.
func (r *Report) observe(e *ref.Execution, most []int) []int {
	r.Longest = max(r.Longest, e.Steps)
	if r.Wrong == "" && e.Ending == ref.Complete && !fuzz.Holds(e) {
		r.Wrong = fuzz.Judge(e).Explanation
	}
	most = slices.Grow(most, e.Setup.Threads())[:e.Setup.Threads()]
	calls := e.Setup.Program.Expand()
	counts := make([]int, len(most))
	own, op := make([]int, len(most)), make([]int, len(most))
	for i := range e.Trace {
		ev := &e.Trace[i]
		if ev.Kind == ref.Fence {
			continue
		}
		p := ev.Process
		if op[p] != ev.Op {
			op[p], own[p] = ev.Op, 0
		}
		counts[p]++
		own[p]++
		if e.Ending == ref.Complete {
			r.made(calls[p][ev.Op].Op, own[p])
		}
	}
	for p, n := range counts {
		most[p] = max(most[p], n)
	}
	if e.Ending == ref.Stuck {
		r.stuckAlone(e)
	}
	return most
}

func (r *Report) made(op model.Op, own int) {
	if p := r.of(op); p != nil {
		p.Own = max(p.Own, own)
	}
}

func (r *Report) of(op model.Op) *Operation {
	for i := range r.Ops {
		if r.Ops[i].Claim.Op == op {
			return &r.Ops[i]
		}
	}
	return nil
}

// stuckAlone notes the operations that never return though nobody is suspended.
func (r *Report) stuckAlone(e *ref.Execution) {
	for i := range e.History.Ops {
		if o := &e.History.Ops[i]; o.Pending() {
			if p := r.of(o.Op); p != nil && !p.Alone {
				p.Alone = true
				p.keep(caseOf(e, model.Schedule{Strategy: model.ByChoices, Choices: e.Choices()}, fuzz.Judge(e)))
			}
		}
	}
}

// suspend makes every execution in which a process is suspended after so many
// accesses.
func (r *Report) suspend(ctx context.Context, setup *ref.Setup, process, after int) {
	r.Points++
	s := schedule.NewSuspended(process, after)
	r.exhaust(ctx, setup, s, func(e *ref.Execution) {
		if e.Ending == ref.Stuck {
			s.Spin()
		}
		for _, op := range s.Blocked() {
			p := r.of(op)
			if p == nil {
				continue
			}
			p.stops(*s.Point())
			f, _ := fuzz.JudgeSuspended(s, e)
			p.keep(caseOf(e, s.Schedule(e.Choices()), f))
		}
	})
}

// stops notes a point, once for all processes.
func (p *Operation) stops(at schedule.Point) {
	same := func(s schedule.Point) bool { return s.Op == at.Op && s.Line == at.Line }
	if !slices.ContainsFunc(p.Stops, same) {
		p.Stops = append(p.Stops, at)
	}
}

func caseOf(e *ref.Execution, schedule model.Schedule, f fuzz.Finding) *model.Case {
	c := fuzz.NewCase(e.Setup.Subject, e.Setup.Program, schedule, f, "found by the check of progress: "+f.Explanation)
	return &c
}

// keep keeps the case with the smallest program, and of those the first.
func (p *Operation) keep(c *model.Case) {
	if p.Case == nil || c.Program.Len() < p.Case.Program.Len() {
		p.Case = c
	}
}
