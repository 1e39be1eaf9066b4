package machine

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// MostLanes is the number of lanes of a warp.
const MostLanes = 32

// Waiter is how a lane waits for the others; ref.Lane says what each means.
type Waiter interface {
	Wait()
	Wake(lanes uint64, fence bool)
	Gather()
}

// Crew is the threads that carry out something together, a block of warps; each of them
// is a lane, counted warp after warp. An instruction that they do together is a meeting;
// it is over when all that it asks for have come.
type Crew struct {
	team  Team
	lanes []crewLane
	seats []seat
	met   int // meetings so far
	// TooFew: a lane was asked for that a whole warp has.
	TooFew bool
	// Apart: no two lanes are active at once.
	Apart bool
}

// crewLane is a lane as the others see it.
type crewLane struct {
	state   laneState
	with    *together // where it waits
	mask    uint64    // whom it waits for there
	barrier uint64    // of a block: its number
	expects uint64    // and how many threads it is for, 0 for all
	at      string    // in the text
	value   uint64    // what it brings, and what it gets
	operand uint64
	second  uint64
	// since is the meeting behind which it has made no access, noMeeting if it has: who
	// came from the same meeting may go on side by side.
	since    int
	answered bool // activemask: somebody of the same group has found out who is in it
}

type laneState uint8

const (
	running laneState = iota
	waiting
	gathering
	back   // it has come to the end of the kernel
	exited // by exit
)

const noMeeting = -1

// Begin forgets what was: the lanes of a block begin.
func (c *Crew) Begin(b Team) {
	if !slices.Equal(c.team, b) {
		c.team, c.lanes, c.seats = b, make([]crewLane, b.Threads()), b.seats()
	}
	clear(c.lanes)
	c.met = 0
}

// Accessed notes that a lane makes an access of its own.
func (c *Crew) Accessed(lane int) { c.lanes[lane].since = noMeeting }

// kindOf is what lanes do when they meet.
type kindOf uint8

const (
	syncBlock kindOf = iota // bar.sync
	syncWarp                // bar.warp.sync
	reduceAnd               // bar.red
	reduceOr
	reduceCount
	shuffleUp // shfl
	shuffleDown
	shuffleXor
	shuffleIndex
	voteAll
	voteAny
	voteSame
	voteBallot
	matchAny
	matchAll
	combineAdd // redux
	combineMin
	combineMax
	combineMinSigned
	combineMaxSigned
	combineAnd
	combineOr
	combineXor
	electOne    // elect
	whoIsActive // activemask
)

// together is an instruction that lanes do together, decoded: slots of what it brings
// and gets. Two lanes meet if these say the same of kind and bits, and they the same of
// the barrier, though they may be two instructions.
type together struct {
	meeting
	value, operand, third, mask int32
	barrier, expects            int32
	result, second              int32
	at, name                    string
}

// meeting is what two instructions must have in common.
type meeting struct {
	kind kindOf
	bits uint16
}

// isFence says whether memory is ordered as well.
func (m *meeting) isFence() bool { return m.kind <= reduceCount }

// ofBlock says whether all threads of a block meet, and not those of a warp.
func (m *meeting) ofBlock() bool { return m.kind != syncWarp && m.kind <= reduceCount }

// meet carries out an instruction that lanes do together.
func (m *Machine) meet(pc int, t *together) error {
	c, lane := m.Crew, m.Lane
	if c == nil {
		return m.fault(pc, "%s: this thread is alone", t.name)
	}
	me, at := &c.lanes[lane], &c.seats[lane]
	mask := uint64(1)<<len(c.lanes) - 1
	if t.mask >= 0 {
		named := m.slots[t.mask]
		if named>>at.lane&1 == 0 {
			return m.fault(pc, "%s: lane %d is not in the mask %#x that it names: what comes of it is undefined", t.name, at.lane, named)
		}
		mask = named << at.first & at.mask() // nobody else ever was
	}
	*me = crewLane{state: waiting, with: t, mask: mask, at: t.at, value: m.slots[t.value], operand: m.slots[t.operand], since: me.since}
	if t.ofBlock() {
		me.barrier, me.expects = m.slots[t.barrier], m.slots[t.expects]
		if me.barrier > 15 {
			return m.fault(pc, "%s: barrier %d: a block has 16 of them, from 0 on", t.name, me.barrier)
		}
		if me.expects%MostLanes != 0 || me.expects > uint64(len(c.team)*MostLanes) {
			return m.fault(pc, "%s: a barrier for %d threads: expected some of the %d warps of the block, %d threads each", t.name, me.expects, len(c.team), MostLanes)
		}
	}
	if t.third >= 0 {
		me.second = m.slots[t.third]
	}
	if came := c.complete(lane); came != 0 {
		if why := c.finish(t, came); why != "" {
			return m.fault(pc, "%s: %s", t.name, why)
		}
		m.Waiter.Wake(came&^(1<<lane), t.isFence())
	} else {
		if why := c.stuck(); why != "" {
			return m.fault(pc, "%s", why)
		}
		m.Waiter.Wait()
	}
	m.slots[t.result], m.slots[t.second] = me.value, me.second
	return nil
}

