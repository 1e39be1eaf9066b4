package litmus

import (
	"cmp"
	"slices"

	"stealproof/ref/axioms"
)

// Barriers in one combination of paths: who meets whom. Where nobody says how
// many are to come, the first time that a thread comes by a barrier meets the
// first time of the others, the second the second. Where a sync has a quorum
// the barrier is used in rounds, and who takes part in which is a choice of the
// search: see rounds below.

// barrierKey is one logical barrier: of a block, by the number of the
// instruction and the logical number, if there is one.
type barrierKey struct {
	place   axioms.Place
	barrier int64
	hasID   bool
	id      int64
}

// use is one use of a barrier without a quorum: how often the thread has come
// by it before.
type use struct {
	barrierKey
	occurrence int
}

func (v *values) barrierOf(at int) (key barrierKey, known bool) {
	e, d := &v.graph.Events[at], v.details[at]
	key = barrierKey{place: v.graph.Places[e.Thread], barrier: d.instruction.Barrier, hasID: d.id != nil}
	if d.id == nil {
		return key, true
	}
	key.id, known = d.id.eval(v.lookup(e.Thread))
	return key, known
}

// meet gives the events of barriers without a quorum their phases, as far as it
// is known which barriers they are.
func (v *values) meet() {
	next, numbers := map[barrierKey]int{}, map[use]int{}
	thread, lost := none, map[int64]bool{}
	for _, at := range v.barriers {
		e := &v.graph.Events[at]
		if v.details[at].instruction.counted {
			continue
		}
		if e.Thread != thread {
			thread = e.Thread
			clear(lost)
			clear(next)
		}
		key, known := v.barrierOf(at)
		// After a barrier whose logical number is not known yet, nor is it
		// known how often the thread has come by the others.
		lost[key.barrier] = lost[key.barrier] || !known
		if e.Phase = axioms.UnknownPhase; lost[key.barrier] {
			continue
		}
		u := use{key, next[key]}
		next[key]++
		if _, seen := numbers[u]; !seen {
			numbers[u] = len(numbers)
		}
		e.Phase = numbers[u]
	}
}

// comer is an event that comes to a barrier with a quorum.
type comer struct {
	at     int // the event
	thread int
	key    barrierKey
	quorum int64 // 0 where it is an arrival that gives none
	waits  bool  // a sync
}

// comers lists, for each thread, its events at barriers with quorums; not known
// where a number is not known yet.
func (v *values) comers() (of [][]comer, known bool) {
	of = make([][]comer, len(v.paths))
	for _, at := range v.barriers {
		e, d := &v.graph.Events[at], v.details[at]
		if !d.instruction.counted {
			continue
		}
		c := comer{at: at, thread: e.Thread, waits: e.Kind == axioms.BarrierSync}
		if c.key, known = v.barrierOf(at); !known {
			return nil, false
		}
		if d.quorum != nil {
			if c.quorum, known = d.quorum.eval(v.lookup(e.Thread)); !known {
				return nil, false
			}
		}
		of[e.Thread] = append(of[e.Thread], c)
	}
	return of, true
}

// rounds is one way in which everybody may come to the barriers with quorums.
type rounds struct {
	phase map[int]int // of events
	order [][]int     // phases of each barrier, as they come about
}

// gathering is a step on the way there.
type gathering struct {
	of      [][]comer
	passed  []int // comers of each thread that have come
	waiting []int // the event at which a thread waits, or none
	phase   map[int]int
	keys    []barrierKey
	open    map[barrierKey][]comer // those of the round that is not over yet
	done    map[barrierKey]int     // rounds that are over
}

// roundsOf lists all ways in which the threads can come to the barriers, so that
// those wait for ever whose paths say so, and nobody else.
func (v *values) roundsOf(of [][]comer) []rounds {
	g := &gathering{of: of, passed: make([]int, len(of)), waiting: slices.Repeat([]int{none}, len(of)), phase: map[int]int{}, open: map[barrierKey][]comer{}, done: map[barrierKey]int{}}
	for _, comers := range of {
		for _, c := range comers {
			if !slices.Contains(g.keys, c.key) {
				g.keys = append(g.keys, c.key)
			}
		}
	}
	if !v.couldEnd(of, g.keys) {
		return nil
	}
	var all []rounds
	seen := map[string]bool{}
	var gather func()
	gather = func() {
		state := g.state()
		if seen[state] {
			return
		}
		seen[state] = true
		stands := true // nobody can go on
		for thread := range of {
			if g.waiting[thread] != none || g.passed[thread] == len(of[thread]) {
				continue
			}
			stands = false
			before := g.copy()
			g.come(of[thread][g.passed[thread]])
			gather()
			*g = *before
		}
		if stands && v.ends(g) {
			all = append(all, g.rounds(v.firstFreePhase()))
		}
	}
	gather()
	return all
}

