package format

import "stealproof/model"

// validate is h.Validate, quick where the operations of every process stand in
// their order already, as recorders leave them: then one pass will do.
func validate(h *model.History) error {
	table := newShapes(h.Kind, h.Params)
	for i := range h.Ops {
		if o := &h.Ops[i]; !table.of(o).alone(h.Kind, o) {
			return h.Validate()
		}
	}
	return validateTogether(h, table)
}

// validateTogether is validate for operations that are as the contract wants
// them, each by itself.
func validateTogether(h *model.History, table *shapes) error {
	if newTogether(table).more(h.Ops) {
		return nil
	}
	return h.Validate()
}

// together says whether the operations of each process stand in their order
// without overlap, and each object has at most one owner. A no may be wrong.
type together struct {
	table  *shapes
	lanes  *lanes
	owners map[uint32]bool
}

func newTogether(table *shapes) *together {
	return &together{table, newLanes(), map[uint32]bool{}}
}

// more goes on with the operations that follow.
func (t *together) more(ops []model.Operation) bool {
	for i := range ops {
		o := &ops[i]
		last := t.lanes.of(o.Object, o.Process)
		if o.Call < last.ret || o.Call == last.call && o.Return < last.ret {
			return false
		}
		last.call, last.ret = o.Call, o.Return
		if !last.owner && t.table.of(o).owner {
			if t.owners[o.Object] {
				return false
			}
			t.owners[o.Object], last.owner = true, true
		}
	}
	return true
}

// lane is the last operation seen of a process on an object.
type lane struct {
	object, process uint32
	used, owner     bool
	call, ret       uint64
}

// lanes is a hash table of lanes, open addressing with room to spare.
type lanes struct {
	slots []lane
	n     int
	last  *lane // recorders write runs of one process
}

func newLanes() *lanes {
	l := &lanes{slots: make([]lane, 64)}
	l.last = &lane{}
	return l
}

func (l *lanes) of(object, process uint32) *lane {
	if l.last.used && l.last.process == process && l.last.object == object {
		return l.last
	}
	at := l.find(object, process)
	if !at.used {
		if l.n*2 >= len(l.slots) {
			l.grow()
			at = l.find(object, process)
		}
		l.n++
		at.object, at.process, at.used = object, process, true
	}
	l.last = at
	return at
}

func (l *lanes) find(object, process uint32) *lane {
	mask := uint64(len(l.slots) - 1)
	for i := hashOf(object, process); ; i++ {
		s := &l.slots[i&mask]
		if !s.used || s.process == process && s.object == object {
			return s
		}
	}
}

func hashOf(object, process uint32) uint64 {
	h := (uint64(object)<<32 | uint64(process)) * 0x9e3779b97f4a7c15
	return h ^ h>>32
}

func (l *lanes) grow() {
	old := l.slots
	l.slots = make([]lane, 2*len(old))
	for i := range old {
		if old[i].used {
			*l.find(old[i].object, old[i].process) = old[i]
		}
	}
}
