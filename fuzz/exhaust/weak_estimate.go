package exhaust

import (
	"context"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"stealproof/fuzz/choice"
	"stealproof/fuzz/exhaust/internal/graph"
	"stealproof/model"
)

// estimateWeak estimates the search of one program on a weak memory, by Knuth's
// method again: a small one is made; of others the walk is followed down at
// random, where parts that turn out to be small are counted, and one of the
// others is drawn and counts for all.
func (x *Search) estimateWeak(ctx context.Context, program model.Program, seed uint64, first, most int) (Estimate, error) {
	e := &Search{Subject: x.Subject, Programs: []model.Program{program}, Accesses: x.Accesses, AllHistories: x.AllHistories, everyProcess: x.everyProcess, Limit: first, Jobs: 1}
	r, err := e.runWeak(ctx)
	if err != nil {
		return Estimate{}, err
	}
	each := r.Elapsed / max(1, time.Duration(r.Executions))
	if r.Complete || r.Failure != nil || r.Checkpoint == nil {
		return Estimate{Executions: float64(r.Executions), Exact: true, Each: each}, ctx.Err()
	}
	var at atomic.Pointer[pulse]
	w, err := e.weakWalk(program, &at)
	if err != nil {
		return Estimate{}, err
	}
	defer w.sim.Close()
	var d weakSample = &graphDrawing{weakWalk: w, random: choice.NewRandom(seed)}
	if r.Checkpoint.walks[0].graphs == nil {
		w.oneByOne()
		d = &weakDrawing{weakWalk: w, random: choice.NewRandom(seed)}
	}
	var sum, squares float64
	n := 0
	enough := func() bool { return d.runs() >= most || ctx.Err() != nil }
	for ; n < samples && !enough(); n++ {
		v := d.sample(enough)
		sum += v
		squares += v * v
	}
	mean := sum / math.Max(1, float64(n))
	variance := max(0, squares/math.Max(1, float64(n))-mean*mean) / math.Max(1, float64(n-1))
	return Estimate{Executions: math.Max(mean, float64(r.Executions)), Error: math.Sqrt(variance), Each: each}, ctx.Err()
}

// weakSample draws one part of a search after the other, and says how many
// executions there are if all are like it; fewer, if it was enough before it came to the
// end: what waits in loops has walks of thousands of steps, each with parts of its own. It
// counts those that it made, dead ends too.
type weakSample interface {
	sample(enough func() bool) float64
	runs() int
}

type weakDrawing struct {
	*weakWalk
	random *choice.Random
	made   int // executions, dead ends too
}

func (d *weakDrawing) runs() int { return d.made }

// sample follows the walk down to its end.
func (d *weakDrawing) sample(enough func() bool) float64 {
	total, weight := 0.0, 1.0
	var path []int
	for {
		n := d.optionsAt(path)
		if n == 0 {
			return total
		}
		var large []int
		for way := range n {
			if enough() {
				return total
			}
			executed, all := d.below(append(slices.Clone(path), way))
			if all {
				total += weight * float64(executed)
			} else {
				large = append(large, way)
			}
		}
		if len(large) == 0 || enough() {
			return total
		}
		weight *= float64(len(large))
		path = append(path, large[d.random.IntN(len(large))])
	}
}

// optionsAt is how many ways there are behind a path, 0 if it is an end.
func (d *weakDrawing) optionsAt(path []int) int {
	d.follow(path)
	if len(d.search.options) == len(path) {
		return 0
	}
	return d.search.options[len(path)]
}

// follow makes the first execution behind a path.
func (d *weakDrawing) follow(path []int) {
	d.search.decisions = append(d.search.decisions[:0], path...)
	d.search.options = d.search.options[:0]
	for _, way := range path { // none is to be tried but this
		d.search.options = append(d.search.options, way+1)
	}
	d.made++
	d.once()
	d.search.grew = false
}

// below makes the executions behind a path, if they are few.
func (d *weakDrawing) below(path []int) (executed int, all bool) {
	d.follow(path)
	for range weakPart {
		if !d.search.dead {
			executed++
		}
		if !d.search.advance() {
			return executed, true
		}
		d.made++
		d.once()
		d.search.grew = false
	}
	return executed, false
}

// weakPart is how many executions are few.
const weakPart = 8

// graphDrawing follows the graphs down: those with which others begin stand below
// the one from which they were found.
type graphDrawing struct {
	*weakWalk
	random *choice.Random
	made   int
}

func (d *graphDrawing) runs() int { return d.made }

// once makes the graph that was found last, and counts it unless it is a dead end.
func (d *graphDrawing) once() int {
	d.made++
	d.nextGraph()
	if d.graphs.run.Dead || d.graphs.run.Blocked {
		return 0
	}
	return 1
}

// sample counts small parts, and of the others draws one that counts for all.
func (d *graphDrawing) sample(enough func() bool) float64 {
	d.graphs.left = append(d.graphs.left[:0], graph.Graph{})
	total, weight := 0.0, 1.0
	for {
		d.sim.OpenFences = true
		total += weight * float64(d.once())
		below := slices.Clone(d.graphs.left)
		var large []graph.Graph
		for _, g := range below {
			if enough() {
				return total
			}
			if n, all := d.below(g); all {
				total += weight * float64(n)
			} else {
				large = append(large, g)
			}
		}
		if len(large) == 0 || enough() {
			return total
		}
		weight *= float64(len(large))
		d.graphs.left = append(d.graphs.left[:0], large[d.random.IntN(len(large))])
	}
}

// below makes the graphs that begin with one, if they are few.
func (d *graphDrawing) below(g graph.Graph) (executed int, all bool) {
	d.graphs.left = append(d.graphs.left[:0], g)
	for range weakPart {
		executed += d.once()
		if len(d.graphs.left) == 0 {
			return executed, true
		}
	}
	return executed, false
}
