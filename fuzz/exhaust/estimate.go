package exhaust

import (
	"context"
	"math"
	"time"

	"stealproof/fuzz/choice"
	"stealproof/model"
)

// Estimate is how many executions an exhaustive search will make, as far as
// samples say.
type Estimate struct {
	// Executions is the mean of the samples, and Error its standard error, both
	// 0 beyond what is exact.
	Executions, Error float64
	// Exact: the sample was the whole search.
	Exact bool
	// Each is the time that one execution took, verdict included.
	Each time.Duration
}

// Time is how long so many workers will need.
func (e Estimate) Time(jobs int) time.Duration {
	t := e.Executions * float64(e.Each) / float64(max(1, jobs))
	if t > math.MaxInt64/2 {
		return math.MaxInt64 / 2
	}
	return time.Duration(t)
}

// How much is sampled: a small search is exact after one part; a large one is
// followed down at random so many times, in parts of so many executions.
const (
	wholeSample    = 20_000
	judgedSample   = 50     // of these, to see how long a verdict takes
	judgedRuns     = 1000   // or of so many with those that are cut
	judgedTries    = 20_000 // or so many steps of the judge
	samplePart     = 16
	samples        = 200
	mostSampleRuns = 40_000 // executions of all samples of a program together
	sampledOfAll   = 24     // programs, of many
)

// estimateProgram estimates the search of one program, by Knuth's method: the
// search is cut into parts, one part is drawn, and counts for all. Down to the
// parts that are small enough everything that is met on the way is executed. The
// same seed gives the same number.
func (x *Search) estimateProgram(ctx context.Context, program model.Program, seed uint64) (Estimate, error) {
	most, first := mostSampleRuns, wholeSample
	if len(x.Programs) > 1 {
		most, first = mostSampleRuns/8, wholeSample/16
	}
	if x.Subject.Weak() {
		return x.estimateWeak(ctx, program, seed, first, 2*most) // of which most are dead ends
	}
	e := &Search{Subject: x.Subject, Programs: []model.Program{program}, Accesses: x.Accesses, AllHistories: x.AllHistories, everyProcess: x.everyProcess}
	p, err := e.prepare(0)
	if err != nil {
		return Estimate{}, err
	}
	ex := newExplorer(p, x.accesses(), x.AllHistories, x.prunes())
	defer ex.close()
	d := drawing{explorer: ex, random: choice.NewRandom(seed), start: time.Now(), most: most, first: first}
	if n, whole := d.whole(); whole {
		return Estimate{Executions: float64(n), Exact: true, Each: d.judged}, d.err
	}
	var sum, squares float64
	n := 0
	for ; n < samples && d.runs-d.first < d.most && d.err == nil && ctx.Err() == nil; n++ {
		v := d.sample()
		sum += v
		squares += v * v
	}
	mean := sum / float64(n)
	variance := max(0, squares/float64(n)-mean*mean) / math.Max(1, float64(n-1))
	if d.err == nil {
		d.err = ctx.Err()
	}
	return Estimate{Executions: mean, Error: math.Sqrt(variance), Each: d.judged}, d.err
}

type drawing struct {
	explorer *explorer
	random   *choice.Random
	executed int
	runs     int // those that were cut, too
	most     int // runs of samples
	first    int // runs before there are samples
	start    time.Time
	judged   time.Duration // that an execution takes with its verdict
	err      error
}

func (d *drawing) each() time.Duration {
	return time.Since(d.start) / time.Duration(max(1, d.executed))
}

// some makes a number of executions and says whether that was all.
func (d *drawing) some(most int) (executed int, all bool) {
	for range most {
		o := d.explorer.once()
		d.runs++
		if d.err = o.err; d.err != nil {
			return executed, true
		}
		if !o.cut {
			executed++
			d.executed++
		}
		if !d.explorer.search.backtrack() {
			return executed, true
		}
	}
	return executed, false
}

func (d *drawing) whole() (int, bool) {
	d.explorer.search.load(&task{})
	n, all := 0, false
	for n < judgedSample && d.runs < judgedRuns && !all && d.explorer.witnesses.total < judgedTries {
		var more int
		more, all = d.some(1)
		n += more
	}
	d.judged = d.each()
	if all || d.err != nil {
		return n, all
	}
	d.explorer.unjudged = true
	more, all := d.some(d.first)
	return n + more, all
}

// sample follows the search down to its end at random. Parts that turn out to
// be small are counted; of those that do not, and what is left of the part that
// they were split from, one is drawn.
func (d *drawing) sample() float64 {
	total, weight := 0.0, 1.0
	t := &task{}
	d.explorer.search.load(t)
	for d.err == nil {
		n, all := d.some(samplePart)
		total += weight * float64(n)
		if all {
			break
		}
		parts := d.explorer.split(t)
		d.explorer.search.save(t)
		large := []*task{t}
		for _, part := range parts {
			d.explorer.search.load(part)
			n, all := d.some(samplePart)
			total += weight * float64(n)
			if !all {
				d.explorer.search.save(part)
				large = append(large, part)
			}
		}
		weight *= float64(len(large))
		t = large[d.random.IntN(len(large))]
		d.explorer.search.load(t)
	}
	return total
}

// EstimateAll estimates the search of all programs from some of them.
func (x *Search) EstimateAll(ctx context.Context, seed uint64) (Estimate, error) {
	programs := x.Programs
	step := max(1, (len(programs)+sampledOfAll-1)/sampledOfAll)
	total := Estimate{Exact: step == 1}
	var spent float64
	for from := 0; from < len(programs); from += step {
		n := min(step, len(programs)-from)
		// the last of a block: programs are in the order of size, so that this says
		// rather too much than too little
		e, err := x.estimateProgram(ctx, programs[from+n-1], seed)
		if err != nil {
			return Estimate{}, err
		}
		total.Executions += float64(n) * e.Executions
		total.Error += float64(n) * e.Error
		total.Exact = total.Exact && e.Exact
		spent += float64(n) * e.Executions * float64(e.Each)
	}
	total.Each = time.Duration(spent / math.Max(1, total.Executions))
	return total, nil
}
