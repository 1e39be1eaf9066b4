package model

// Validator is [History.Validate] for readers: it judges operations one by one as
// they arrive. It only says yes or no; for the words ask Validate.
type Validator struct {
	kind   Kind
	rules  [Phase][Abort + 1]rule
	lanes  *lanes
	owners map[uint32]bool
}

// NewValidator returns a validator for operations on objects of a kind.
func NewValidator(k Kind, p Params) *Validator {
	v := &Validator{kind: k, lanes: newLanes(), owners: map[uint32]bool{}}
	for _, op := range k.Ops() {
		for _, r := range append([]Result{Unknown}, k.Results(op)...) {
			o := Operation{Op: op, Result: r}
			needs := o.PutsIn() || o.TakesOut()
			v.rules[op][r] = rule{legal: true, pending: r == Unknown, needs: needs, may: r == Full, owner: k.OwnerOnly(op, p)}
		}
	}
	return v
}

// Alone says whether an operation is as it must be, looked at by itself. It drops
// what such an operation does not say: the value of an empty removal, the size of
// a put. It may be called by many goroutines at a time.
func (v *Validator) Alone(o *Operation) bool {
	r := v.rule(o)
	r.tidy(v.kind, o)
	return r.allows(v.kind, o)
}

// Together goes on with the operations that follow, and says whether those of
// each process stand in their order without overlap, and each object has at
// most one owner. A no may be wrong, for operations may stand in any order.
func (v *Validator) Together(ops []Operation) bool {
	for i := range ops {
		if !v.follows(&ops[i]) {
			return false
		}
	}
	return true
}

// rule says of an op and a result of the kind whether they go together and
// whether a value belongs to them: the table of kinds, for quick look-ups.
type rule struct {
	legal bool
	// pending: only an operation that never came back may be like that.
	pending bool
	// needs a value; may name one although it moves none.
	needs, may bool
	owner      bool
}

func (v *Validator) rule(o *Operation) rule {
	if int(o.Op) >= len(v.rules) || int(o.Result) >= len(v.rules[0]) {
		return rule{}
	}
	return v.rules[o.Op][o.Result]
}

func (r rule) tidy(k Kind, o *Operation) {
	if !r.needs && !r.may {
		o.Value = NoValue
	}
	if k != Range || o.Value == NoValue {
		o.To = 0
	}
	if k != Range || o.Op.Puts() {
		o.Size = 0
	}
}

// allows is the quick form of History.whyAlone.
func (r rule) allows(k Kind, o *Operation) bool {
	switch {
	case !r.legal || r.pending && o.Return != Never || o.Return < o.Call || o.Call == Never:
		return false
	case k == Range && o.Op.Removes() && o.Size > MaxValue:
		return false
	case !r.needs && (!r.may || o.Value == NoValue):
		return true
	case o.Value > MaxValue:
		return false
	case k != Range:
		return true
	}
	return o.Value < o.To && o.To <= MaxValue && (o.Op.Puts() || o.Size > 0)
}

// follows says whether an operation goes together with those before it.
func (v *Validator) follows(o *Operation) bool {
	last := v.lanes.of(o.Object, o.Process)
	if o.Call < last.ret || o.Call == last.call && o.Return < last.ret {
		return false
	}
	last.call, last.ret = o.Call, o.Return
	if !last.owner && v.rule(o).owner {
		if v.owners[o.Object] {
			return false
		}
		v.owners[o.Object], last.owner = true, true
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
