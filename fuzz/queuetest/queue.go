package queuetest

import (
	"time"

	"stealproof/fuzz/programs"
	"stealproof/fuzz/schedule"
	"stealproof/model"
	"stealproof/ref"
)

// Queue is what is to be tested. NewDeque, NewFIFO, NewBag and NewRange make one
// out of a few methods; fill in the fields by hand if an operation must know its
// process.
type Queue struct {
	// Name stands in saved cases: lower-case letters, digits and dashes.
	Name string
	// Kind says what it promises.
	Kind model.Kind
	// Capacity is how much there is room for, so that a put which comes back with
	// model.Full is held to it; 0 accepts every full, and so does a deque, whose
	// array may be used up though it is nearly empty.
	Capacity uint64
	// Model is what its operations mean, where that is not what the kind says, as in
	// model.Stack(0) for a Bag. Without a word of its own, Capacity says nothing then.
	Model *model.Model
	// Shared is a range that every process may push to and pop from.
	Shared bool
	// Anonymous: an operation does the same whichever process calls it, and how many
	// there are, and a value is a value to it, whose bits decide nothing; so that fewer
	// programs and executions need be tried.
	Anonymous bool
	// Build lays the queue out in memory, for so many processes.
	Build func(s *ref.Space, processes int) ref.Structure

	Options

	foreign *ref.Foreign // what the fields do not say, nil for nothing
}

// Options say how to test; their zero values are the defaults.
type Options struct {
	// Shape is the size of the random programs: the operations of each process,
	// of which the first one owns a deque or a range.
	Shape programs.Shape
	// Strategy says who goes next in random runs, as in "pct:depth=3".
	Strategy string
	// Checks is the number of random runs. A flag wins over it.
	Checks int
	// Accesses is after how many an execution counts as one that may never end.
	Accesses int
	// Clients is up to how many calls all clients are tried on a weak memory, whatever
	// order they give their operations by signals; 0 for 3.
	Clients int
	// Patience is how long an operation may go without an access and without
	// coming back.
	Patience time.Duration
	// NoShrink keeps a failing case as it was found.
	NoShrink bool
}

const (
	defaultChecks   = 10_000
	shortChecks     = 1_000
	defaultSeed     = 1
	defaultClients  = 3
	defaultAccesses = 100_000
	defaultPatience = 10 * time.Second
)

func (o Options) withDefaults() Options {
	if len(o.Shape) == 0 {
		o.Shape = programs.DefaultShape
	}
	if o.Strategy == "" {
		o.Strategy = schedule.Default
	}
	if o.Checks == 0 {
		o.Checks = defaultChecks
	}
	if o.Accesses == 0 {
		o.Accesses = defaultAccesses
	}
	if o.Clients == 0 {
		o.Clients = defaultClients
	}
	if o.Patience == 0 {
		o.Patience = defaultPatience
	}
	return o
}

// Deque is a work-stealing deque: its owner pushes and pops, others steal.
type Deque interface {
	// Push brings a value in: model.OK or model.Full.
	Push(m ref.Memory, v uint64) model.Result
	// Pop takes the value that was pushed last: model.OK or model.Empty.
	Pop(m ref.Memory) (uint64, model.Result)
	// Steal takes the oldest value: model.OK, model.Empty or, if somebody else was
	// faster, model.Abort.
	Steal(m ref.Memory) (uint64, model.Result)
}

// FIFO is a queue that any process may enter and leave.
type FIFO interface {
	// Enq brings a value in: model.OK or model.Full.
	Enq(m ref.Memory, v uint64) model.Result
	// Deq takes the oldest value: model.OK, model.Empty or, if it gives up,
	// model.Abort.
	Deq(m ref.Memory) (uint64, model.Result)
}

// Bag gives every value back once, in any order.
type Bag interface {
	// Put brings a value in: model.OK or model.Full.
	Put(m ref.Memory, v uint64) model.Result
	// Take takes any value: model.OK, model.Empty or, if it gives up, model.Abort.
	Take(m ref.Memory) (uint64, model.Result)
}

