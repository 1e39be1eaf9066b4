package schedule

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"stealproof/model"
	"stealproof/ref"
)

// Suspended lets one process make so many accesses and then never another one;
// who goes on otherwise is up to the scheduler inside. It ends an execution when
// the others have done what they can: finished, or gone round in circles.
//
// As the schedule of a case it follows the choices that are part of it:
//
//	suspend:process=1,after=3,choices=1*3+0*5
type Suspended struct {
	inner          ref.Scheduler
	process, after int

	made int
	// point is where the process was suspended, once it is.
	point *Point
	// blocked are the operations of the others that never return.
	blocked []blockedOperation
	others  []int
	able    []int
	left    []blockedOperation // when the scheduler inside stopped
	old     map[int]int        // of each process, Repeats when it last read what is old
}

// suspendName is the schedule of cases with a suspended process. It is not
// among the strategies, since it judges by itself.
const suspendName = "suspend"

// patienceOfOthers is how many accesses each of the others makes on a memory
// that no longer changes before it counts as blocked. No operation on the small
// arrays of the programs here needs as many.
const patienceOfOthers = 60

// Point is the point at which a process was suspended for ever.
type Point struct {
	Process int
	Op      model.Op
	// Line is the access that it never made, Location where.
	Line, Location string
}

func (s Point) String() string {
	return fmt.Sprintf("%s before \"%s\" (%s)", s.Op, s.Line, s.Location)
}

type blockedOperation struct {
	process int
	op      model.Op
}

// NewSuspended suspends a process after so many accesses; see Within.
func NewSuspended(process, after int) *Suspended { return &Suspended{process: process, after: after} }

// Within lets another scheduler decide who goes on, among those who can. It begins
// a new execution.
func (s *Suspended) Within(inner ref.Scheduler) ref.Scheduler {
	s.inner = inner
	s.reset()
	return s
}

// Point is where the process was suspended, nil if it was not.
func (s *Suspended) Point() *Point { return s.point }

// Blocked are the operations of the others that never return.
func (s *Suspended) Blocked() []model.Op {
	var ops []model.Op
	for _, b := range s.blocked {
		ops = append(ops, b.op)
	}
	return ops
}

func newSuspended(set *settings, setup *ref.Setup) (Strategy, error) {
	s := &Suspended{process: set.number("process", 0, 0, setup.Threads()-1), after: set.number("after", 1, 1, 1<<30)}
	choices, err := model.ParseChoices(strings.ReplaceAll(set.text("choices", ""), "+", ","))
	s.inner = NewReplay(choices)
	return s, err
}

// Schedule is the form that a case has of it.
func (s *Suspended) Schedule(choices model.Choices) model.Schedule {
	return model.Schedule{Strategy: suspendName, Settings: model.Settings{
		"process": strconv.Itoa(s.process), "after": strconv.Itoa(s.after), "choices": strings.ReplaceAll(choices.String(), ",", "+"),
	}}
}

// Begin starts afresh; the seed does not matter.
func (s *Suspended) Begin(seed uint64) {
	if r, ok := s.inner.(*Replay); ok {
		r.Begin(seed)
	}
	s.reset()
}

func (s *Suspended) reset() {
	s.made, s.point, s.blocked, s.left = 0, nil, nil, nil
}

// Next hides the process from the scheduler inside, once its time has come.
func (s *Suspended) Next(v *ref.View) int {
	if v.Step == 0 {
		s.reset()
	}
	if s.made < s.after {
		c := s.inner.Next(v)
		if c == s.process {
			s.made++
		}
		return c
	}
	if s.point == nil {
		if !slices.Contains(v.Enabled, s.process) || v.Begins(s.process) {
			return ref.Stop // it is not inside of an operation
		}
		s.point = suspensionPoint(v, s.process)
	}
	s.others = s.others[:0]
	for _, p := range v.Enabled {
		if p != s.process {
			s.others = append(s.others, p)
		}
	}
	s.noteOld(v)
	if len(s.others) == 0 || s.circle(v) {
		return ref.Stop
	}
	w := *v
	s.able = WithoutCircling(s.able[:0], v, s.others)
	if len(s.able) == 0 {
		return ref.Stop // they went on reading what is old, which nobody does for ever
	}
	w.Enabled = s.able
	next := s.inner.Next(&w)
	if next == ref.Stop {
		s.left = s.left[:0]
		for _, p := range s.others {
			s.left = append(s.left, blockedOperation{p, v.Operation(p)})
		}
	}
	return next
}

