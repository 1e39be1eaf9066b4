package ref

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/model"
)

// threads is a structure whose operations are the threads of a litmus test: each
// process runs one of them, and writes down what it reads.
type threads struct {
	run       []func(Memory, func(uint64))
	registers [][]uint64
}

func (s *threads) Do(m Memory, o *model.Operation) {
	regs := s.registers[o.Process][:0]
	s.run[o.Process](m, func(v uint64) { regs = append(regs, v) })
	s.registers[o.Process] = regs
	o.Result = model.OK
}

const (
	x Location = iota
	y
	z
	litmusWords
)

// odometer walks through every interleaving and every pick.
type odometer struct {
	at              int
	choice, options []int
}

func (w *odometer) decide(n int) int {
	if w.at == len(w.choice) {
		w.choice, w.options = append(w.choice, 0), append(w.options, n)
	}
	w.at++
	return w.choice[w.at-1]
}

func (w *odometer) Next(v *View) int { return v.Enabled[w.decide(len(v.Enabled))] }

func (w *odometer) Pick(_ *View, n int) int { return w.decide(n) }

func (w *odometer) advance() bool {
	w.at = 0
	for n := len(w.choice) - 1; n >= 0; n-- {
		if w.choice[n]++; w.choice[n] < w.options[n] {
			return true
		}
		w.choice, w.options = w.choice[:n], w.options[:n]
	}
	return false
}

// outcomes are the results that a litmus test can have: what each thread read,
// and what the words hold in the end.
func outcomes(t testing.TB, memory string, run ...func(Memory, func(uint64))) map[string]bool {
	t.Helper()
	spec, err := model.ParseSpec(memory)
	require.NoError(t, err)
	where, err := places(spec, len(run))
	require.NoError(t, err)
	s := &threads{run: run, registers: make([][]uint64, len(run))}
	design := &Design{Name: "litmus", Kind: model.Bag, Ops: model.Bag.Ops()}
	setup := &Setup{Subject: Subject{memory: spec}, Config: &Config{Design: design, Processes: len(run)}, Space: &Space{}, structures: []Structure{s}, places: where}
	setup.Space.Array("word", int(litmusWords), 0)
	for p := range run {
		setup.first = append(setup.first, p)
		setup.ops = append(setup.ops, model.Operation{Op: model.Put, Process: uint32(p), Value: uint64(p), Return: model.Never})
		setup.last = append(setup.last, false)
	}
	setup.first = append(setup.first, len(run))
	sim := NewSim(setup)
	defer sim.Close()
	all := map[string]bool{}
	for w := (&odometer{}); ; {
		e := sim.Run(w)
		require.Equal(t, Complete, e.Ending, e.Fault)
		all[fmt.Sprint(s.registers, sim.words)] = true
		if !w.advance() {
			return all
		}
	}
}

// reaches says whether some outcome begins with the registers.
func reaches(all map[string]bool, registers string) bool {
	for o := range all {
		if strings.HasPrefix(o, registers) {
			return true
		}
	}
	return false
}

type thread = func(Memory, func(uint64))

func ld(l Location, o Order, s Scope) thread {
	return func(m Memory, read func(uint64)) { read(m.Load(l, Access{Order: o, Scope: s})) }
}

func st(l Location, v uint64, o Order, s Scope) thread {
	return func(m Memory, _ func(uint64)) { m.Store(l, v, Access{Order: o, Scope: s}) }
}

func fence(o Order, s Scope) thread {
	return func(m Memory, _ func(uint64)) { m.Fence(Access{Order: o, Scope: s}) }
}

func add(l Location, o Order, s Scope) thread {
	return func(m Memory, read func(uint64)) { read(m.FetchAdd(l, 1, Access{Order: o, Scope: s})) }
}

func cas(l Location, old, new uint64, o Order, s Scope) thread {
	return func(m Memory, read func(uint64)) {
		_, ok := m.CompareAndSwap(l, old, new, Access{Order: o, Scope: s})
		read(map[bool]uint64{true: 1}[ok])
	}
}

func seq(all ...thread) thread {
	return func(m Memory, read func(uint64)) {
		for _, t := range all {
			t(m, read)
		}
	}
}

