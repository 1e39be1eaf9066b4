package mutate

import (
	"context"
	"fmt"
	"maps"
	"sync"

	"stealproof/fuzz"
	"stealproof/fuzz/exhaust"
	"stealproof/fuzz/programs"
	"stealproof/fuzz/schedule"
	"stealproof/model"
	"stealproof/ref"
)

// baseline is a program, and what it does without a mutant, explored when
// it is first asked for.
type baseline struct {
	settings string
	program  model.Program
	rare     bool

	once     sync.Once
	seen     *behaviours
	complete bool
	err      error
}

// behaviours are all the histories of a program, and all the results that its
// operations have together.
type behaviours struct {
	histories, results map[exhaust.HistoryKey]bool
	sites              [256]bool // lines that were executed
	reached            bool      // by the mutant
}

func newBehaviours() *behaviours {
	return &behaviours{histories: map[exhaust.HistoryKey]bool{}, results: map[exhaust.HistoryKey]bool{}}
}

func (b *behaviours) add(e *ref.Execution) {
	b.reached = b.reached || e.Setup.Mutated()
	for i := range e.Trace {
		b.sites[e.Trace[i].Access.Site] = true
	}
	if e.Ending == ref.Complete {
		b.results[exhaust.ResultsKey(e.History)] = true
	}
}

// trial is a campaign, which must hold without a mutant: that is seen to when
// it is first used.
type trial struct {
	campaignSize
	once sync.Once
	err  error
}

func newMutantJudge(x *Measurement) (*mutantJudge, error) {
	j := &mutantJudge{Measurement: x}
	suite := x.suite()
	for _, t := range suite.trials {
		j.trials = append(j.trials, &trial{campaignSize: t})
	}
	for _, b := range suite.bounds {
		programs, err := j.programs(b)
		if err != nil {
			return nil, err
		}
		for _, p := range programs {
			j.baselines = append(j.baselines, &baseline{settings: b.settings, program: p, rare: b.rare})
		}
	}
	return j, nil
}

func (j *mutantJudge) count() int { return len(j.baselines) }

// programs are those of a bound: all of a shape, or one.
func (j *mutantJudge) programs(b bound) ([]model.Program, error) {
	if b.program != "" {
		p, err := j.Subject.ParseProgram(b.program)
		return []model.Program{p}, err
	}
	s, err := j.subject(b.settings, "")
	if err != nil {
		return nil, err
	}
	return programs.All(s, programs.Bounds{Shape: b.shape, Exactly: true})
}

// explore makes every execution of a program, without or with a mutant.
func (j *mutantJudge) explore(ctx context.Context, b *baseline, mutant string) (*behaviours, *exhaust.Result, error) {
	s, err := j.subject(b.settings, mutant)
	if err != nil {
		return nil, nil, err
	}
	seen := newBehaviours()
	x := exhaust.Search{Subject: s, Programs: []model.Program{b.program}, Limit: mutantExecutions, Accesses: mutantLoop, AllHistories: true, Each: seen.add}
	x.EachHistory = func(k exhaust.HistoryKey) { seen.histories[k] = true }
	if b.rare {
		x.Limit = rareExecutions
	}
	r, err := x.Run(ctx)
	return seen, r, err
}

// The limits of an exhaustive search of one program: far more executions than
// one of the bounds has without a mutant, and far longer ones.
const (
	mutantExecutions = 200_000
	rareExecutions   = 400_000
	mutantLoop       = 2000
)

// original explores the program without a mutant, once.
func (j *mutantJudge) original(ctx context.Context, b *baseline) error {
	b.once.Do(func() {
		var r *exhaust.Result
		if b.seen, r, b.err = j.explore(ctx, b, ""); b.err != nil {
			return
		}
		if b.complete = r.Complete; r.Verdict == model.Violation {
			b.err = fmt.Errorf("%s fails without a mutant already, so that its mutants say nothing: %s\n%s", r.Failure.Case.Spec, r.Failure.Finding.Explanation, b.program)
		}
	})
	return b.err
}

