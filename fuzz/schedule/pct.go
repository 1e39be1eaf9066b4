package schedule

import (
	"slices"

	"stealproof/fuzz/choice"
	"stealproof/ref"
)

// pct is probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi &
// Nagarakatte 2010): the process of the highest priority goes on; at depth-1
// random accesses the running process gets a priority below all others. A
// defect that needs d ordering constraints among k accesses of n processes
// shows with probability at least 1/(n·k^(d-1)).
//
// A process that only waits for another is put last as well: priorities that
// never change would let it spin for ever.
type pct struct {
	depth, steps, processes int

	random   choice.Random
	priority []int // of each process, higher first
	lowest   int
	changes  []int // the accesses at which the running process is put last
}

func newPCT(s *settings, setup *ref.Setup) (Strategy, error) {
	steps := s.number("steps", 0, 0, 1<<30)
	if steps == 0 {
		steps = sequentialSteps(setup)
	}
	p := &pct{depth: s.number("depth", 3, 1, 100), steps: steps, processes: setup.Threads()}
	p.priority = make([]int, p.processes)
	return p, nil
}

func (p *pct) Begin(seed uint64) {
	p.random = *choice.NewRandom(seed)
	for i := range p.priority {
		j := p.random.IntN(i + 1)
		p.priority[i] = p.priority[j]
		p.priority[j] = i + 1
	}
	p.lowest = 0
	p.changes = p.changes[:0]
	for range p.depth - 1 {
		p.changes = append(p.changes, p.random.IntN(p.steps))
	}
}

func (p *pct) Next(v *ref.View) int {
	best := p.highest(v)
	if Waits(v, best) || slices.Contains(p.changes, v.Step) {
		p.putLast(best)
		best = p.highest(v)
	}
	return best
}

func (p *pct) highest(v *ref.View) int {
	best := v.Enabled[0]
	for _, id := range v.Enabled[1:] {
		if p.priority[id] > p.priority[best] {
			best = id
		}
	}
	return best
}

func (p *pct) putLast(process int) {
	p.lowest--
	p.priority[process] = p.lowest
}

// Pick reads an old write now and then: like preemptions, few suffice.
func (p *pct) Pick(_ *ref.View, n int) int { return seldomOld(&p.random, n) }