// Range is an interval of indices: its owner extends it at the low end and takes
// from there, others steal from the high end. A removal takes up to most indices.
type Range interface {
	// Push extends it by [from, to): model.OK, or model.Full where that does not adjoin
	// what is inside.
	Push(m ref.Memory, from, to uint64) model.Result
	// Pop takes from the low end: model.OK or model.Empty.
	Pop(m ref.Memory, most uint64) (from, to uint64, r model.Result)
	// Steal takes from the high end: model.OK, model.Empty or model.Abort.
	Steal(m ref.Memory, most uint64) (from, to uint64, r model.Result)
}

// NewDeque makes a queue to be tested out of a deque; build lays it out.
func NewDeque(name string, build func(s *ref.Space) Deque) Queue {
	return Queue{Name: name, Kind: model.WSDeque, Anonymous: true, Build: func(s *ref.Space, _ int) ref.Structure {
		d := build(s)
		return structure(func(m ref.Memory, o *model.Operation) {
			switch o.Op {
			case model.Push:
				o.Result = d.Push(m, o.Value)
			case model.Pop:
				o.Value, o.Result = taken(d.Pop(m))
			case model.Steal:
				o.Value, o.Result = taken(d.Steal(m))
			}
		})
	}}
}

// NewFIFO makes a queue to be tested out of a FIFO queue; build lays it out.
func NewFIFO(name string, build func(s *ref.Space) FIFO) Queue {
	return Queue{Name: name, Kind: model.FIFO, Anonymous: true, Build: func(s *ref.Space, _ int) ref.Structure {
		q := build(s)
		return structure(func(m ref.Memory, o *model.Operation) {
			if o.Op == model.Enq {
				o.Result = q.Enq(m, o.Value)
			} else {
				o.Value, o.Result = taken(q.Deq(m))
			}
		})
	}}
}

// NewBag makes a queue to be tested out of a bag; build lays it out.
func NewBag(name string, build func(s *ref.Space) Bag) Queue {
	return Queue{Name: name, Kind: model.Bag, Anonymous: true, Build: func(s *ref.Space, _ int) ref.Structure {
		b := build(s)
		return structure(func(m ref.Memory, o *model.Operation) {
			if o.Op == model.Put {
				o.Result = b.Put(m, o.Value)
			} else {
				o.Value, o.Result = taken(b.Take(m))
			}
		})
	}}
}

// NewRange makes a queue to be tested out of a range; build lays it out.
func NewRange(name string, build func(s *ref.Space) Range) Queue {
	return Queue{Name: name, Kind: model.Range, Anonymous: true, Build: func(s *ref.Space, _ int) ref.Structure {
		r := build(s)
		return structure(func(m ref.Memory, o *model.Operation) {
			switch o.Op {
			case model.Push:
				o.Result = r.Push(m, o.Value, o.To)
			case model.Pop:
				o.Value, o.To, o.Result = takenRange(r.Pop(m, o.Size))
			case model.Steal:
				o.Value, o.To, o.Result = takenRange(r.Steal(m, o.Size))
			}
		})
	}}
}

// Of makes a queue to be tested out of a structure that somebody has described
// otherwise, as package ref/ptx makes one of a compiled kernel. Its accesses keep the
// names that they have there. A test that does not name that package does not link it.
func Of(f ref.Foreign) Queue {
	return Queue{Name: f.Name, Kind: f.Kind, Capacity: f.Capacity, Shared: f.Shared, Model: f.Model, Anonymous: f.Anonymous, Build: f.Build, foreign: &f}
}

// described is the queue as package ref has it.
func (q Queue) described() ref.Foreign {
	var f ref.Foreign
	if q.foreign != nil {
		f = *q.foreign
	}
	f.Name, f.Kind, f.Capacity, f.Model = q.Name, q.Kind, q.Capacity, q.Model
	f.Shared, f.Anonymous, f.Build = q.Shared, q.Anonymous, q.Build
	return f
}

// structure is a function as a structure.
type structure func(m ref.Memory, o *model.Operation)

func (f structure) Do(m ref.Memory, o *model.Operation) { f(m, o) }

// taken forgets the value that comes with another result than ok.
func taken(v uint64, r model.Result) (uint64, model.Result) {
	if r != model.OK {
		v = model.NoValue
	}
	return v, r
}

func takenRange(from, to uint64, r model.Result) (uint64, uint64, model.Result) {
	if r != model.OK {
		from, to = model.NoValue, 0
	}
	return from, to, r
}
