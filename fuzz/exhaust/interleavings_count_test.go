package exhaust

import (
	"math/big"
	"slices"

	"stealproof/ref"
)

// countInterleavings counts the executions of a program without any reduction, on the
// sequentially consistent memory: the paths through its states, by dynamic
// programming. A state is what the memory holds, and what every process has seen
// since its operation began. Processes that would only repeat their last access
// are left out, as the search leaves them out. It gives up, and returns nil, where
// there are more states than most.
func countInterleavings(setup *ref.Setup, most int) (count *big.Int, states int) {
	c := &interleavings{sim: ref.NewSim(setup), known: map[uint64]*big.Int{}, most: most}
	defer c.sim.Close()
	c.sim.Tracing = true
	return c.from(nil), len(c.known)
}

type interleavings struct {
	ref.Newest
	sim   *ref.Sim
	known map[uint64]*big.Int // paths from a state on
	most  int

	path  []int // processes in turn
	able  []int // that can go on at its end
	phase int
}

// Next follows the path, and looks who could go on.
func (c *interleavings) Next(v *ref.View) int {
	if v.Step < len(c.path) {
		return c.path[v.Step]
	}
	c.able, c.phase = c.able[:0], v.Phase
	for _, p := range v.Enabled {
		if !v.Waits(p) {
			c.able = append(c.able, p)
		}
	}
	return ref.Stop
}

// from counts the paths that begin with this one.
func (c *interleavings) from(path []int) *big.Int {
	c.path, c.able = path, c.able[:0]
	e := c.sim.Run(c)
	if e.Ending != ref.Cut || len(c.able) == 0 {
		return big.NewInt(1)
	}
	key := c.state(e)
	if n, seen := c.known[key]; seen {
		return n
	}
	if len(c.known) >= c.most {
		return nil
	}
	able := slices.Clone(c.able)
	c.known[key] = nil // no state comes after itself
	sum := new(big.Int)
	for _, p := range able {
		n := c.from(append(slices.Clip(path), p))
		if n == nil {
			return nil
		}
		sum.Add(sum, n)
	}
	c.known[key] = sum
	return sum
}

// state stands for the end of the path.
func (c *interleavings) state(e *ref.Execution) uint64 {
	memory := map[ref.Location]uint64{}
	local := map[int]uint64{}
	for i := range e.Trace {
		ev := &e.Trace[i]
		if ev.Kind == ref.Fence {
			continue
		}
		memory[ev.Location] = ev.After
		if ev.First {
			local[ev.Process] = stir(1, uint64(ev.Op))
		}
		local[ev.Process] = stir(stir(local[ev.Process], uint64(ev.Location)<<16|uint64(ev.Kind)<<8|uint64(ev.Access.Site)), ev.Before)
	}
	key := stir(0, uint64(c.phase))
	for l, v := range memory {
		key += stir(stir(7, uint64(l)), v)
	}
	for p, h := range local {
		key += stir(stir(11, uint64(p)), h)
	}
	return key
}