// noteOld notes when a process last read something else than the newest, on a weak
// memory: nobody does so for ever.
func (s *Suspended) noteOld(v *ref.View) {
	switch e := v.LastEvent(); {
	case e == nil:
	case e.Changed():
		clear(s.old)
	case e.Missed > 0 && s.old == nil:
		s.old = map[int]int{e.Process: v.Repeats(e.Process)}
	case e.Missed > 0:
		s.old[e.Process] = v.Repeats(e.Process)
	}
}

// since is how many accesses of its own a process has made since then, or since memory
// changed.
func (s *Suspended) since(v *ref.View, p int) int {
	return max(v.Repeats(p)-s.old[p], 0)
}

// Spin says that the scheduler inside has stopped since all others only repeat
// themselves for ever: it knows loops better than who counts accesses.
func (s *Suspended) Spin() {
	if s.point != nil && len(s.blocked) == 0 {
		s.blocked = append(s.blocked, s.left...)
	}
}

// Pick asks the scheduler inside.
func (s *Suspended) Pick(v *ref.View, n int) int { return s.inner.Pick(v, n) }

// circle says whether all others only repeat themselves on a memory that nobody
// changes any more.
func (s *Suspended) circle(v *ref.View) bool {
	for _, p := range s.others {
		switch {
		case !v.Waits(p) && v.Repeats(p) < patienceOfOthers:
			return false
		case v.Repeats(p) >= patienceOfOthers && s.since(v, p) < patienceOfOthers/2 || s.since(v, p) == 0:
			return false
		}
	}
	for _, p := range s.others {
		s.blocked = append(s.blocked, blockedOperation{p, v.Operation(p)})
	}
	return true
}

func suspensionPoint(v *ref.View, process int) *Point {
	setup := v.Setup()
	coming := v.Coming(process)
	line := "an access of its own" // of a mutant
	if site := int(coming.Access.Site); site < len(setup.Config.Design.Sites) {
		line = setup.Config.Design.Sites[site]
	}
	return &Point{Process: process, Op: v.Operation(process), Line: line, Location: setup.Space.Name(coming.Location)}
}

// Diverged says why the choices of the case could not be followed.
func (s *Suspended) Diverged() error {
	if r, ok := s.inner.(*Replay); ok {
		return r.Diverged
	}
	return nil
}

// Blocks says which operations never come back since the process is suspended;
// nothing if all others go on. Where the process is in no operation at its time,
// nothing is suspended, and none is true.
func (s *Suspended) Blocks() (explanation string, none bool) {
	switch {
	case s.point == nil:
		return fmt.Sprintf("process %d is in no operation after %d accesses, so that nothing is suspended", s.process, s.after), true
	case len(s.blocked) == 0:
		return "", false
	}
	var open []string
	for _, b := range s.blocked {
		open = append(open, fmt.Sprintf("%s of process %d", b.op, b.process))
	}
	return fmt.Sprintf("process %d is suspended for ever in its %s; nothing changes any more, and these never come back: %s", s.process, s.point, strings.Join(open, "; ")), false
}

// WithoutCircling appends the processes that have not made many accesses since
// memory changed: the others go round in circles until somebody changes it.
func WithoutCircling(able []int, v *ref.View, processes []int) []int {
	for _, p := range processes {
		if v.Repeats(p) < patienceOfOthers {
			able = append(able, p)
		}
	}
	return able
}
