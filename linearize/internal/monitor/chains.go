package monitor

import (
	"cmp"
	"slices"

	"stealproof/linearize/internal/finding"
	"stealproof/linearize/internal/timing"
	"stealproof/model"
)

// chains is an object with one owner and many thieves, boiled down to two
// chains: the owner's operations, and the steals in the only order in which
// they can have happened. A linearization is a merge of the two, and a point
// in it is given by how many operations of each came before: (i, j).
//
// What the object demands of the merge is
//   - that steal j comes after the first ready[j] operations of the owner,
//   - that operation i of the owner comes after the first need[i] steals,
//   - that a steal that found nothing stands at a point (i, vacant[i]).
//
// With real time each steal j gets a least and a greatest number of the
// owner's operations before it. Let at[j] be the least solution: the maximum
// over all steals up to j of their least numbers. If it exceeds the greatest
// number of some steal, or need asks for steal j before operation i < at[j],
// there is no merge; otherwise at is one, and every merge has steal j no
// earlier.
//
// The object is empty after i operations of the owner only if exactly the
// first vacant[i] steals have happened, in any merge. If at puts them no later
// than i, the merge goes through that point, and if it does not, none does. So
// which points an empty steal may take, and which operations are before it
// there, does not depend on the merge. It takes the first one after all that
// precede it. Whatever precedes it precedes those that it precedes, so that
// the first points respect the order among empty steals too.
//
// Nothing here needs more of the order than that it is one: ties within a
// process take part like all else.
type chains struct {
	timing.Clock
	patience *timing.Patience
	survey   *timing.Survey
	listing  bool // the merge is written down
	ops      []model.Operation
	history  *model.History
	ties     timing.Ties
	after    timing.Ties // inverse of ties
	own      []uint32
	ownCalls []uint64 // stamps, like ownReturns
	ownRets  []uint64
	owner    uint32
	thefts   []uint32 // steals as the operations stand
	steals   []uint32 // and in their order
	ready    []uint32
	need     []uint32 // nil if nothing is needed
	vacant   []uint32 // 1 + steals, 0 if it is not empty whatever the steals; by operations of the owner before
	empties  []uint64 // call, operation
	free     []uint64
	lost     []uint64 // call, lost steal

	placing placing
	at      []uint32
	// The order of the steals by time, if there are empties: the earliest return
	// from a steal on, the latest call up to it.
	returned, called []uint64
	chain            []uint32 // place in steals by operation; only if there are ties
}

// clash is what cannot be had together.
type clash struct {
	kind   string
	steals []int  // in the chain
	needed int    // the operation of the owner that needs them, or none
	empty  uint32 // the steal that found nothing, or absent
	from   int    // for an empty: the points between which it must stand
	to     int
}

// newChains sorts the operations by who did them and what they claim.
func newChains(q *question, listing bool) *chains {
	h, look, s := timing.Fitted(q.h, q.look)
	c := &chains{
		Clock:    s,
		patience: q.patience,
		survey:   look,
		ops:      h.Ops,
		history:  h,
		listing:  listing,
		ties:     timing.FindTies(h.Ops, look),
		own:      make([]uint32, 0, look.Owned),
		thefts:   make([]uint32, 0, look.Takes),
		empties:  make([]uint64, 0, look.Empties),
	}
	if listing {
		c.free = make([]uint64, 0, look.Free)
	}
	for i := range h.Ops {
		o, op := &h.Ops[i], uint32(i)
		switch {
		case o.Op != model.Steal:
			c.own = append(c.own, op)
			c.owner = o.Process
		case o.Result == model.OK:
			c.thefts = append(c.thefts, op)
		case o.Result == model.Empty:
			c.empties = append(c.empties, c.Pack(c.Of(o.Call), op))
		case o.Result == model.Abort:
			if listing {
				c.free = append(c.free, c.Pack(c.Of(o.Call), op))
			}
		case o.Result == model.Unknown:
			c.lost = append(c.lost, c.Pack(c.Of(o.Call), op))
		}
	}
	c.sortOwn()
	c.Sort(c.lost)
	if c.ties != nil {
		c.after = c.ties.Inverse()
	}
	return c
}

func (c *chains) sortOwn() {
	compare := func(i, j uint32) int {
		return cmp.Or(model.CompareInProcess(&c.ops[i], &c.ops[j]), cmp.Compare(i, j))
	}
	if !slices.IsSortedFunc(c.own, compare) {
		slices.SortFunc(c.own, compare)
	}
}

// dropLastOwn forgets the owner's last operation, which had no effect.
func (c *chains) dropLastOwn() { c.own = c.own[:len(c.own)-1] }

