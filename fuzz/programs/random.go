// Package programs says what is executed: random programs of a shape, and all
// programs up to a size.
package programs

import (
	"fmt"
	"strconv"
	"strings"

	"stealproof/fuzz/choice"
	"stealproof/model"
	"stealproof/ref"
)

// Shape is the size of a generated program: the number of operations of each
// process. Where the object has an owner, that is process 0.
type Shape []int

// DefaultShape is large enough for every hazard that needs two thieves, and
// small enough for a verdict in microseconds.
var DefaultShape = Shape{5, 3, 2}

// String prints the shape as ParseShape reads it.
func (s Shape) String() string {
	parts := make([]string, len(s))
	for i, n := range s {
		parts[i] = strconv.Itoa(n)
	}
	return strings.Join(parts, "+")
}

// ParseShape reads "2x3", two thieves of three operations each, or "3+2", a thief
// of three and one of two.
func ParseShape(text string) (Shape, error) {
	form := fmt.Errorf("%q: expected processes x operations, as in 2x3, or the operations of each, as in 3+2", text)
	most := fmt.Errorf("%q: expected at most %d processes, of at most %d operations each", text, maxProcesses, maxOperations)
	if count, each, found := strings.Cut(text, "x"); found {
		n, err1 := strconv.Atoi(count)
		m, err2 := strconv.Atoi(each)
		if err1 != nil || err2 != nil || n < 0 || m < 1 {
			return nil, form
		}
		if n > maxProcesses || m > maxOperations {
			return nil, most
		}
		var s Shape
		for range n {
			s = append(s, m)
		}
		return s, nil
	}
	var s Shape
	for part := range strings.SplitSeq(text, "+") {
		m, err := strconv.Atoi(part)
		if err != nil || m < 1 {
			return nil, form
		}
		if m > maxOperations || len(s) == maxProcesses {
			return nil, most
		}
		s = append(s, m)
	}
	return s, nil
}

const (
	maxProcesses  = 64
	maxOperations = 10000
)

// New generates a program of a shape for a structure. What goes in is
// distinct, since that is what the checkers and the structures themselves rely
// on.
func New(about ref.Subject, shape Shape, s choice.Source) model.Program {
	g := programGenerator{source: s, design: about.Design()}
	var high uint64
	g.floor, high = about.Config().Indices()
	g.low = min(g.floor+lowestFirst, high)
	var p model.Program
	if g.design.Kind == model.Bag {
		g.between = s.IntN(bagPhases)
	}
	for id, n := range shape {
		p.Processes = append(p.Processes, g.process(id, n, shape))
	}
	return p
}

// lowestFirst is the upper end of the first interval that a range program
// pushes; each further one lies below the one before.
const lowestFirst = 1 << 16

type programGenerator struct {
	source choice.Source
	design *ref.Design
	low    uint64 // lower end of the last interval that was pushed
	floor  uint64 // lowest index there is
	// between is the number of phases of a bag that both put and take
	between int
}

func (g *programGenerator) process(id, n int, shape Shape) []model.Step {
	var calls []model.Call
	switch g.design.Kind {
	case model.WSDeque:
		calls = g.deque(id, n)
	case model.FIFO:
		calls = g.mixed(n, model.Enq, model.Deq)
	case model.Bag:
		calls = g.phases(n, shape)
	case model.Range:
		calls = g.ranges(id, n)
	}
	return model.Calls(calls...)
}

// deque begins with a push, since on an empty deque there is little to see.
func (g *programGenerator) deque(id, n int) []model.Call {
	if id > 0 {
		return repeat(model.Call{Op: model.Steal, Value: model.NoValue}, n)
	}
	calls := g.mixed(n, model.Push, model.Pop)
	calls[0].Op = model.Push
	return calls
}

func (g *programGenerator) mixed(n int, put, take model.Op) []model.Call {
	calls := make([]model.Call, n)
	for i := range calls {
		calls[i] = model.Call{Op: put, Value: model.NoValue}
		if g.source.IntN(2) == 1 {
			calls[i].Op = take
		}
	}
	return calls
}

// phases begins with puts; then every phase takes all that the one before has
// put, among puts of its own; the last two only take, so that at the end the
// bag must be empty. Every process has the same number of phases.
func (g *programGenerator) phases(n int, shape Shape) []model.Call {
	n = max(1, n/2)
	put := model.Call{Op: model.Put, Value: model.NoValue}
	take := model.Call{Op: model.Take, Value: model.NoValue}
	end := model.Call{Op: model.Phase, Value: model.NoValue}
	share := 0 // of each process, if every process puts its most
	for _, m := range shape {
		share += max(1, m/2)
	}
	share = (share + len(shape) - 1) / len(shape)
	calls := append(repeat(put, n), end)
	for range g.between {
		calls = append(calls, g.shuffled(repeat(take, share), repeat(put, g.source.IntN(n+1)))...)
		calls = append(calls, end)
	}
	calls = append(calls, repeat(take, share)...)
	return append(calls, end, take)
}

const bagPhases = 3

// shuffled merges two rows of calls at random.
func (g *programGenerator) shuffled(a, b []model.Call) []model.Call {
	var all []model.Call
	for len(a)+len(b) > 0 {
		if g.source.IntN(len(a)+len(b)) < len(a) {
			all, a = append(all, a[0]), a[1:]
		} else {
			all, b = append(all, b[0]), b[1:]
		}
	}
	return all
}

func (g *programGenerator) ranges(id, n int) []model.Call {
	calls := make([]model.Call, n)
	for i := range calls {
		switch {
		case id > 0 && !g.design.Shared:
			calls[i] = model.Call{Op: model.Steal, Value: model.NoValue, Size: g.size()}
		case (id == 0 && i == 0 || g.source.IntN(3) == 0) && g.low > g.floor:
			calls[i] = g.pushRange()
		default:
			calls[i] = model.Call{Op: model.Pop, Value: model.NoValue, Size: g.size()}
		}
	}
	return calls
}

func (g *programGenerator) size() uint64 { return uint64(1 + g.source.IntN(3)) }

func (g *programGenerator) pushRange() model.Call {
	to := g.low
	g.low -= min(uint64(1+g.source.IntN(5)), to-g.floor)
	return model.Call{Op: model.Push, Value: g.low, To: to}
}

func repeat(c model.Call, n int) []model.Call {
	calls := make([]model.Call, n)
	for i := range calls {
		calls[i] = c
	}
	return calls
}
