package ref

import "stealproof/model"

// Wrap puts something of the caller's around every structure of the setup: an
// observer, or a change. What it makes of a Phased structure must be Phased
// too, or the host does nothing between phases. Call it before anything runs.
func (s *Setup) Wrap(around func(Structure) Structure) {
	for i, st := range s.structures {
		s.structures[i] = around(st)
	}
}

// Operation returns what a process is doing, or about to begin.
func (v *View) Operation(process int) model.Op { return v.sim.processes[process].op.Op }

// Setup returns what is being executed.
func (v *View) Setup() *Setup { return v.sim.setup }
