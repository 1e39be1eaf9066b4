package ref

import (
	"fmt"
	"slices"
	"sync/atomic"

	"stealproof/model"
)

// Setup is a program on a structure, ready to be executed any number of times.
type Setup struct {
	Subject Subject
	Program model.Program
	Config  *Config
	Space   *Space

	structures []Structure
	lanes      int // of each process
	// On rc11, a data race is a fault, or all accesses are atomic.
	faulty, atomic bool
	places         []place // on a weak memory
	// ops are the operations that the program asks for, process after
	// process; process p has ops[first[p]:first[p+1]].
	ops   []model.Operation
	last  []bool       // which of them push what the process removed last
	syncs []clientSync // of those that are signals or waits, how they are made; nil without any
	first []int
	// firstSignal is the first word of a signal: they lie behind all others.
	firstSignal Location

	mutated atomic.Bool // whether the mutant made a difference
}

func (s *Setup) build(objects int) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("structure %s: %s", s.Config.Design.Name, describePanic(r))
		}
	}()
	for i := range objects {
		if i > 0 {
			s.Space.prefix = fmt.Sprintf("%d.", i)
		}
		st := s.Config.Design.build(s.Config, s.Space)
		if s.Subject.around != nil {
			st = s.Subject.around(st)
		}
		st = s.patched(st)
		if _, ok := st.(Cooperative); s.lanes > 1 && !ok {
			return fmt.Errorf("structure %s: its operations are carried out by %d lanes together, and nothing can be put around them", s.Config.Design.Name, s.lanes)
		}
		s.structures = append(s.structures, st)
	}
	return nil
}

// patched puts what is changed in the text of a structure between it and the
// memory: planted defects, and outside of them, since it changes what is made of
// these, the mutant.
func (s *Setup) patched(st Structure) Structure {
	for _, p := range s.Config.defects {
		if a := p.apply(s.Config, s.Space, new(atomic.Bool)); len(a.edits)+len(a.answers) > 0 {
			st = patched{st, a}
		}
	}
	if m := s.Config.mutant; m != nil {
		st = patched{st, m.patch().apply(s.Config, s.Space, &s.mutated)}
	}
	return st
}

func (s *Setup) expand() error {
	signals := s.layOutSignals()
	s.Space.sealed = true
	for id, calls := range s.Program.Expand() {
		s.first = append(s.first, len(s.ops))
		for _, c := range calls {
			if signals != nil {
				s.syncs = append(s.syncs, syncOf(c, signals))
			}
			if c.Op.OnObject() && !s.supports(c.Op) {
				return fmt.Errorf("structure %s has no operation %q: expected one of %v", s.Config.Design.Name, c.Op, s.Config.Design.Ops)
			}
			s.ops = append(s.ops, model.Operation{
				Op: c.Op, Object: c.Object, Process: uint32(id),
				Value: c.Value, To: c.To, Size: c.Size, Return: model.Never,
			})
			s.last = append(s.last, c.Last)
		}
	}
	s.first = append(s.first, len(s.ops))
	return nil
}

func (s *Setup) supports(op model.Op) bool {
	for _, o := range s.Config.Design.Ops {
		if o == op {
			return true
		}
	}
	return false
}

// Weak says whether it runs on a weak memory.
func (s *Setup) Weak() bool { return s.places != nil }

// Strong says whether accesses of one location are morally strong on a weak memory. On
// those of processors all are: who has read a write cannot come to happen before it.
func (s *Setup) Strong(a, b *Event) bool {
	if a.Process == b.Process || s.Subject.memory.Structure != MemoryPTX {
		return true
	}
	shared := s.places[a.Process].shares(s.places[b.Process])
	return a.Access.Order != Weak && b.Access.Order != Weak && a.Access.Scope >= shared && b.Access.Scope >= shared
}

