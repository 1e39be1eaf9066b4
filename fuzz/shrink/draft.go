package shrink

import (
	"slices"

	"stealproof/model"
)

// draft is a program taken to pieces, some of which may have been left out. Each
// piece knows where it stood, so that a plan for the whole program becomes one
// for the rest.
type draft struct{ processes [][]piece }

// piece is a call, or a few that are repeated: call i of repetition k stood at
// places[i] + k*stride of its process.
type piece struct {
	calls   []model.Call
	times   int
	process int
	places  []int
	stride  int
}

func (p *piece) isPhase() bool { return p.times == 1 && p.calls[0].Op == model.Phase }

// draftOf takes a flat program to pieces.
func draftOf(p model.Program) draft {
	d := draft{make([][]piece, len(p.Processes))}
	for id, steps := range p.Processes {
		at := 0
		for _, s := range steps {
			pc := piece{calls: []model.Call{s.Call}, times: 1, process: id}
			if s.Times > 0 {
				pc.calls, pc.times = callsOf(s.Group), s.Times
			}
			pc.stride = len(pc.calls)
			for i := range pc.calls {
				pc.places = append(pc.places, at+i)
			}
			at += pc.stride * pc.times
			d.processes[id] = append(d.processes[id], pc)
		}
	}
	return d
}

// program puts the pieces together again; processes without any are gone.
func (d draft) program() model.Program {
	var p model.Program
	for _, pieces := range d.processes {
		if len(pieces) == 0 {
			continue
		}
		var steps []model.Step
		for _, pc := range pieces {
			if pc.times == 1 {
				steps = append(steps, model.Calls(pc.calls...)...)
			} else {
				steps = append(steps, model.Step{Times: pc.times, Group: model.Calls(pc.calls...)})
			}
		}
		p.Processes = append(p.Processes, steps)
	}
	return p
}

// transfer makes a plan for the whole program one for the draft, whose
// operations are counted without ends of phases. Its processes have so many lanes.
func (d draft) transfer(plan []planned, lanes int) []planned {
	type place struct{ process, op int }
	var now [][]place // by old process and place
	set := func(process, at int, to place) {
		for len(now) <= process {
			now = append(now, nil)
		}
		for len(now[process]) <= at {
			now[process] = append(now[process], place{-1, 0})
		}
		now[process][at] = to
	}
	id := 0
	for _, pieces := range d.processes {
		if len(pieces) == 0 {
			continue
		}
		op := 0
		for i := range pieces {
			pc := &pieces[i]
			for k := range pc.times {
				for j := range pc.calls {
					if pc.calls[j].Op != model.Phase {
						set(pc.process, pc.places[j]+k*pc.stride, place{id, op})
						op++
					}
				}
			}
		}
		id++
	}
	rest := make([]planned, 0, len(plan))
	for _, c := range plan {
		process, lane := c.process/lanes, c.process%lanes
		if process >= len(now) || c.op >= len(now[process]) {
			continue
		}
		if to := now[process][c.op]; to.process >= 0 {
			rest = append(rest, planned{to.process*lanes + lane, to.op, c.pick})
		}
	}
	return rest
}

func (d draft) clone() draft {
	c := draft{make([][]piece, len(d.processes))}
	for i := range c.processes {
		c.processes[i] = slices.Clone(d.processes[i])
	}
	return c
}

// spot is where a piece stands.
type spot struct{ process, piece int }

// spots lists the pieces, of calls or of ends of phases.
func (d draft) spots(phases bool) []spot {
	var all []spot
	for i := range d.processes {
		for j := range d.processes[i] {
			if d.processes[i][j].isPhase() == phases {
				all = append(all, spot{i, j})
			}
		}
	}
	return all
}

// without leaves pieces out.
func (d draft) without(left []spot) draft {
	c := draft{make([][]piece, len(d.processes))}
	gone := make(map[spot]bool, len(left))
	for _, s := range left {
		gone[s] = true
	}
	for i := range d.processes {
		for j := range d.processes[i] {
			if !gone[spot{i, j}] {
				c.processes[i] = append(c.processes[i], d.processes[i][j])
			}
		}
	}
	return c
}

// largestBody is how many calls of a group are taken apart one by one, and how
// many pieces a repeated row of pieces may become.
const largestBody = 64

// flatten makes every step a call, or a group of calls that is repeated at
// least three times; of such a group the first and the last repetition stand by
// themselves, since calls may be left out there that the others need.
func flatten(p model.Program) model.Program {
	f := model.Program{Processes: make([][]model.Step, len(p.Processes))}
	for i, steps := range p.Processes {
		f.Processes[i] = flattenSteps(steps)
	}
	return f
}

func flattenSteps(steps []model.Step) []model.Step {
	var flat []model.Step
	for _, s := range steps {
		if s.Times == 0 {
			flat = append(flat, s)
			continue
		}
		calls := callsOf(s.Group)
		phased := slices.ContainsFunc(calls, func(c model.Call) bool { return c.Op == model.Phase })
		if phased || s.Times*len(calls) <= largestBody {
			for range s.Times {
				flat = append(flat, model.Calls(calls...)...)
			}
			continue
		}
		if len(calls) > largestBody {
			for range s.Times {
				flat = append(flat, flattenSteps(s.Group)...)
			}
			continue
		}
		flat = append(flat, model.Calls(calls...)...)
		flat = append(flat, model.Step{Times: s.Times - 2, Group: model.Calls(calls...)})
		flat = append(flat, model.Calls(calls...)...)
	}
	return flat
}

// callsOf expands groups.
func callsOf(steps []model.Step) []model.Call {
	var calls []model.Call
	for _, s := range steps {
		if s.Times == 0 {
			calls = append(calls, s.Call)
			continue
		}
		group := callsOf(s.Group)
		for range s.Times {
			calls = append(calls, group...)
		}
	}
	return calls
}