// complete are the lanes of the meeting at which a lane waits, if all have come.
func (c *Crew) complete(lane int) (came uint64) {
	me := &c.lanes[lane]
	if me.expects > 0 {
		return c.enough(me)
	}
	for i := range c.lanes {
		switch other := &c.lanes[i]; {
		case me.mask>>i&1 == 0 || other.state == exited:
		case other.meets(me):
			came |= 1 << i
		default:
			return 0
		}
	}
	return came
}

// meets says whether two lanes wait for one another.
func (l *crewLane) meets(other *crewLane) bool {
	return l.state == waiting && l.with.meeting == other.with.meeting && l.mask == other.mask && l.barrier == other.barrier && l.expects == other.expects
}

// enough are the lanes at a barrier for some warps of a block, whichever come, if so many
// have come as a whole.
func (c *Crew) enough(me *crewLane) (came uint64) {
	warps := uint64(0)
	for first := 0; first < len(c.lanes); first += c.seats[first].size {
		here, whole := uint64(0), true
		for i := range lanesOf(c.seats[first].mask()) {
			switch other := &c.lanes[i]; {
			case other.state == exited:
			case other.meets(me):
				here |= 1 << i
			default:
				whole = false
			}
		}
		if whole && here != 0 {
			came |= here
			warps++
		}
	}
	if warps*MostLanes < me.expects {
		return 0
	}
	return came
}

// finish gives every lane what it gets, and says what cannot be.
func (c *Crew) finish(t *together, came uint64) (why string) {
	c.met++
	var values, seconds [MostThreads]uint64
	for lane := range lanesOf(came) {
		v, second, why := c.outcome(t, came, lane)
		if why != "" {
			return why
		}
		values[lane], seconds[lane] = v, second
	}
	for lane := range lanesOf(came) {
		me := &c.lanes[lane]
		me.value, me.second, me.state, me.since = values[lane], seconds[lane], running, c.met
	}
	return ""
}

// outcome is what one lane gets.
func (c *Crew) outcome(t *together, came uint64, lane int) (v, second uint64, why string) {
	me, at := &c.lanes[lane], &c.seats[lane]
	votes := uint64(0)
	for i := range lanesOf(came) {
		if c.lanes[i].value != 0 {
			votes |= 1 << i
		}
	}
	switch t.kind {
	case shuffleUp, shuffleDown, shuffleXor, shuffleIndex:
		from, inside := source(t.kind, at.lane, me.operand, me.second)
		if from >= at.size {
			c.TooFew = true
			return 0, 0, fmt.Sprintf("lane %d takes its value from lane %d, and there are %d lanes: with %d there is one", at.lane, from, at.size, MostLanes)
		}
		if came>>(at.first+from)&1 == 0 {
			return 0, 0, fmt.Sprintf("lane %d takes its value from lane %d, which does not take part: what comes is undefined", at.lane, from)
		}
		return c.lanes[at.first+from].value, truth(inside), ""
	case voteAll, reduceAnd:
		return truth(votes == came), 0, ""
	case voteAny, reduceOr:
		return truth(votes != 0), 0, ""
	case voteSame:
		return truth(votes == 0 || votes == came), 0, ""
	case voteBallot:
		return votes >> at.first, 0, ""
	case electOne:
		leader := bits.TrailingZeros64(came)
		return uint64(c.seats[leader].lane), truth(leader == lane), ""
	case reduceCount:
		return uint64(bits.OnesCount64(votes)), 0, ""
	case matchAny, matchAll:
		same := uint64(0)
		for i := range lanesOf(came) {
			if c.lanes[i].value == me.value {
				same |= 1 << i
			}
		}
		if t.kind == matchAll && same != came {
			return 0, 0, ""
		}
		return same >> at.first, 1, ""
	case syncBlock, syncWarp:
		return 0, 0, ""
	}
	first := true
	for i := range lanesOf(came) {
		if x := c.lanes[i].value; first {
			v, first = x, false
		} else {
			v = combined(t.kind, v, x)
		}
	}
	return v, 0, ""
}

