package exhaust

import (
	"slices"

	"stealproof/fuzz/exhaust/internal/rounds"
	"stealproof/ref"
)

// probe tries out whether a process that seems to spin would do so for long. It
// runs the execution again on a simulation of its own, and then that process
// alone.
type probe struct {
	sim   *ref.Sim
	known map[uint64]bool // by what the process has seen

	search  *search
	from    int // choices of the search to follow
	process int
	loop    []rounds.Sight // latest access first
	turned  int
	endles  bool
	ref.Newest
}

// mostKnown bounds the memory of a probe. What is forgotten is tried again.
const mostKnown = 1 << 16

func newProbe(setup *ref.Setup) *probe {
	p := &probe{sim: ref.NewSim(setup), known: map[uint64]bool{}}
	p.sim.Patience = 1 << 30
	return p
}

func (p *probe) close() { p.sim.Close() }

// endless says whether a process goes on repeating its loop, of which n is the
// last access.
func (p *probe) endless(s *search, v *ref.View, process int, n *node) bool {
	if known, tried := p.known[n.local]; tried {
		return known
	}
	if len(p.known) >= mostKnown {
		clear(p.known)
	}
	p.search, p.from, p.process, p.turned, p.endles = s, v.Step, process, 0, false
	p.loop = p.loop[:0]
	for range n.cycle {
		p.loop = append(p.loop, n.saw)
		if n.before >= 0 {
			n = s.stack[n.before]
		}
	}
	local := s.stack[s.latest[process]].local
	p.sim.Run(p)
	p.known[local] = p.endles
	return p.endles
}

// Next follows the choices of the search, and then lets the process go round
// and round, as long as it does the same.
func (p *probe) Next(v *ref.View) int {
	if v.Step < p.from {
		return int(p.search.stack[v.Step].chosen.Process)
	}
	if p.endles = p.turned >= believedAfter; p.endles {
		return ref.Stop
	}
	saw := &p.loop[len(p.loop)-1-p.turned%len(p.loop)]
	if !slices.Contains(v.Enabled, p.process) || v.Begins(p.process) || !saw.Asks(v.Coming(p.process)) {
		return ref.Stop
	}
	p.turned++
	return p.process
}

// Pick follows the search as well.
func (p *probe) Pick(v *ref.View, n int) int {
	if v.Step < p.from {
		return int(p.search.stack[v.Step].chosen.Pick)
	}
	return 0
}