// Alike says whether two processes are told apart by nothing but their numbers and the
// values that they put in: an execution in which they change places, and their values with
// them, is one as well, with the same verdict. That takes a structure whose operations do
// the same whoever calls them, and to which a value is a value; a defect or a mutant may
// have made something else of it.
func (s *Setup) Alike(a, b int) bool {
	d := s.Config.Design
	if !d.Anonymous || d.model != nil || s.Lanes() > 1 || s.syncs != nil || s.count(a) != s.count(b) || !s.samePlace(a, b) {
		return false
	}
	for i := range s.count(a) {
		x, y := &s.ops[s.first[a]+i], &s.ops[s.first[b]+i]
		same := x.Op == y.Op && x.Object == y.Object && x.Size == y.Size && s.last[s.first[a]+i] == s.last[s.first[b]+i]
		renamed := d.Kind != model.Range && x.Op.Puts() && len(s.Config.defects) == 0 && s.Config.mutant == nil
		if !same || x.Op == model.Phase || !renamed && (x.Value != y.Value || x.To != y.To) {
			return false
		}
	}
	return true
}

// count is the number of operations that the program asks of a process.
func (s *Setup) count(process int) int { return s.first[process+1] - s.first[process] }

// samePlace says whether two processes run equally far from every other one.
func (s *Setup) samePlace(a, b int) bool {
	for p := range s.places {
		if p != a && p != b && s.places[a].shares(s.places[p]) != s.places[b].shares(s.places[p]) {
			return false
		}
	}
	return true
}

// Processes is the number of processes.
func (s *Setup) Processes() int { return len(s.first) - 1 }

// history makes a history of the operations that were begun.
func (s *Setup) history(ops []model.Operation, clock model.Clock) *model.History {
	return &model.History{Kind: s.Config.Design.Kind, Params: s.Config.Params(), Clock: clock, Ops: ops}
}

// resolveLast fills in a push of what the process removed last, and says
// whether there is anything to push.
func resolveLast(o *model.Operation, removed *model.Operation) bool {
	if removed == nil {
		return false
	}
	o.Value, o.To = removed.Value, removed.To
	return true
}

// do carries out an operation and faults if what came back is no result at
// all: a history could not even say it.
func (s *Setup) do(m Memory, o *model.Operation) {
	s.structures[o.Object].Do(m, o)
	s.judge(o)
}

// judge faults if what came back is no result.
func (s *Setup) judge(o *model.Operation) {
	switch {
	case !s.Config.Design.Kind.Allows(o.Op, o.Result):
		panic(&Fault{Msg: fmt.Sprintf("%s came back with %s", o.Op, o.Result)})
	case !o.TakesOut():
		return
	case s.Config.Design.Kind == model.Range && (o.To <= o.Value || o.To > model.MaxValue):
		panic(&Fault{Msg: fmt.Sprintf("%s came back with the range [%d,%d)", o.Op, o.Value, o.To)})
	case o.Value > model.MaxValue:
		panic(&Fault{Msg: fmt.Sprintf("%s came back with %#x, which no put may bring in", o.Op, o.Value)})
	}
}

// clientSync is how a signal or a wait of a program is made: an access to a word
// that belongs to the client, behind those of the structures. See model.Sync.
type clientSync struct {
	word   Location
	access Access
}

// given is what the word of a signal holds once the signal is there.
const given = 1

// layOutSignals gives every signal of the program its word; nil if it has none.
func (s *Setup) layOutSignals() map[string]Location {
	if !s.Program.Synchronizes() {
		return nil
	}
	s.Space.prefix = ""
	s.firstSignal = Location(s.Space.Len())
	words := map[string]Location{}
	for _, calls := range s.Program.Expand() {
		for _, c := range calls {
			if c.Op == model.Signal {
				words[c.Sync.Name] = s.Space.Word("signal "+c.Sync.Name, 0)
			}
		}
	}
	return words
}

func syncOf(c model.Call, words map[string]Location) clientSync {
	if !c.Op.Synchronizes() {
		return clientSync{}
	}
	order, scope := slices.Index(orderNames[:], c.Sync.Order), slices.Index(scopeNames[Block:], c.Sync.Scope)
	return clientSync{words[c.Sync.Name], Access{Order: Order(order), Scope: Block + Scope(scope), Site: noSite}}
}

// Sync says whether a location is the word of a signal.
func (s *Setup) Sync(l Location) bool { return s.syncs != nil && l >= s.firstSignal }