// The shapes of the literature, with the outcome that a sequentially consistent
// memory never has. Why each is allowed or forbidden stands beside it.
func TestWeakShapes(t *testing.T) {
	mp := func(w Order, ws Scope, fw Order, fws Scope, r Order, rs Scope, fr Order, frs Scope) []thread {
		return []thread{
			seq(st(x, 1, Weak, GPU), fence(fw, fws), st(y, 1, w, ws)),
			seq(ld(y, r, rs), fence(fr, frs), ld(x, Weak, GPU)),
		}
	}
	sb := func(f Order, s Scope) []thread {
		return []thread{
			seq(st(x, 1, Relaxed, GPU), fence(f, s), ld(y, Relaxed, GPU)),
			seq(st(y, 1, Relaxed, GPU), fence(f, s), ld(x, Relaxed, GPU)),
		}
	}
	iriw := func(f Order) []thread {
		return []thread{
			st(x, 1, Relaxed, GPU), st(y, 1, Relaxed, GPU),
			seq(ld(x, Relaxed, GPU), fence(f, GPU), ld(y, Relaxed, GPU)),
			seq(ld(y, Relaxed, GPU), fence(f, GPU), ld(x, Relaxed, GPU)),
		}
	}
	wrc := func(w, r Order) []thread {
		return []thread{
			st(x, 1, Relaxed, GPU),
			seq(ld(x, Relaxed, GPU), fence(w, GPU), st(y, 1, Relaxed, GPU)),
			seq(ld(y, r, GPU), ld(x, Relaxed, GPU)),
		}
	}
	sequence := func(middle thread) []thread {
		return []thread{seq(st(x, 1, Weak, GPU), st(y, 1, Release, GPU)), middle, seq(ld(y, Acquire, GPU), ld(x, Weak, GPU))}
	}
	for _, c := range []struct {
		name, memory string
		run          []thread
		weak         string
		allowed      bool
		why          string
	}{
		{"MP", "ptx", mp(Relaxed, GPU, Weak, GPU, Relaxed, GPU, Weak, GPU), "[[] [1 0]]", true, "nothing synchronizes"},
		{"MP release acquire", "ptx", mp(Release, GPU, Weak, GPU, Acquire, GPU, Weak, GPU), "[[] [1 0]]", false, "the read of y synchronizes, so x is known"},
		{"MP release", "ptx", mp(Release, GPU, Weak, GPU, Relaxed, GPU, Weak, GPU), "[[] [1 0]]", true, "no acquire pattern"},
		{"MP acquire", "ptx", mp(Relaxed, GPU, Weak, GPU, Acquire, GPU, Weak, GPU), "[[] [1 0]]", true, "no release pattern"},
		{"MP fences", "ptx", mp(Relaxed, GPU, AcqRel, GPU, Relaxed, GPU, AcqRel, GPU), "[[] [1 0]]", false, "fences make the patterns"},
		{"MP fences, weak write", "ptx", mp(Weak, GPU, AcqRel, GPU, Relaxed, GPU, AcqRel, GPU), "[[] [1 0]]", true, "a weak write ends no release pattern"},
		{"MP fences, weak read", "ptx", mp(Relaxed, GPU, AcqRel, GPU, Weak, GPU, AcqRel, GPU), "[[] [1 0]]", true, "a weak read begins no acquire pattern"},
		{"MP block fences apart", "ptx", mp(Relaxed, GPU, AcqRel, Block, Relaxed, GPU, AcqRel, GPU), "[[] [1 0]]", true, "the fence does not reach the other block"},
		{"MP block fences together", "ptx:place=block", mp(Relaxed, Block, AcqRel, Block, Relaxed, Block, AcqRel, Block), "[[] [1 0]]", false, "the scope includes both"},
		{"MP gpu scope across systems", "ptx:place=system", mp(Release, GPU, Weak, GPU, Acquire, GPU, Weak, GPU), "[[] [1 0]]", true, "on another GPU"},
		{"MP system scope", "ptx:place=system", mp(Release, System, Weak, GPU, Acquire, System, Weak, GPU), "[[] [1 0]]", false, "the scope includes both"},
		{"MP block apart, flag of block scope", "ptx:place=cluster", mp(Release, Block, Weak, GPU, Acquire, GPU, Weak, GPU), "[[] [1 0]]", true, "the write's scope does not include the reader"},
		{"MP cluster", "ptx:place=cluster", mp(Release, Cluster, Weak, GPU, Acquire, Cluster, Weak, GPU), "[[] [1 0]]", false, "one cluster"},
		{"SB", "ptx", sb(Weak, GPU), "[[0] [0]]", true, "stores are delayed"},
		{"SB acq_rel", "ptx", sb(AcqRel, GPU), "[[0] [0]]", true, "nobody sees anything of the other"},
		{"SB sc", "ptx", sb(SC, GPU), "[[0] [0]]", false, "one fence comes first, and synchronizes"},
		{"SB sc of block scope", "ptx", sb(SC, Block), "[[0] [0]]", true, "the fences are not ordered"},
		{"CoRR", "ptx", []thread{st(x, 1, Relaxed, GPU), seq(ld(x, Relaxed, GPU), ld(x, Relaxed, GPU))}, "[[] [1 0]]", false, "coherence"},
		{"CoRR weak", "ptx", []thread{st(x, 1, Weak, GPU), seq(ld(x, Weak, GPU), ld(x, Weak, GPU))}, "[[] [1 0]]", true, "a race: not morally strong"},
		{"CoWR", "ptx", []thread{st(x, 1, Relaxed, GPU), seq(st(x, 2, Relaxed, GPU), ld(x, Relaxed, GPU), ld(x, Relaxed, GPU))}, "[[] [1 2]]", false, "2 would be before 1 and after it"},
		{"CoRW2", "ptx", []thread{seq(ld(x, Relaxed, GPU), st(x, 1, Relaxed, GPU)), seq(st(x, 2, Relaxed, GPU), ld(x, Relaxed, GPU))}, "[[2] [1]] [1", true, "2, then 1"},
		{"2+2W", "ptx", []thread{seq(st(x, 1, Relaxed, GPU), st(y, 2, Relaxed, GPU)), seq(st(y, 1, Relaxed, GPU), st(x, 2, Relaxed, GPU))}, "[[] []] [1 1", true, "coherence is per location"},
		{"2+2W sc", "ptx", []thread{seq(st(x, 1, Relaxed, GPU), fence(SC, GPU), st(y, 2, Relaxed, GPU)), seq(st(y, 1, Relaxed, GPU), fence(SC, GPU), st(x, 2, Relaxed, GPU))}, "[[] []] [1 1", false, "causality orders the writes of one location"},
		{"IRIW", "ptx", iriw(Weak), "[[] [] [1 0] [1 0]]", true, "writes need not be seen in one order"},
		{"IRIW acq_rel", "ptx", iriw(AcqRel), "[[] [] [1 0] [1 0]]", true, "nor with acquire patterns: the writes release nothing"},
		{"IRIW sc", "ptx", iriw(SC), "[[] [] [1 0] [1 0]]", false, "what was observed before the first fence is known behind the second"},
		{"WRC", "ptx", wrc(AcqRel, Acquire), "[[] [1] [1 0]]", false, "observation continues into causality"},
		{"WRC relaxed", "ptx", wrc(Weak, Acquire), "[[] [1] [1 0]]", true, "nothing is released"},
		{"R", "ptx", []thread{seq(st(x, 1, Relaxed, GPU), fence(SC, GPU), st(y, 1, Relaxed, GPU)), seq(st(y, 2, Relaxed, GPU), fence(SC, GPU), ld(x, Relaxed, GPU))}, "[[] [0]] [1 2", false, "the fences order either the writes of y, or the write of x and its read"},
		{"R acq_rel", "ptx", []thread{seq(st(x, 1, Relaxed, GPU), fence(AcqRel, GPU), st(y, 1, Relaxed, GPU)), seq(st(y, 2, Relaxed, GPU), fence(AcqRel, GPU), ld(x, Relaxed, GPU))}, "[[] [0]] [1 2", true, "no pattern is complete"},
		{"S", "ptx", []thread{seq(st(x, 2, Relaxed, GPU), st(y, 1, Release, GPU)), seq(ld(y, Acquire, GPU), st(x, 1, Relaxed, GPU))}, "[[] [1]] [2", false, "causality orders the writes of x"},
		{"S relaxed", "ptx", []thread{seq(st(x, 2, Relaxed, GPU), st(y, 1, Relaxed, GPU)), seq(ld(y, Relaxed, GPU), st(x, 1, Relaxed, GPU))}, "[[] [1]] [2", true, "nothing orders them"},
		{"release sequence", "ptx", sequence(add(y, Relaxed, GPU)), "[[] [1] [2 0]]", false, "observation goes through atomics"},
		{"no release sequence", "ptx", sequence(seq(ld(y, Relaxed, GPU), st(y, 2, Relaxed, GPU))), "[[] [1] [2 0]]", true, "but not through other writes"},
		{"atomics", "ptx", []thread{add(x, Relaxed, GPU), add(x, Relaxed, GPU)}, "[[0] [0]]", false, "atomicity"},
		{"atomics of block scope", "ptx", []thread{add(x, Relaxed, Block), add(x, Relaxed, Block)}, "[[0] [0]]", true, "atomic only among those in scope"},
		{"two swaps", "ptx", []thread{cas(x, 0, 1, Relaxed, GPU), cas(x, 0, 2, Relaxed, GPU)}, "[[1] [1]]", false, "atomicity"},
		{"swap between read and write", "ptx", []thread{cas(x, 0, 1, Relaxed, GPU), st(x, 2, Relaxed, GPU), seq(ld(x, Relaxed, GPU), ld(x, Relaxed, GPU), ld(x, Relaxed, GPU))}, "[[1] [] [2 1", false, "the store cannot come between, nor before a swap that read 0"},
		{"store sc is a fence and a release", "ptx", []thread{seq(st(x, 1, SC, GPU), ld(y, SC, GPU)), seq(st(y, 1, SC, GPU), ld(x, SC, GPU))}, "[[0] [0]]", false, "as compilers map it"},
		{"release store, then relaxed", "ptx", []thread{seq(st(x, 1, Weak, GPU), st(y, 1, Release, GPU), st(y, 2, Relaxed, GPU)), seq(ld(y, Acquire, GPU), ld(x, Weak, GPU))}, "[[] [2 0]]", false, "a later strong write to the location completes the pattern"},
		{"read, then acquire", "ptx", []thread{seq(st(x, 1, Weak, GPU), st(y, 1, Release, GPU)), seq(ld(y, Relaxed, GPU), ld(y, Acquire, GPU), ld(x, Weak, GPU))}, "[[] [1 1 0]]", false, "the strong read begins the pattern"},
		{"read, then acquire elsewhere", "ptx", []thread{seq(st(x, 1, Weak, GPU), st(y, 1, Release, GPU)), seq(ld(y, Relaxed, GPU), ld(z, Acquire, GPU), ld(x, Weak, GPU))}, "[[] [1 0 0]]", true, "an acquire of another location is no part of it"},
	} {
		all := outcomes(t, c.memory, c.run...)
		assert.Equal(t, c.allowed, reaches(all, c.weak), "%s: %s: %s", c.name, c.why, keys(all))
	}
}

func keys(all map[string]bool) []string {
	var list []string
	for k := range all {
		list = append(list, k)
	}
	slices.Sort(list)
	return list
}

// What a sequentially consistent memory does, a weak one can do.
func TestWeakContainsSC(t *testing.T) {
	for _, run := range [][]thread{
		{seq(st(x, 1, Relaxed, GPU), ld(y, Relaxed, GPU)), seq(st(y, 1, Relaxed, GPU), ld(x, Relaxed, GPU))},
		{seq(st(x, 1, SC, GPU), ld(y, SC, GPU)), seq(st(y, 1, SC, GPU), ld(x, SC, GPU))},
		{seq(add(x, AcqRel, GPU), add(y, AcqRel, GPU)), seq(add(y, AcqRel, GPU), add(x, AcqRel, GPU))},
		{seq(cas(x, 0, 1, Relaxed, GPU), cas(x, 1, 2, Relaxed, GPU)), seq(cas(x, 0, 3, Relaxed, GPU), ld(x, Weak, GPU))},
	} {
		weak := outcomes(t, "ptx", run...)
		for o := range outcomes(t, "sc", run...) {
			assert.True(t, weak[o], "%s is missing in %s", o, keys(weak))
		}
	}
}