// compare looks for a violation of the mutant in every execution of every
// program of the bounds, and if there is none, for a difference. A program that
// never comes to the mutant's line is the same with it.
func (j *mutantJudge) compare(ctx context.Context, r *Mutant) error {
	c := comparison{sameHistories: true, sameResults: true}
	r.Missed = true
	for _, b := range j.baselines {
		if b.rare && !r.Missed {
			continue
		}
		if err := j.original(ctx, b); err != nil || ctx.Err() != nil {
			return err
		}
		if !r.Mutant.Among(func(site int) bool { return b.seen.sites[site] }) && !j.byHost(r.Mutant) {
			continue
		}
		if err := j.compareOn(ctx, b, r, &c); err != nil || ctx.Err() != nil || r.Outcome == Killed {
			return err
		}
	}
	switch {
	case r.Open || r.Missed || !c.sameResults:
		r.Outcome = Survivor
	case !c.sameHistories:
		r.Outcome = SameResults
	default:
		r.Outcome = Equivalent
	}
	return nil
}

// comparison is what is known about the differences of a mutant.
type comparison struct{ sameHistories, sameResults bool }

func (j *mutantJudge) compareOn(ctx context.Context, b *baseline, r *Mutant, c *comparison) error {
	seen, res, err := j.explore(ctx, b, r.Mutant.String())
	if err != nil || ctx.Err() != nil {
		return err
	}
	r.Executions += res.Executions
	r.Missed = r.Missed && !seen.reached && !r.Mutant.OfText() // the program comes to its line
	if res.Failure != nil {
		r.Outcome, r.Failure, r.Exhaustive = Killed, res.Failure, true
		return nil
	}
	r.Open = r.Open || !res.Complete || res.Verdict != model.Linearizable || !b.complete
	c.sameHistories = c.sameHistories && maps.Equal(seen.histories, b.seen.histories)
	c.sameResults = c.sameResults && maps.Equal(seen.results, b.seen.results)
	return nil
}

// byHost says whether the line may be one of the host's, whose accesses stand in no
// trace. Of a module's lines nobody knows whose they are.
func (j *mutantJudge) byHost(m ref.Mutant) bool {
	return m.SiteName() == "host" || m.OfText() && j.Subject.Design().Kind == model.Bag
}

// reached says whether the mutant makes a difference to any access of some
// executions of each trial; of one that is a patch of the text, whether they come to
// its line.
func (j *mutantJudge) reached(ctx context.Context, m ref.Mutant) (bool, error) {
	for _, t := range j.trials {
		name := m.String()
		if m.OfText() {
			name = ""
		}
		c, err := j.campaign(t, name)
		if err != nil {
			return false, err
		}
		var came visits
		if m.OfText() {
			c.Subject = c.Subject.Around(came.watch)
		}
		made := func(s *ref.Setup) bool { return s.Mutated() || m.Among(came.at) }
		for program := range 8 {
			setup, err := c.Subject.Prepare(c.ProgramOf(program * fuzz.RunsPerProgram))
			if err != nil {
				return false, err
			}
			if err := runSome(ctx, c, setup, program*fuzz.RunsPerProgram, made); err != nil {
				return false, err
			}
			if made(setup) {
				return true, nil
			}
		}
	}
	return false, nil
}

// runSome executes a program under a few schedules of a campaign, from a run on, until
// it has been seen to come to the mutant, whatever comes of it.
func runSome(ctx context.Context, c *fuzz.Campaign, setup *ref.Setup, first int, came func(*ref.Setup) bool) error {
	st, _, err := schedule.New(c.Schedule, setup)
	if err != nil {
		return err
	}
	sim := ref.NewSim(setup)
	defer sim.Close()
	sim.Limit = c.Accesses
	for i := 0; i < 4 && !came(setup) && ctx.Err() == nil; i++ {
		st.Begin(c.Seed + uint64(first+i))
		sim.Run(st)
	}
	return nil
}
