package exhaust

import (
	"context"
	"math"
	"slices"
	"time"

	"stealproof/fuzz/choice"
	"stealproof/model"
)

// estimateWeak estimates the search of one program on a weak memory, by Knuth's
// method again: a small one is made; of others the walk is followed down at
// random, where parts that turn out to be small are counted, and one of the
// others is drawn and counts for all.
func (x *Search) estimateWeak(ctx context.Context, program model.Program, seed uint64, first, most int) (Estimate, error) {
	e := &Search{Subject: x.Subject, Programs: []model.Program{program}, Accesses: x.Accesses, Limit: first, Jobs: 1}
	r, err := e.runWeak(ctx)
	if err != nil {
		return Estimate{}, err
	}
	each := r.Elapsed / max(1, time.Duration(r.Executions))
	if r.Complete || r.Failure != nil {
		return Estimate{Executions: float64(r.Executions), Exact: true, Each: each}, ctx.Err()
	}
	w, err := e.weakWalk(program)
	if err != nil {
		return Estimate{}, err
	}
	defer w.sim.Close()
	w.search.learn(w.sim, w.setup)
	w.sim.AlwaysPick = true
	d := weakDrawing{weakWalk: w, random: choice.NewRandom(seed)}
	var sum, squares float64
	n := 0
	for ; n < samples && d.made < most && ctx.Err() == nil; n++ {
		v := d.sample()
		sum += v
		squares += v * v
	}
	mean := sum / math.Max(1, float64(n))
	variance := max(0, squares/math.Max(1, float64(n))-mean*mean) / math.Max(1, float64(n-1))
	return Estimate{Executions: math.Max(mean, float64(r.Executions)), Error: math.Sqrt(variance), Each: each}, ctx.Err()
}

type weakDrawing struct {
	*weakWalk
	random *choice.Random
	made   int // executions, dead ends too
}

// sample follows the walk down to its end.
func (d *weakDrawing) sample() float64 {
	total, weight := 0.0, 1.0
	var path []int
	for {
		n := d.optionsAt(path)
		if n == 0 {
			return total
		}
		var large []int
		for way := range n {
			executed, all := d.below(append(slices.Clone(path), way))
			if all {
				total += weight * float64(executed)
			} else {
				large = append(large, way)
			}
		}
		if len(large) == 0 {
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
