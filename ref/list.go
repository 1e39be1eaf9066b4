package ref

import "stealproof/model"

var listDesign = &Design{
	Name:      "list",
	Source:    "Toss & Gautier 2012, section 4.3",
	Kind:      model.Range,
	Shared:    true,
	Ops:       []model.Op{model.Push, model.Pop},
	Anonymous: true,
	Defects:   listDefects,
	Sites:     names(new(list).sites()),
	declared:  func() []site { return new(list).sites() },
	build:     newList,
}

// list is one range that all processes share, under a lock.
type list struct {
	beg, end Location
	lock     spinLock

	// Two defects: what is read at a site is right for one use of it, and wrong
	// for another, which no change of the access can say.
	unchecked bool // a push need not adjoin
	tooMuch   bool // a pop goes beyond end

	readBeg, readEnd, writeBeg, writeEnd Access
}

func (q *list) sites() []site {
	return []site{
		{"lock", &q.lock.take, variants{acquired}},
		{"unlock", &q.lock.freeUp, variants{released}},
		{"read beg", &q.readBeg, variants{relaxed}},
		{"read end", &q.readEnd, variants{relaxed}},
		{"write beg", &q.writeBeg, variants{relaxed}},
		{"write end", &q.writeEnd, variants{relaxed}},
	}
}

func newList(c *Config, s *Space) Structure {
	q := &list{unchecked: c.constant("unchecked", 0) != 0, tooMuch: c.constant("too much", 0) != 0}
	q.lock.word = s.Word("lock", 0)
	q.beg, q.end = s.Word("beg", 0), s.Word("end", 0)
	c.bind(q.sites())
	return q
}

func (q *list) Do(m Memory, o *model.Operation) {
	q.lock.lock(m)
	if o.Op == model.Pop {
		q.pop(m, o)
	} else {
		q.push(m, o)
	}
	q.lock.unlock(m)
}

func (q *list) push(m Memory, o *model.Operation) {
	beg := m.Load(q.beg, q.readBeg)
	end := m.Load(q.end, q.readEnd)
	switch {
	case beg == end:
		m.Store(q.end, o.To, q.writeEnd)
	case o.To != beg && !q.unchecked:
		o.Result = model.Full
		return
	}
	m.Store(q.beg, o.Value, q.writeBeg)
	o.Result = model.OK
}

func (q *list) pop(m Memory, o *model.Operation) {
	beg := m.Load(q.beg, q.readBeg)
	end := m.Load(q.end, q.readEnd)
	if beg == end {
		o.Value, o.Result = model.NoValue, model.Empty
		return
	}
	to := beg + o.Size
	if to > end && !q.tooMuch {
		to = end
	}
	m.Store(q.beg, to, q.writeBeg)
	o.Value, o.To, o.Result = beg, to, model.OK
}
