package monitor

import "stealproof/model"

// happen lets an operation happen, which must be possible.
func (b *boundedState) happen(op uint32) {
	o := &b.ops[op]
	b.over[op] = true
	b.trail = append(b.trail, op)
	b.print.toggle(uint64(op), 0)
	b.returns.remove(op)
	switch {
	case o.Op.Puts() && b.item[op] != absent:
		b.putIn(op)
	case b.item[op] != absent:
		b.takeOut(op)
	case o.Result == model.Full:
		b.fulls.remove(op)
	case o.Result == model.Empty:
		b.empties.remove(op)
	default:
		b.wild.remove(op)
		b.looser++
		b.leave()
	}
}

func (b *boundedState) putIn(op uint32) {
	n := b.item[op]
	b.puts.remove(op)
	b.size++
	b.queue = append(b.queue, n)
	if b.places != nil {
		b.places.enter(n)
	}
	if !b.named(n) {
		b.loose++
	}
	switch {
	case b.bag:
		b.inside[n] = true
	case b.named(n):
		b.takes.remove(b.items[n].take)
	}
	if !b.bag {
		b.print.toggle(uint64(n), uint64(len(b.queue)))
	}
}

func (b *boundedState) takeOut(op uint32) {
	if b.bag {
		b.inside[b.item[op]] = false
		b.takes.remove(op)
	}
	b.leave()
}

func (b *boundedState) leave() {
	b.size--
	b.gone++
	if !b.bag {
		b.print.toggle(uint64(b.queue[b.gone-1]), uint64(b.gone))
	}
}

// takeBack undoes what happened last.
func (b *boundedState) takeBack() {
	op := b.trail[len(b.trail)-1]
	b.trail = b.trail[:len(b.trail)-1]
	o := &b.ops[op]
	switch {
	case o.Op.Puts() && b.item[op] != absent:
		b.undoPut(op)
	case b.item[op] != absent:
		b.undoTake(op)
	case o.Result == model.Full:
		b.fulls.putBack(op)
	case o.Result == model.Empty:
		b.empties.putBack(op)
	default:
		b.undoLeave()
		b.looser--
		b.wild.putBack(op)
	}
	b.returns.putBack(op)
	b.print.toggle(uint64(op), 0)
	b.over[op] = false
}

func (b *boundedState) undoPut(op uint32) {
	n := b.item[op]
	if !b.bag {
		b.print.toggle(uint64(n), uint64(len(b.queue)))
	}
	switch {
	case b.bag:
		b.inside[n] = false
	case b.named(n):
		b.takes.putBack(b.items[n].take)
	}
	if !b.named(n) {
		b.loose--
	}
	b.queue = b.queue[:len(b.queue)-1]
	if b.places != nil {
		b.places.leaveAgain()
	}
	b.size--
	b.puts.putBack(op)
}

func (b *boundedState) undoTake(op uint32) {
	b.undoLeave()
	if b.bag {
		b.takes.putBack(op)
		b.inside[b.item[op]] = true
	}
}

func (b *boundedState) undoLeave() {
	if !b.bag {
		b.print.toggle(uint64(b.queue[b.gone-1]), uint64(b.gone))
	}
	b.gone--
	b.size++
}
