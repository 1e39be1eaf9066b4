package ptx

import (
	"encoding/binary"
	"fmt"
	"slices"

	"stealproof/model"
	"stealproof/ref"
	"stealproof/ref/ptx/machine"
)

// plan is how the memory of an object is cut into words, and what they hold at the
// start.
type plan struct {
	design    *design
	processes int
	parts     []cutPart
}

// cutPart is a part of memory, cut.
type cutPart struct {
	base  uint64
	name  string
	block bool // each process has its own
	words []cutWord
	index []int32 // of each byte, the word that it belongs to
}

// cutWord is a word: so many bytes from an offset on.
type cutWord struct {
	start   uint64
	size    uint8
	initial uint64
	name    string
}

// neverWritten stands in a word that nobody has written. Whoever loads it makes a
// mistake. No shorter word can hold it, and nobody stores it in one of 64 bits.
const neverWritten = 0x9d1f_77c3_6e65_7665

// prepareLimit is how many instructions a kernel may execute that runs alone.
const prepareLimit = 1 << 24

func newPlan(d *design, processes int) (p *plan, err error) {
	bytes, err := d.objectBytes(processes)
	if err != nil {
		return nil, err
	}
	made := newImage(d, bytes)
	if err := alone(func() error {
		m := d.newMachine(processes, true)
		m.Shared, m.Limit = made, prepareLimit
		return m.Run(prepareKernel, machine.Arguments)
	}); err != nil {
		return nil, fmt.Errorf("making an object: %w", err)
	}
	used := made.clone()
	if err := explore(d, used, processes); err != nil {
		return nil, err
	}
	p = &plan{design: d, processes: processes}
	for i := range made.parts {
		p.parts = append(p.parts, cut(&made.parts[i], used.parts[i].widths))
	}
	return p, nil
}

// alone runs a kernel whose faults are errors.
func alone(run func() error) (err error) {
	defer func() {
		switch f := recover().(type) {
		case nil:
		case *ref.Fault:
			err = f
		default:
			panic(f)
		}
	}()
	return run()
}

// How many operations are tried alone, and how long each may take: some wait for
// somebody else. After so many of these no more are tried.
const (
	mostFills   = 5000
	mostTries   = 2000 // by one lane, of several fewer
	fewestTries = 200
	tryLimit    = 20000
	mostWaits   = 100
)

// explore tries operations one after the other: until the object is full, until it
// is empty, then any. What goes wrong does not matter here; it does in an execution.
// An error is that of lanes that would be there on a GPU.
func explore(d *design, m *image, processes int) (tooFew error) {
	x := newHands(d, m, processes)
	value, random, waits := uint64(0), uint64(1), 0
	try := func(op model.Op, process int) model.Result {
		if waits >= mostWaits {
			return model.Unknown
		}
		value++
		o := model.Operation{Op: op, Process: uint32(process), Value: value * 8, To: value*8 + 4, Size: 2}
		if err := alone(func() error { return x.perform(&o) }); err != nil {
			if x.crew.TooFew {
				tooFew = err
			}
			if x.machines[0].Spent() {
				waits++
			}
			return model.Unknown
		}
		return o.Result
	}
	ops := d.kind.Ops()
	phase := func() {
		if d.kind == model.Bag {
			_ = alone(func() error { return x.machines[0].Run(phaseKernel, machine.Arguments) })
		}
	}
	who := func(op model.Op, n int) int {
		switch {
		case op == model.Steal && processes > 1:
			return 1 + n%(processes-1)
		case d.kind == model.WSDeque || d.kind == model.Range:
			return 0
		}
		return n % processes
	}
	for n := 0; n < mostFills && try(ops[0], who(ops[0], n)) == model.OK; n++ {
	}
	phase()
	for n, left := 0, len(ops)-1; n < mostFills && left > 0; n++ {
		left = len(ops) - 1
		for _, op := range ops[1:] {
			if try(op, who(op, n)) != model.OK {
				left--
			}
		}
	}
	for n := range max(fewestTries, mostTries/len(x.machines)) {
		random = random*6364136223846793005 + 1442695040888963407
		op := ops[random>>33%uint64(len(ops))]
		try(op, who(op, n))
		if n%100 == 99 {
			phase()
		}
	}
	return tooFew
}

// cut cuts memory into words: as large as the accesses of operations to it, else as
// those of prepare, else of 64 bits.
func cut(made *part, used []uint8) cutPart {
	p := cutPart{base: made.base, name: made.name, block: made.block, index: make([]int32, len(made.data))}
	for at := uint64(0); at < uint64(len(made.data)); {
		size := uint64(used[at])
		if size == 0 {
			size = unused(made.widths, used, at)
		}
		p.words = append(p.words, newWord(made, at, uint8(size)))
		for range size {
			p.index[at] = int32(len(p.words) - 1)
			at++
		}
	}
	return p
}

// unused is how large a word is that no operation was seen to access.
func unused(prepared, used []uint8, at uint64) uint64 {
	size := uint64(8)
	if prepared[at] != 0 {
		size = uint64(prepared[at])
	}
	for ; size > 1; size /= 2 {
		if at%size == 0 && at+size <= uint64(len(used)) && !slices.ContainsFunc(used[at:at+size], func(w uint8) bool { return w != 0 }) {
			break
		}
	}
	return size
}

func newWord(made *part, at uint64, size uint8) cutWord {
	w := cutWord{start: at, size: size, initial: neverWritten, name: fmt.Sprintf("+%d", at)}
	if made.name != "" {
		w.name = made.name + w.name
	}
	end := at + uint64(size)
	if slices.Contains(made.written[at:end], true) {
		var b [8]byte
		copy(b[:], made.data[at:end])
		w.initial = binary.LittleEndian.Uint64(b[:])
	}
	return w
}

// build adds an object to a memory. Variables of the module are there once, for all
// objects.
func (p *plan) build(s *ref.Space) ref.Structure {
	q := &queue{plan: p, weak: s.Weak, sized: s.Sized}
	for i := range p.parts {
		part := &p.parts[i]
		if len(part.words) == 0 {
			q.first = append(q.first, 0)
			continue
		}
		if part.block {
			q.first = append(q.first, ref.Location(s.Len()))
			for process := range p.processes {
				for k := range part.words {
					s.Word(fmt.Sprintf("%s of process %d", part.words[k].name, process), neverWritten)
				}
			}
			continue
		}
		if part.name != "" {
			if at, found := s.Find(part.words[0].name); found {
				q.first = append(q.first, at)
				continue
			}
		}
		q.first = append(q.first, ref.Location(s.Len()))
		for k := range part.words {
			s.Word(part.words[k].name, part.words[k].initial)
		}
	}
	q.idle.New, q.crews.New = q.newRunner, q.newCrew
	return q
}