// startSteals makes room for n steals, which are then to be placed in their
// order.
func (c *chains) startSteals(n int) {
	c.ownCalls, c.ownRets = make([]uint64, len(c.own)), make([]uint64, len(c.own))
	for i, op := range c.own {
		c.ownCalls[i], c.ownRets[i] = c.Of(c.ops[op].Call), c.Of(c.ops[op].Return)
	}
	c.steals, c.ready, c.at = make([]uint32, 0, n), make([]uint32, 0, n), make([]uint32, 0, n)
	c.returned, c.called = nil, nil
	if len(c.empties) > 0 {
		c.returned, c.called = make([]uint64, 0, n), make([]uint64, 0, n)
	}
	c.placing = placing{}
	if c.ties != nil {
		c.placing.last = timing.NewLastOf(c.survey.Processes, len(c.ops))
		c.chain = make([]uint32, len(c.ops))
		for i := range c.chain {
			c.chain[i] = absent
		}
	}
}

// placing is what is known of the steals placed so far.
type placing struct {
	latest      uint64 // call
	latestSteal int
	pos         uint32 // of the last one
	window      window
	last        *timing.LastOf // only if there are ties
}

// place puts a steal next in the chain, which must come after so many
// operations of the owner, and computes its least place.
func (c *chains) place(op, ready uint32) *clash {
	p, o, j := &c.placing, &c.ops[op], len(c.steals)
	call, ret := c.Of(o.Call), c.Of(o.Return)
	c.steals, c.ready = append(c.steals, op), append(c.ready, ready)
	if ret < p.latest {
		return &clash{kind: finding.Order, steals: []int{p.latestSteal, j}, needed: none, empty: absent}
	}
	if call > p.latest {
		p.latest, p.latestSteal = call, j
	}
	if p.last != nil {
		c.chain[op] = uint32(j)
		if before := p.last.Swap(o.Process, op); before != absent && timing.ComesFirst(c.ops, op, before) {
			return &clash{kind: finding.Order, steals: []int{int(c.chain[before]), j}, needed: none, empty: absent}
		}
	}
	c.look(op, call, ret, &p.window)
	p.pos = max(p.pos, ready, uint32(p.window.from))
	if to := uint32(p.window.to); p.pos > to {
		kind := finding.Order
		if ready > to {
			kind = finding.TooEarly
		}
		return &clash{kind: kind, steals: []int{c.cause(j, p.pos), j}, needed: none, empty: absent}
	}
	c.at = append(c.at, p.pos)
	if c.called != nil {
		c.returned, c.called = append(c.returned, ret), append(c.called, p.latest)
	}
	return nil
}

// solve finds the merge once all steals are placed, or why there is none.
func (c *chains) solve() *clash {
	for j := len(c.returned) - 2; j >= 0; j-- {
		c.returned[j] = min(c.returned[j], c.returned[j+1])
	}
	if bad := c.meetNeeds(); bad != nil {
		return bad
	}
	return c.placeEmpties()
}

// cause finds the steal that made those from it to j come so late.
func (c *chains) cause(j int, pos uint32) int {
	for j > 0 && c.at[j-1] == pos {
		j--
	}
	return j
}

// window is how many of the owner's operations come before another operation:
// at least from, at most to. It is kept from one operation to the next, as the
// search for the one starts where that for the other ended.
type window struct{ from, to int }

func (c *chains) look(op uint32, call, ret uint64, w *window) {
	w.from = seek(c.ownRets, w.from, call)
	w.to = seek(c.ownCalls, w.to, ret+1)
	if c.ties == nil || c.ops[op].Process != c.owner {
		return
	}
	for w.from < len(c.own) && c.ownRets[w.from] == call && timing.ComesFirst(c.ops, c.own[w.from], op) {
		w.from++
	}
	for w.to > 0 && c.ownCalls[w.to-1] == ret && timing.ComesFirst(c.ops, op, c.own[w.to-1]) {
		w.to--
	}
}

// seek finds the first place in ascending times that holds at least t, by
// growing steps from a guess.
func seek(times []uint64, guess int, t uint64) int {
	low, high := guess, guess
	for step := 1; low > 0 && times[low-1] >= t; step *= 2 {
		high = low - 1
		low = max(0, low-step)
	}
	for step := 1; high < len(times) && times[high] < t; step *= 2 {
		low = high + 1
		high = min(len(times), high+step)
	}
	for low < high {
		if mid := (low + high) / 2; times[mid] < t {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

func (c *chains) meetNeeds() *clash {
	for i, n := range c.need {
		if n > 0 && c.at[n-1] > uint32(i) {
			j := int(n) - 1
			return &clash{kind: finding.FalseEmpty, steals: []int{c.cause(j, c.at[j]), j}, needed: i, empty: absent}
		}
	}
	return nil
}
