package model

// Validator is [History.Validate] for readers: it judges operations one by one as
// they arrive. It only says yes or no; for the words ask Validate.
type Validator struct {
	rules [opsAndResults]rule
	// Every process has a lane on every object. Most histories are of one object and
	// of processes with small numbers: these have a table.
	begun  bool
	object uint32
	first  []lane          // of that object
	others *lanes          // nil: none yet
	owned  map[uint32]bool // objects that have an owner
}

// NewValidator returns a validator for operations on objects of a kind.
func NewValidator(k Kind, p Params) *Validator {
	v := &Validator{}
	for _, r := range roles[k] {
		of := v.rules[int(r.op)<<resultBits:]
		owner := r.owner && !p.Shared
		of[Unknown] = ruleFor(k, r, Unknown, owner)
		for _, res := range r.results {
			of[res] = ruleFor(k, r, res, owner)
		}
	}
	return v
}

// Alone says whether an operation is as it must be, looked at by itself. It drops
// what such an operation does not say: the value of an empty removal, the size of
// a put. It may be called by many goroutines at a time.
func (v *Validator) Alone(o *Operation) bool {
	r := v.rule(o)
	r.tidy(o)
	return r.allows(o)
}

// Together goes on with the operations that follow, and says whether those of
// each process stand in their order without overlap, and each object has at
// most one owner. A no may be wrong, for operations may stand in any order.
func (v *Validator) Together(ops []Operation) bool {
	for i := range ops {
		if o := &ops[i]; !v.follows(o, v.rule(o)) {
			return false
		}
	}
	return true
}

// all is Alone, without dropping anything, and Together for a whole history.
func (v *Validator) all(ops []Operation) bool {
	for i := range ops {
		o := &ops[i]
		if r := v.rule(o); !r.allows(o) || !v.follows(o, r) {
			return false
		}
	}
	return true
}

// rule says of an op and a result of a kind what is asked of the rest: bits, for
// quick look-ups. Without any they do not go together.
type rule uint8

const (
	legal rule = 1 << iota
	// onlyPending: only an operation that never came back may be like that.
	onlyPending
	needsValue
	mayHaveValue // though it moves none
	ofRange
	removes
	ownerOnly
)

const (
	resultBits    = 3
	opsAndResults = int(Phase) << resultBits
)

func ruleFor(k Kind, r role, res Result, owner bool) rule {
	o, rules := Operation{Op: r.op, Result: res}, legal
	if res == Unknown {
		rules |= onlyPending
	}
	if o.PutsIn() || o.TakesOut() {
		rules |= needsValue
	}
	if res == Full {
		rules |= mayHaveValue
	}
	if k == Range {
		rules |= ofRange
	}
	if r.op.Removes() {
		rules |= removes
	}
	if owner {
		rules |= ownerOnly
	}
	return rules
}

func (v *Validator) rule(o *Operation) rule {
	if o.Op >= Phase || o.Result >= 1<<resultBits {
		return 0
	}
	return v.rules[int(o.Op)<<resultBits|int(o.Result)]
}

func (r rule) tidy(o *Operation) {
	if r&(needsValue|mayHaveValue) == 0 {
		o.Value = NoValue
	}
	if r&ofRange == 0 || o.Value == NoValue {
		o.To = 0
	}
	if r&(ofRange|removes) != ofRange|removes {
		o.Size = 0
	}
}

// allows is the quick form of History.whyAlone.
func (r rule) allows(o *Operation) bool {
	switch {
	case r == 0 || r&onlyPending != 0 && o.Return != Never || o.Return < o.Call || o.Call == Never:
		return false
	case r&(ofRange|removes) == ofRange|removes && o.Size > MaxValue:
		return false
	case r&needsValue == 0 && (r&mayHaveValue == 0 || o.Value == NoValue):
		return true
	case o.Value > MaxValue:
		return false
	case r&ofRange == 0:
		return true
	}
	return o.Value < o.To && o.To <= MaxValue && (r&removes == 0 || o.Size > 0)
}

// follows says whether an operation goes together with those before it.
func (v *Validator) follows(o *Operation, r rule) bool {
	l := v.lane(o.Object, o.Process)
	if l == nil || o.Call < l.returned {
		return false
	}
	l.returned, l.early = o.Return, max(l.early, ^o.Call)
	return r&ownerOnly == 0 || l.owner || v.own(l, o.Object)
}

// own makes the process of a lane the owner of an object, if nobody else is.
func (v *Validator) own(l *lane, object uint32) bool {
	if v.owned[object] {
		return false
	}
	if v.owned == nil {
		v.owned = map[uint32]bool{}
	}
	v.owned[object], l.owner = true, true
	return true
}

// join says whether operations that another validator has accepted follow those
// that this one has.
func (v *Validator) join(w *Validator) bool {
	for process := range w.first {
		if !v.joinLane(&w.first[process], w.object, uint32(process)) {
			return false
		}
	}
	if w.others == nil {
		return true
	}
	for i := range w.others.slots {
		if s := &w.others.slots[i]; s.used && !v.joinLane(&s.lane, s.object, s.process) {
			return false
		}
	}
	return true
}

func (v *Validator) joinLane(next *lane, object, process uint32) bool {
	if next.early == 0 {
		return true // no operation
	}
	l := v.lane(object, process)
	if l == nil || ^next.early < l.returned {
		return false
	}
	l.returned = next.returned
	return !next.owner || l.owner || v.own(l, object)
}

// lane is what is known of a process on an object.
type lane struct {
	returned uint64 // last
	early    uint64 // the first call, with all bits the other way round: 0 is none
	owner    bool
}

// mostLanes are remembered beyond the table: with more of them than that, to sort the
// operations takes less room.
const mostLanes = 1 << 18

// tabled are the processes that have their lanes in a table.
const tabled = 1 << 16

func (v *Validator) lane(object, process uint32) *lane {
	if int(process) < len(v.first) && object == v.object {
		return &v.first[process]
	}
	return v.newLane(object, process)
}

// newLane is nil if there are too many.
func (v *Validator) newLane(object, process uint32) *lane {
	if !v.begun {
		v.begun, v.object = true, object
	}
	if object != v.object || process >= tabled {
		if v.others == nil {
			v.others = newLanes()
		}
		if v.others.n >= mostLanes {
			return nil
		}
		return v.others.of(object, process)
	}
	v.first = append(v.first, make([]lane, max(int(process)+1-len(v.first), len(v.first)))...)
	return &v.first[process]
}

// lanes is a hash table of lanes, open addressing with room to spare.
type lanes struct {
	slots []slot
	n     int
	last  *slot // recorders write runs of one process
}

type slot struct {
	lane
	object, process uint32
	used            bool
}

func newLanes() *lanes { return &lanes{slots: make([]slot, 64), last: &slot{}} }

func (l *lanes) of(object, process uint32) *lane {
	if l.last.used && l.last.process == process && l.last.object == object {
		return &l.last.lane
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
	return &at.lane
}

func (l *lanes) find(object, process uint32) *slot {
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
	l.slots = make([]slot, 2*len(old))
	for i := range old {
		if old[i].used {
			*l.find(old[i].object, old[i].process) = old[i]
		}
	}
}
