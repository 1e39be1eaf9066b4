package schedule

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"stealproof/ref"
)

// directed stalls one process just before its n-th access to a named location
// until a condition holds, and lets the others run meanwhile:
//
//	directed:process=1,at=head#2,until=same
//
// The conditions are
//
//	same       the location holds again what the process saw there last,
//	           after it had changed: the moment of an ABA
//	writes-N   the location has changed N times
//	others     all others have finished
//
// With after=N the others make N accesses before the process begins. Before
// and after the stall processes run one after the other, the stalled one
// first; if nobody else can go on, or all others only wait, it goes on too.
type directed struct {
	ref.Newest
	process, nth, after int
	at                  ref.Location
	until               string
	writes              int

	made    int    // accesses of the process to the location
	last    uint64 // what the location held when it looked last
	before  uint64 // what it held at the choice before
	changed int    // how often it has changed since the stall began
	stalled bool
	over    bool
	others  []int // room for those who can go on instead
}

func newDirected(s *settings, setup *ref.Setup) (Strategy, error) {
	d := &directed{process: s.number("process", 1, 0, setup.Threads()-1), after: s.number("after", 0, 0, 1<<30)}
	name, nth, found := strings.Cut(s.text("at", ""), "#")
	d.nth = 1
	if found {
		n, err := strconv.Atoi(nth)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("at=%s#%s: expected a location and the number of an access to it, as in head#2", name, nth)
		}
		d.nth = n
	}
	var known bool
	if d.at, known = setup.Space.Find(name); !known {
		return nil, fmt.Errorf("at=%s: no such location: expected one of %s", name, strings.Join(setup.Space.Names(), ", "))
	}
	d.until = s.text("until", "same")
	if n, isCount := strings.CutPrefix(d.until, "writes-"); isCount {
		writes, err := strconv.Atoi(n)
		if err != nil || writes < 1 {
			return nil, fmt.Errorf("until=%s: expected a number of writes, as in writes-3", d.until)
		}
		d.until, d.writes = "writes", writes
	}
	switch d.until {
	case "same", "writes", "others":
		return d, nil
	}
	return nil, fmt.Errorf("until=%s: expected same, writes-N or others", d.until)
}

func (d *directed) Begin(uint64) {
	d.made, d.last, d.before, d.changed, d.stalled, d.over = 0, 0, 0, 0, false, false
}

func (d *directed) Next(v *ref.View) int {
	now := v.Word(d.at)
	if d.stalled && !d.over {
		if now != d.before {
			d.changed++
		}
		d.before = now
		d.over = d.holds(v, now)
	}
	if !slices.Contains(v.Enabled, d.process) || v.Step < d.after || d.stalls(v, now) {
		return d.other(v)
	}
	return d.proceed(v, now)
}

// stalls says whether the process is held back before its next access.
func (d *directed) stalls(v *ref.View, now uint64) bool {
	if d.over {
		return false
	}
	if d.stalled {
		return true
	}
	if kind, l := v.Upcoming(d.process); kind == ref.Fence || l != d.at || d.made+1 != d.nth {
		return false
	}
	d.stalled, d.before = true, now
	return true
}

func (d *directed) holds(v *ref.View, now uint64) bool {
	switch d.until {
	case "same":
		return d.changed > 0 && now == d.last
	case "writes":
		return d.changed >= d.writes
	}
	return len(v.Enabled) == 1
}

// other lets somebody else run: who ran before, or the next in turn who does
// not only wait; if there is nobody, the stalled process itself.
func (d *directed) other(v *ref.View) int {
	d.others = d.others[:0]
	for _, id := range v.Enabled {
		if id != d.process && !Waits(v, id) {
			d.others = append(d.others, id)
		}
	}
	switch {
	case slices.Contains(d.others, v.Last):
		return v.Last
	case len(d.others) > 0:
		return next(v.Last, d.others)
	case slices.Contains(v.Enabled, d.process):
		return d.process
	}
	return v.After(v.Last)
}

// proceed lets the process itself go on, unless it only waits.
func (d *directed) proceed(v *ref.View, now uint64) int {
	if Waits(v, d.process) {
		return v.After(d.process)
	}
	if kind, l := v.Upcoming(d.process); kind != ref.Fence && l == d.at {
		d.made++
		d.last = now
	}
	return d.process
}

// next returns the process that comes next in turn among some.
func next(process int, among []int) int {
	for _, id := range among {
		if id > process {
			return id
		}
	}
	return among[0]
}
