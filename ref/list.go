package ref

import "stealproof/model"

const (
	listLock = iota
	listUnlock
	listReadBeg
	listReadEnd
	listWriteBeg
	listWriteEnd
	listSites
)

var listDesign = &Design{
	Name:   "list",
	Source: "Toss & Gautier 2012, section 4.3",
	Kind:   model.Range,
	Shared: true,
	Ops:    []model.Op{model.Push, model.Pop},
	Defects: []Defect{
		{"no-lock", "nobody locks"},
		{"pop-unlocked", "pops do not lock"},
		{"push-unlocked", "pushes do not lock"},
		{"lock-in-two-steps", "the lock is tested and set in two accesses"},
		{"unlock-early", "an operation releases the lock before it acts"},
		{"pop-too-much", "a pop takes its size without looking at the end"},
		{"push-unchecked", "a push does not look whether its interval fits"},
	},
	Sites: []string{"lock", "unlock", "read beg", "read end", "write beg", "write end"},
	build: newList,
}

// list is one range that all processes share, under a lock.
type list struct {
	beg, end           Location
	pushLock, popLock  spinLock
	at                 [listSites]Access
	unlockEarly        bool
	tooMuch, unchecked bool
}

func newList(c *Config, s *Space) Structure {
	q := &list{unlockEarly: c.has("unlock-early"), tooMuch: c.has("pop-too-much"), unchecked: c.has("push-unchecked")}
	for site := range q.at {
		q.at[site] = Access{Relaxed, GPU, uint8(site)}
	}
	lock := newLock(c, s, "lock", q.at[listLock], q.at[listUnlock])
	q.pushLock, q.popLock = lock.without(c.has("push-unlocked")), lock.without(c.has("pop-unlocked"))
	q.beg, q.end = s.Word("beg", 0), s.Word("end", 0)
	return q
}

func (q *list) Do(m Memory, o *model.Operation) {
	act, lock := q.push, &q.pushLock
	if o.Op == model.Pop {
		act, lock = q.pop, &q.popLock
	}
	lock.around(m, q.unlockEarly, func() { act(m, o) })
}

func (q *list) push(m Memory, o *model.Operation) {
	beg := m.Load(q.beg, q.at[listReadBeg])
	end := m.Load(q.end, q.at[listReadEnd])
	switch {
	case beg == end:
		m.Store(q.end, o.To, q.at[listWriteEnd])
	case o.To != beg && !q.unchecked:
		o.Result = model.Full
		return
	}
	m.Store(q.beg, o.Value, q.at[listWriteBeg])
	o.Result = model.OK
}

func (q *list) pop(m Memory, o *model.Operation) {
	beg := m.Load(q.beg, q.at[listReadBeg])
	end := m.Load(q.end, q.at[listReadEnd])
	if beg == end {
		o.Value, o.Result = model.NoValue, model.Empty
		return
	}
	to := min(beg+o.Size, end)
	if q.tooMuch {
		to = beg + o.Size
	}
	m.Store(q.beg, to, q.at[listWriteBeg])
	o.Value, o.To, o.Result = beg, to, model.OK
}
