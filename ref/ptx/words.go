package ptx

import (
	"stealproof/ref"
	"stealproof/ref/ptx/machine"
)

// words is the memory of the simulation as a machine sees it: addresses instead of
// locations, and accesses of 1 to 8 bytes.
type words struct {
	queue   *queue
	memory  ref.Memory
	process int // whose memory of a block it is
	lane    int
	crew    *machine.Crew // nil for a thread that is alone
	// follower wants to know on what accesses depend, nil if the memory does not.
	follower ref.Dependencies
}

// The words tell what the machine tells them.

// Brought is explained at machine.Follower.
func (w *words) Brought() (control, arguments machine.Reads) {
	c, operands := w.follower.Brought()
	return machine.Reads(c), machine.Reads(operands)
}

// Count is explained at machine.Follower.
func (w *words) Count(a *machine.Access) int { return w.follower.Count(accessOf(a)) }

// Depends is explained at machine.Follower.
func (w *words) Depends(control, data machine.Reads) {
	w.follower.Depends(ref.Reads(control), ref.Reads(data))
}

// target is what an access goes to: a word, or so many bytes of it.
type target struct {
	at     ref.Location
	whole  bool
	offset uint8 // in bytes
	access ref.Access
}

// find finds the word of an access.
func (w *words) find(at uint64, a *machine.Access) target {
	if w.crew != nil {
		w.crew.Accessed(w.lane)
	}
	parts := w.queue.plan.parts
	for i := range parts {
		p := &parts[i]
		off := at - p.base
		if off >= uint64(len(p.index)) {
			continue
		}
		k := p.index[off]
		word := &p.words[k]
		t := target{at: w.queue.first[i] + ref.Location(k), whole: word.size == a.Size, offset: uint8(off - word.start), access: accessOf(a)}
		if p.block {
			t.at += ref.Location(w.process * len(p.words))
		}
		switch {
		case t.offset+a.Size > word.size:
			panic(w.queue.plan.design.fault(a, "an access of %d bytes to what others access %d bytes of (%s), which is not supported: partial overlap", a.Size, word.size, word.name))
		case !t.whole && w.queue.weak && a.Kind != machine.Load:
			panic(w.queue.plan.design.fault(a, "a write to %d of the %d bytes of a word that others access whole (%s): on a weak memory only loads of a part are supported", a.Size, word.size, word.name))
		case !t.whole && w.queue.sized:
			t.access.Part = true
		}
		return t
	}
	panic(w.queue.plan.design.fault(a, "%s", nowhere(at, a)))
}

// accessOf says the same in the words of package ref: orders have the same numbers
// there, scopes those behind that of no scope.
func accessOf(a *machine.Access) ref.Access {
	return ref.Access{Order: ref.Order(a.Order), Scope: ref.Block + ref.Scope(a.Scope), Site: uint8(max(a.Site, 0))}
}

// written faults on what nobody has written.
func (w *words) written(v uint64, a *machine.Access) uint64 {
	if v == neverWritten {
		panic(w.queue.plan.design.fault(a, "a load of what was never written"))
	}
	return v
}

func (w *words) Load(at uint64, a *machine.Access) uint64 {
	t := w.find(at, a)
	v := w.written(w.memory.Load(t.at, t.access), a)
	if t.whole {
		return v
	}
	return bytesOf(v, t.offset, a.Size)
}

func (w *words) Store(at, v uint64, a *machine.Access) {
	t := w.find(at, a)
	if t.whole {
		w.memory.Store(t.at, v, t.access)
		return
	}
	w.memory.Modify(t.at, v, changes[changeKey(storing, a.Size, t.offset)], t.access)
}

func (w *words) Update(at, x, y uint64, a *machine.Access) uint64 {
	t := w.find(at, a)
	op := a.Atomic
	switch {
	case t.whole && op == machine.CompareAndSwap:
		seen, _ := w.memory.CompareAndSwap(t.at, x, y, t.access)
		return w.written(seen, a)
	case t.whole && op == machine.Add && a.Size == 8:
		return w.written(w.memory.FetchAdd(t.at, x, t.access), a)
	case op == machine.CompareAndSwap: // of at most 32 bits
		x |= y << 32
	}
	v := w.written(w.memory.Modify(t.at, x, changes[changeKey(op, a.Size, t.offset)], t.access), a)
	return bytesOf(v, t.offset, a.Size)
}

func (w *words) Fence(a *machine.Access) { w.memory.Fence(accessOf(a)) }