// couldEnd counts: where all ask a barrier for one number, its rounds take so many
// each, and those left over in the end are those whose paths wait there for ever,
// and perhaps arrivals. It keeps choices of paths that cannot be from being tried
// in every order.
func (v *values) couldEnd(of [][]comer, keys []barrierKey) bool {
	for _, key := range keys {
		var quorum int64
		come, arrive, wait, alike := int64(0), int64(0), int64(0), true
		for thread, comers := range of {
			for k, c := range comers {
				if c.key != key {
					continue
				}
				come++
				if c.quorum != 0 {
					alike = alike && (quorum == 0 || quorum == c.quorum)
					quorum = c.quorum
				}
				switch {
				case !c.waits:
					arrive++
				case k == len(comers)-1 && v.paths[thread].waits:
					wait++
				}
			}
		}
		if !alike || quorum <= 0 {
			continue
		}
		if left := come % quorum; left < wait || left > wait+arrive {
			return false
		}
	}
	return true
}

// state tells apart who has come where; who waits follows from that.
func (g *gathering) state() string {
	var s []byte
	for thread, comers := range g.of {
		s = append(s, byte(g.passed[thread]))
		for _, c := range comers[:g.passed[thread]] {
			s = append(s, byte(g.phase[c.at]), byte(g.phase[c.at]>>8))
		}
	}
	return string(s)
}

// ends says whether all have come as far as their paths go, and those wait that
// wait at the end of their paths.
func (v *values) ends(g *gathering) bool {
	for thread, p := range v.paths {
		if g.passed[thread] < len(g.of[thread]) || p.waits != (g.waiting[thread] != none) {
			return false
		}
	}
	return true
}

func (v *values) firstFreePhase() int { return len(v.graph.Events) }

func (g *gathering) copy() *gathering {
	c := *g
	c.passed, c.waiting = slices.Clone(g.passed), slices.Clone(g.waiting)
	c.phase, c.open, c.done = map[int]int{}, map[barrierKey][]comer{}, map[barrierKey]int{}
	for at, phase := range g.phase {
		c.phase[at] = phase
	}
	for key, comers := range g.open {
		c.open[key] = slices.Clone(comers)
	}
	for key, n := range g.done {
		c.done[key] = n
	}
	return &c
}

// come lets a thread come to the barrier. The round is over when as many have
// come as each that gives a number asks for. Who arrives goes on; who syncs waits
// until so many have come as it asks for.
func (g *gathering) come(c comer) {
	g.passed[c.thread]++
	if c.waits {
		g.waiting[c.thread] = c.at
	}
	g.phase[c.at] = g.done[c.key]*len(g.keys) + slices.Index(g.keys, c.key)
	g.open[c.key] = append(g.open[c.key], c)
	come := int64(len(g.open[c.key]))
	most := slices.MaxFunc(g.open[c.key], func(a, b comer) int { return cmp.Compare(a.quorum, b.quorum) }).quorum
	for _, member := range g.open[c.key] {
		if member.quorum <= come && g.waiting[member.thread] == member.at {
			g.waiting[member.thread] = none
		}
	}
	if most > 0 && come >= most {
		g.done[c.key]++
		delete(g.open, c.key)
	}
}

// rounds has the phases counted from a number on that no other barrier has.
func (g *gathering) rounds(first int) rounds {
	r := rounds{phase: map[int]int{}}
	for at, phase := range g.phase {
		r.phase[at] = first + phase
	}
	for k, key := range g.keys {
		var order []int
		for n := range g.done[key] + 1 {
			order = append(order, first+n*len(g.keys)+k)
		}
		r.order = append(r.order, order)
	}
	return r
}

// gather takes a way, or none, for the graph.
func (v *values) gather(r *rounds) {
	for _, at := range v.barriers {
		if !v.details[at].instruction.counted {
			continue
		}
		v.graph.Events[at].Phase = axioms.UnknownPhase
		if r != nil {
			v.graph.Events[at].Phase = r.phase[at]
		}
	}
	v.graph.Rounds = nil
	if r != nil {
		v.graph.Rounds = r.order
	}
}