// combined is redux of two values of 32 bits.
func combined(k kindOf, a, b uint64) uint64 {
	switch k {
	case combineAdd:
		return (a + b) & maskOf(32)
	case combineMin:
		return min(a, b)
	case combineMax:
		return max(a, b)
	case combineMinSigned:
		return MinSigned.Apply(a, b, 0, 4)
	case combineMaxSigned:
		return MaxSigned.Apply(a, b, 0, 4)
	case combineAnd:
		return a & b
	case combineOr:
		return a | b
	}
	return a ^ b
}

// source is the lane that a shuffle reads, and whether it is in the same segment: if
// not, a lane keeps its own value.
func source(k kindOf, lane int, operand, clamp uint64) (from int, inside bool) {
	b, c, segments := int(operand&31), int(clamp&31), int(clamp>>8&31)
	most := lane&segments | c&^segments
	least := lane & segments
	j := least | b&^segments
	switch k {
	case shuffleUp:
		j = lane - b
		inside = j >= most
	case shuffleDown:
		j = lane + b
		inside = j <= most
	case shuffleXor:
		j = lane ^ b
		inside = j <= most
	default:
		inside = j <= most
	}
	if !inside {
		return lane, false
	}
	return j, true
}

// active is activemask. A GPU may answer any lanes that do it at once. Here these are
// the ones that come straight from the same meeting, without an access in between;
// whoever has made one since is alone. Or every lane always is.
func (m *Machine) active(t *together) uint64 {
	c := m.Crew
	me, at := &c.lanes[m.Lane], &c.seats[m.Lane]
	if me.since == noMeeting || c.Apart {
		return 1 << at.lane
	}
	me.state, me.with, me.at = gathering, t, t.at
	m.Waiter.Gather()
	if !me.answered {
		group := uint64(0)
		for i := range lanesOf(at.mask()) {
			if other := &c.lanes[i]; other.state == gathering && other.with == t && other.since == me.since && !other.answered {
				group |= 1 << i
			}
		}
		for i := range lanesOf(group) {
			c.lanes[i].value, c.lanes[i].answered = group>>at.first, true
		}
	}
	me.state, me.answered = running, false
	return me.value
}

// Back notes that a lane has come to its end, and says if that leaves others waiting
// for it.
func (m *Machine) Back() error {
	c := m.Crew
	me := &c.lanes[m.Lane]
	if me.state = back; m.exited {
		me.state = exited
		for i := range c.lanes {
			other := &c.lanes[i]
			if other.state != waiting {
				continue
			}
			if came := c.complete(i); came != 0 {
				if why := c.finish(other.with, came); why != "" {
					return m.fault(m.ended, "%s: %s", other.with.name, why)
				}
				m.Waiter.Wake(came, other.with.isFence())
			}
		}
	}
	if why := c.stuck(); why != "" {
		return m.fault(m.ended, "%s", why)
	}
	return nil
}

// stuck says where all lanes are if none of them can go on.
func (c *Crew) stuck() string {
	some := false
	for i := range c.lanes {
		switch c.lanes[i].state {
		case running, gathering:
			return ""
		case waiting:
			some = true
		}
	}
	if !some {
		return ""
	}
	var where []string
	for i := range c.lanes {
		l := &c.lanes[i]
		switch l.state {
		case waiting:
			text := fmt.Sprintf("lane %d waits at %s (%s", i, l.at, l.with.name)
			if l.with.mask >= 0 {
				text += fmt.Sprintf(" of %#x", l.mask>>c.seats[i].first)
			}
			where = append(where, text+")")
		case exited:
			where = append(where, fmt.Sprintf("lane %d has exited", i))
		default:
			where = append(where, fmt.Sprintf("lane %d has come back", i))
		}
	}
	return "a barrier that not all lanes reach: " + strings.Join(where, ", ")
}

// lanesOf iterates over a set of lanes.
func lanesOf(set uint64) func(func(int) bool) {
	return func(yield func(int) bool) {
		for ; set != 0; set &= set - 1 {
			if !yield(bits.TrailingZeros64(set)) {
				return
			}
		}
	}
}
