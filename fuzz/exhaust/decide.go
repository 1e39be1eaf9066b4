package exhaust

import (
	"math/bits"

	"stealproof/model"
)

// precedence is a class of histories with the same results: those of all orders
// of the endpoints in which each comes behind the ones in its set.
type precedence struct {
	after [2 * maxExhaustedOps]wide
	relation
}

// relation is what precedes what in a class of histories with the same results:
// forced are the operations that precede one in all of the class, possible those
// that do so in some, as bits.
type relation struct{ forced, possible [maxExhaustedOps]uint64 }

// decide judges all histories of the execution without enumerating them. A
// witness that serves the whole class proves it. One that does not fails where
// some operation stands before another that may precede it: then the histories
// in which that one precedes, and those in which it does not, are decided by
// themselves. A class without any witness, even for what precedes in all of
// it, has none that holds: then decide returns false, and the word is one of
// them. It gives up, with sure false, where the search for a witness does.
func (o *orders) decide(w *witnesses, h *model.History) (holds, sure bool) {
	var p precedence
	for i := range o.points {
		p.after[i] = o.points[i].after
	}
	return o.decideClass(w, h, &p)
}

func (o *orders) decideClass(w *witnesses, h *model.History, p *precedence) (holds, sure bool) {
	o.relate(p)
	if w.prove(&p.possible) {
		return true, true
	}
	known := w.respecting(&p.relation)
	if known == nil {
		found, over := w.find(h, &p.relation)
		switch {
		case over:
			return false, false
		case !found:
			o.anyWord(p)
			return false, true
		}
		w.keep(h)
		known = &(*w.current)[len(*w.current)-1]
		if w.respects(known, &p.possible) {
			return true, true
		}
	}
	late, early := p.conflict(known, w.aborted)
	stricter := *p
	o.put(&stricter, o.ret[early], o.call[late])
	if holds, sure = o.decideClass(w, h, &stricter); !holds || !sure {
		return holds, sure
	}
	o.put(p, o.call[late], o.ret[early])
	return o.decideClass(w, h, p)
}

// relate works out what precedes what.
func (o *orders) relate(p *precedence) {
	for a := range o.ops {
		p.forced[a], p.possible[a] = 0, 0
		for b := range o.ops {
			if a == b {
				continue
			}
			if p.after[o.call[a]].has(o.ret[b]) {
				p.forced[a] |= 1 << uint(b)
			}
			if !p.after[o.ret[b]].has(o.call[a]) {
				p.possible[a] |= 1 << uint(b)
			}
		}
	}
}

// put adds that one endpoint comes before another, and all that follows.
func (o *orders) put(p *precedence, first, then int) {
	before := p.after[first]
	before.add(first)
	for i := range o.points {
		if i == then || p.after[i].has(then) {
			p.after[i] = p.after[i].or(before)
		}
	}
}

// anyWord makes the word one of the class.
func (o *orders) anyWord(p *precedence) {
	var done wide
	for o.word = o.word[:0]; len(o.word) < len(o.points); {
		for i := range o.points {
			if !done.has(i) && p.after[i].within(done) {
				done.add(i)
				o.word = append(o.word, i)
			}
		}
	}
}

// conflict returns an operation of the order, and one behind it that may precede
// it.
func (p *relation) conflict(known *witness, placed uint64) (late, early int) {
	for _, i := range known.order {
		if open := p.possible[i] &^ (placed | known.with[i]); open != 0 {
			return int(i), bits.TrailingZeros64(open)
		}
		placed |= 1 << i
	}
	panic("fuzz: an order without conflict proves the class")
}

// respecting returns an order that is known and puts nothing behind what it
// precedes in all of the class, or nil.
func (w *witnesses) respecting(p *relation) *witness {
	for i := range *w.current {
		if known := &(*w.current)[i]; w.respects(known, &p.forced) {
			return known
		}
	}
	return nil
}

// find looks for an order that respects what precedes in all of the class, and
// says whether it gave up.
func (w *witnesses) find(h *model.History, p *relation) (found, over bool) {
	w.order, w.tries = w.order[:0], 0
	found = w.complete(h, p, w.aborted, model.NewState(h.Kind, h.Params))
	return found, !found && w.tries > mostSearchTries
}

// complete tries operations that nothing can precede any more before those that
// something may.
func (w *witnesses) complete(h *model.History, p *relation, placed uint64, state model.State) bool {
	if placed == allOf(h) {
		return true
	}
	for _, safe := range []bool{true, false} {
		for i := range h.Ops {
			if placed&(1<<uint(i)) != 0 || p.forced[i]&^placed != 0 || safe != (p.possible[i]&^placed == 0) {
				continue
			}
			w.total++
			if w.tries++; w.tries > mostSearchTries {
				return false
			}
			next := state.Clone()
			if !next.Apply(&h.Ops[i]) {
				continue
			}
			w.order = append(w.order, uint8(i))
			if w.complete(h, p, placed|1<<uint(i), next) {
				return true
			}
			w.order = w.order[:len(w.order)-1]
		}
	}
	return false
}
