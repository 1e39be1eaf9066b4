package programs

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"stealproof/model"
	"stealproof/ref"
)

// Bounds say which programs are all programs.
type Bounds struct {
	// Shape is the most operations of each process.
	Shape Shape
	// Size is the most indices that an operation on a range brings or asks for,
	// 0 for DefaultSize.
	Size int
	// Phases is the number of phases of a program on a bag, 0 for DefaultPhases.
	Phases int
	// Exactly leaves out programs with fewer operations than the shape has.
	Exactly bool
}

// DefaultSize and DefaultPhases show what can go wrong with ranges and bags:
// an operation that gets less than it asked for, and a take of what was put.
const (
	DefaultSize   = 2
	DefaultPhases = 2
)

// All lists every program within bounds, those with fewer operations
// first, so that the first that fails is a smallest one:
//
//   - of a deque every sequence of pushes and pops of the owner, with thieves;
//   - of a queue every sequence of enqueues and dequeues of each process;
//   - of a range every sequence of pushes, pops and steals of 1 to Size indices,
//     where each push brings what lies right below the push before it;
//   - of a bag every sequence of puts and takes of each process, cut into phases
//     at every place.
//
// Every process has at least one operation; thieves, and processes of a queue,
// may be fewer than the shape has. Of programs that differ only in the order of
// processes that are alike there is one.
func All(s ref.Subject, b Bounds) ([]model.Program, error) {
	g := allPrograms{config: s.Config(), bounds: b, seen: map[string]bool{}}
	if g.bounds.Size == 0 {
		g.bounds.Size = DefaultSize
	}
	if g.bounds.Phases == 0 {
		g.bounds.Phases = DefaultPhases
	}
	shapes, err := g.shapes()
	if err != nil {
		return nil, err
	}
	for _, shape := range shapes {
		if err := g.ofShape(shape); err != nil {
			return nil, err
		}
	}
	return g.all, nil
}

// Clients lists what clients of up to n operations may call, those with fewer first:
// each operation by a process of its own, but those that only an owner may call. So
// nothing is ordered that a client need not order, and every client is one of these with
// an order from outside (see Search.Clients in package exhaust), if the structure makes
// nothing of which process calls it. If it may, operations are also shared out among
// processes in every other way.
func Clients(s ref.Subject, b Bounds, n int) ([]model.Program, error) {
	var all []model.Program
	b.Exactly = true
	for calls := 1; calls <= n; calls++ {
		for _, shape := range clientShapes(s, calls) {
			b.Shape = shape
			list, err := All(s, b)
			if err != nil {
				return nil, err
			}
			all = append(all, list...)
		}
	}
	return all, nil
}

// clientShapes are the shapes of so many operations, those of the owner first if there
// is one.
func clientShapes(s ref.Subject, calls int) []Shape {
	g := allPrograms{config: s.Config()}
	var shapes []Shape
	var share func(shape Shape, left, most int)
	share = func(shape Shape, left, most int) {
		if left == 0 {
			shapes = append(shapes, slices.Clone(shape))
		}
		for n := 1; n <= min(left, most); n++ {
			share(append(shape, n), left-n, n)
		}
	}
	most := calls
	if s.Design().Anonymous {
		most = 1
	}
	if !g.owned() {
		share(nil, calls, most)
		return shapes
	}
	for owner := 1; owner <= calls; owner++ {
		share(Shape{owner}, calls-owner, most)
	}
	return shapes
}

const (
	maxSequences = 1 << 14
	maxPrograms  = 1 << 16
)

type allPrograms struct {
	config *ref.Config
	bounds Bounds
	all    []model.Program
	seen   map[string]bool
}

func (g *allPrograms) kind() model.Kind { return g.config.Design.Kind }

// owned says whether process 0 has a role of its own.
func (g *allPrograms) owned() bool {
	return g.kind() == model.WSDeque || g.kind() == model.Range && !g.config.Design.Shared
}

// shapes lists the shapes within the bounds, those with fewer operations first. Of
// shapes that are alike only one is kept, and that as soon as they are: many processes
// would else have far too many.
func (g *allPrograms) shapes() ([]Shape, error) {
	if g.bounds.Exactly {
		return []Shape{g.bounds.Shape}, nil
	}
	all := []Shape{nil}
	for id, most := range g.bounds.Shape {
		var longer []Shape
		seen := map[string]bool{}
		least := 0
		if id == 0 {
			least = 1
		}
		for _, s := range all {
			for n := least; n <= most; n++ {
				l := g.normal(append(slices.Clone(s), n))
				if text := l.String(); !seen[text] {
					seen[text] = true
					longer = append(longer, l)
				}
			}
		}
		if all = longer; len(all) > maxPrograms {
			return nil, g.tooMany()
		}
	}
	slices.SortStableFunc(all, func(a, b Shape) int { return cmp.Compare(a.total(), b.total()) })
	return all, nil
}

// normal is the shape without processes that do nothing, and those that are alike in one
// order.
func (g *allPrograms) normal(s Shape) Shape {
	s = slices.DeleteFunc(s, func(n int) bool { return n == 0 })
	if g.alike() && len(s) > 1 {
		from := 0
		if g.owned() {
			from = 1
		}
		slices.SortFunc(s[from:], func(a, b int) int { return b - a })
	}
	return s
}

func (s Shape) total() int {
	n := 0
	for _, m := range s {
		n += m
	}
	return n
}

// alike says whether processes without a role can be exchanged: not where what
// they bring in, or their number, makes a difference.
func (g *allPrograms) alike() bool {
	if g.kind() == model.Bag {
		return g.config.Design.Anonymous
	}
	return !g.config.Design.Shared
}

func (g *allPrograms) ofShape(shape Shape) error {
	var perProcess [][][]model.Call
	for id, n := range shape {
		rows := g.rows(id, n)
		if len(rows) > maxSequences {
			return fmt.Errorf("%d operations of process %d have more than %d sequences", n, id, maxSequences)
		}
		perProcess = append(perProcess, rows)
	}
	return combine(perProcess, nil, g.add)
}

func (g *allPrograms) tooMany() error {
	return fmt.Errorf("the shape %s has more than %d programs", g.bounds.Shape, maxPrograms)
}

// add keeps a program that has no twin yet.
func (g *allPrograms) add(calls [][]model.Call) error {
	key := g.symmetric(calls)
	if g.seen[key] {
		return nil
	}
	g.seen[key] = true
	if len(g.all) == maxPrograms {
		return g.tooMany()
	}
	var p model.Program
	if g.kind() == model.Range {
		if calls = g.placed(calls); calls == nil {
			return nil
		}
	}
	for _, cs := range calls {
		p.Processes = append(p.Processes, model.Calls(cs...))
	}
	g.all = append(g.all, p)
	return nil
}

// combine calls f with every choice of one row per process.
func combine(perProcess [][][]model.Call, chosen [][]model.Call, f func([][]model.Call) error) error {
	if len(chosen) == len(perProcess) {
		return f(chosen)
	}
	for _, row := range perProcess[len(chosen)] {
		if err := combine(perProcess, append(chosen, row), f); err != nil {
			return err
		}
	}
	return nil
}

// symmetric is the same for programs that differ only in the order of processes
// that are alike.
func (g *allPrograms) symmetric(calls [][]model.Call) string {
	var rows []string
	for _, row := range calls {
		rows = append(rows, fmt.Sprint(row))
	}
	switch {
	case g.alike() && g.owned():
		slices.Sort(rows[1:])
	case g.alike():
		slices.Sort(rows)
	}
	return strings.Join(rows, ";")
}
