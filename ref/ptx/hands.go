package ptx

import (
	"stealproof/model"
	"stealproof/ref/ptx/machine"
)

// hands carry out operations on an image, one after the other, by as many lanes as
// there are.
type hands struct {
	team     machine.Team
	machines []*machine.Machine
	crew     machine.Crew
}

func newHands(d *design, m *image, processes int) *hands {
	h := &hands{team: d.team}
	h.crew.Apart = d.setup.Apart
	for range d.team.Threads() {
		x := d.newMachine(processes, false)
		x.Shared, x.Limit = m, tryLimit
		h.machines = append(h.machines, x)
	}
	return h
}

func (h *hands) perform(o *model.Operation) error {
	if len(h.machines) == 1 {
		return perform(h.machines[0], o)
	}
	own := make([]model.Operation, len(h.machines))
	err := machine.InTurn(&h.crew, h.team, h.machines, func(lane int) error {
		own[lane] = *o
		return alone(func() error { return perform(h.machines[lane], &own[lane]) })
	})
	*o = own[0]
	return err
}
