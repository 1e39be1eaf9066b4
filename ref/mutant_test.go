package ref

import (
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What an access does is read off its name; the accesses that are really made
// agree with it.
func TestKindsOfSites(t *testing.T) {
	for spec, program := range map[string]string{
		"abp":                     "0: push push push pop push pop pop pop\n1: steal steal\n2: steal steal",
		"abp:variant=release2011": "0: push push push pop push pop pop pop\n1: steal steal\n2: steal steal",
		"tz:capacity=3":           "0: [enq deq]*10\n1: [enq deq]*10\n2: enq enq deq deq",
		"the":                     "0: push[8,16) pop(3) pop(3) pop(3) pop(3) push[4,8)\n1: steal(2) steal(2)",
		"blocking":                "0: enq deq enq deq\n1: deq enq",
		"static":                  "0: put put | take take | take\n1: put | take | take",
		"list":                    "0: push[4,8) pop(3)\n1: pop(2)",
	} {
		setup := mustSetup(t, spec, program)
		sim := NewSim(setup)
		sim.Tracing = true
		for _, scheduler := range []Scheduler{alternate{}, &inTurns{}} {
			for _, ev := range sim.Run(scheduler).Trace {
				name := setup.Config.Design.Sites[ev.Access.Site]
				assert.Contains(t, siteKinds(name), ev.Kind, "%s: %s", spec, name)
			}
		}
		sim.Close()
	}
}

// inTurns gives every process three accesses at a time.
type inTurns struct {
	Newest
	n int
}

func (s *inTurns) Next(v *View) int {
	s.n++
	return v.Enabled[s.n/3%len(v.Enabled)]
}

// The names of mutants are words, each of one mutant, and can be read back.
func TestNamesOfMutants(t *testing.T) {
	for _, d := range Designs() {
		var names []string
		for _, m := range d.Mutants() {
			assert.NotContains(t, names, m.String())
			names = append(names, m.String())
			again, err := d.findMutant(m.String())
			require.NoError(t, err)
			assert.Equal(t, m, again)
			mustSubject(t, d.Name+":mutant="+m.String())
		}
		assert.GreaterOrEqual(t, len(names), 4*len(d.Sites))
	}
	_, err := abpDesign.findMutant("steal-swap-head.vanish")
	assert.EqualError(t, err, `mutant "steal-swap-head.vanish": expected steal-swap-head. and one of drop, twice, plus-one, minus-one, uncounted, blind, never, split, weaker, weakest, narrower`)
	_, err = abpDesign.findMutant("drop")
	assert.ErrorContains(t, err, `mutant "drop": expected an access and what becomes of it, as in push-read-tail.drop; the accesses are push-read-tail, push-write-task,`)
}

// accessLog is a memory that notes what is done to it.
type accessLog struct {
	hostMemory
	log []string
}

func (l *accessLog) Load(at Location, a Access) uint64 {
	l.log = append(l.log, "load")
	return l.hostMemory.Load(at, a)
}

func (l *accessLog) Store(at Location, v uint64, a Access) {
	l.log = append(l.log, "store")
	l.hostMemory.Store(at, v, a)
}

func (l *accessLog) CompareAndSwap(at Location, old, new uint64, a Access) (uint64, bool) {
	l.log = append(l.log, "cas")
	return l.hostMemory.CompareAndSwap(at, old, new, a)
}

func (l *accessLog) FetchAdd(at Location, delta uint64, a Access) uint64 {
	l.log = append(l.log, "add")
	return l.hostMemory.FetchAdd(at, delta, a)
}

func (l *accessLog) Modify(at Location, operand uint64, change Change, a Access) uint64 {
	l.log = append(l.log, fmt.Sprint("modify ", operand))
	return l.hostMemory.Modify(at, operand, change, a)
}

func (l *accessLog) Fence(a Access) {
	l.log = append(l.log, "fence "+a.Order.String()+" "+a.Scope.String())
}

// Every operator does what it says to the accesses of its site, and nothing to
// those of other sites.
func TestOperators(t *testing.T) {
	const first, second = Location(0), Location(1) // they hold 5 and 6
	changed := Access{Order: SC, Scope: GPU, Site: 7}
	other := Access{Order: SC, Scope: GPU, Site: 8}
	tests := []struct {
		op   string
		do   func(m *patchMemory) []uint64
		gave []uint64
		log  []string
		left []uint64
	}{
		{"drop", func(m *patchMemory) []uint64 { return []uint64{m.Load(first, changed)} }, []uint64{0}, nil, []uint64{5, 6}},
		{"drop", func(m *patchMemory) []uint64 { m.Store(first, 9, changed); return nil }, nil, nil, []uint64{5, 6}},
		{"drop", swaps(first, 4, 9, changed), []uint64{4, 1}, nil, []uint64{5, 6}},
		{"drop", func(m *patchMemory) []uint64 { return []uint64{m.FetchAdd(first, 2, changed)} }, []uint64{0}, nil, []uint64{5, 6}},
		{"reuse", func(m *patchMemory) []uint64 { return []uint64{m.Load(first, changed), m.Load(first, changed)} }, []uint64{5, 5}, []string{"load"}, []uint64{5, 6}},
		{"reuse", func(m *patchMemory) []uint64 {
			m.Store(first, 9, other)
			m.Memory.(*accessLog).words[first] = 10 // somebody else
			return []uint64{m.Load(first, changed), m.Load(first, other)}
		}, []uint64{9, 10}, []string{"store", "load"}, []uint64{10, 6}},
		{"twice", func(m *patchMemory) []uint64 { return []uint64{m.Load(first, changed)} }, []uint64{5}, []string{"load", "load"}, []uint64{5, 6}},
		{"twice", func(m *patchMemory) []uint64 { m.Store(first, 9, changed); return nil }, nil, []string{"store", "store"}, []uint64{9, 6}},
		{"twice", swaps(first, 5, 9, changed), []uint64{9, 0}, []string{"cas", "cas"}, []uint64{9, 6}},
		{"twice", func(m *patchMemory) []uint64 { return []uint64{m.FetchAdd(first, 2, changed)} }, []uint64{7}, []string{"add", "add"}, []uint64{9, 6}},
		{"plus-one", func(m *patchMemory) []uint64 { return []uint64{m.Load(first, changed), m.Load(first, other)} }, []uint64{6, 5}, []string{"load", "load"}, []uint64{5, 6}},
		{"minus-one", func(m *patchMemory) []uint64 { m.Store(first, 9, changed); return nil }, nil, []string{"store"}, []uint64{8, 6}},
		{"minus-one", swaps(first, 5, 9, changed), []uint64{5, 1}, []string{"cas"}, []uint64{8, 6}},
		{"minus-one", func(m *patchMemory) []uint64 { return []uint64{m.FetchAdd(first, 1, changed)} }, []uint64{5}, []string{"add"}, []uint64{5, 6}},
		{"uncounted", func(m *patchMemory) []uint64 { m.Store(first, 1<<16|3, changed); return nil }, nil, []string{"store"}, []uint64{3, 6}},
		{"drop", modifies(first, Exchange, 9, changed), []uint64{0}, nil, []uint64{5, 6}},
		{"twice", modifies(first, Xor, 1, changed), []uint64{4}, []string{"modify 1", "modify 1"}, []uint64{5, 6}},
		{"plus-one", modifies(first, Exchange, 9, changed), []uint64{5}, []string{"modify 10"}, []uint64{10, 6}},
		{"minus-one", modifies(first, Max, 9, changed), []uint64{5}, []string{"modify 8"}, []uint64{8, 6}},
		{"split", modifies(first, And, 4, changed), []uint64{5}, []string{"load", "store"}, []uint64{4, 6}},
		{"late", func(m *patchMemory) []uint64 { m.Store(first, 9, changed); return []uint64{m.Load(second, other)} }, []uint64{6}, []string{"load", "store"}, []uint64{9, 6}},
		{"late", func(m *patchMemory) []uint64 { m.Store(first, 9, changed); return []uint64{m.Load(first, other)} }, []uint64{9}, []string{"store", "load"}, []uint64{9, 6}},
		{"blind", swaps(first, 4, 9, changed), []uint64{4, 1}, []string{"store"}, []uint64{9, 6}},
		{"never", swaps(first, 5, 9, changed), []uint64{^uint64(5), 0}, nil, []uint64{5, 6}},
		{"split", swaps(first, 5, 9, changed), []uint64{5, 1}, []string{"load", "store"}, []uint64{9, 6}},
		{"split", swaps(first, 4, 9, changed), []uint64{5, 0}, []string{"load"}, []uint64{5, 6}},
		{"split", func(m *patchMemory) []uint64 { return []uint64{m.FetchAdd(first, 2, changed)} }, []uint64{5}, []string{"load", "store"}, []uint64{7, 6}},
		{"weaker", func(m *patchMemory) []uint64 { m.Fence(changed); m.Fence(other); return nil }, nil, []string{"fence acq_rel gpu", "fence sc gpu"}, []uint64{5, 6}},
		{"weakest", func(m *patchMemory) []uint64 { m.Fence(changed); return nil }, nil, []string{"fence weak gpu"}, []uint64{5, 6}},
		{"narrower", func(m *patchMemory) []uint64 { m.Fence(changed); return nil }, nil, []string{"fence sc cta"}, []uint64{5, 6}},
	}
	var covered []string
	for _, test := range tests {
		covered = append(covered, test.op)
		log := &accessLog{hostMemory: hostMemory{words: []uint64{5, 6}}}
		m := memoryOf(log, test.op)
		assert.Equal(t, test.gave, test.do(m), test.op)
		m.flush()
		assert.Equal(t, test.log, log.log, test.op)
		assert.Equal(t, test.left, log.words, test.op)
	}
	for _, op := range Operators {
		assert.Contains(t, covered, op.Name)
	}
}

// memoryOf is a memory that changes the accesses of site 7.
func memoryOf(m Memory, operator string) *patchMemory {
	i := slices.IndexFunc(Operators, func(o Operator) bool { return o.Name == operator })
	d := &Design{Sites: []string{7: "site"}}
	c := Mutant{Site: 7, Operator: &Operators[i], design: d}.patch()[0]
	e := edit{change: c, site: 7, mask: unbounded, counter: 1 << 16}
	return &patchMemory{Memory: m, applied: &applied{edits: []edit{e}, reuses: operator == "reuse", noticed: new(atomic.Bool)}}
}

func modifies(l Location, change Change, operand uint64, a Access) func(m *patchMemory) []uint64 {
	return func(m *patchMemory) []uint64 { return []uint64{m.Modify(l, operand, change, a)} }
}

func swaps(l Location, old, new uint64, a Access) func(m *patchMemory) []uint64 {
	return func(m *patchMemory) []uint64 {
		seen, swapped := m.CompareAndSwap(l, old, new, a)
		if swapped {
			return []uint64{seen, 1}
		}
		return []uint64{seen, 0}
	}
}

// Orders become weaker step by step, and end.
func TestWeakerOrders(t *testing.T) {
	for kind, want := range map[AccessKind][]Order{
		Load:           {SC, Acquire, Relaxed, Weak},
		Store:          {SC, Release, Relaxed, Weak},
		CompareAndSwap: {SC, AcqRel, Relaxed},
		FetchAdd:       {SC, AcqRel, Relaxed},
		Fence:          {SC, AcqRel, Weak},
	} {
		chain := []Order{SC}
		for !slices.Contains(chain, weaker(kind, chain[len(chain)-1])) {
			chain = append(chain, weaker(kind, chain[len(chain)-1]))
		}
		assert.Equal(t, want, chain, "%s", kind)
	}
}

// A mutant whose site is not reached, or has nothing to change, says so.
func TestMutatedOnlyWhereItMadeADifference(t *testing.T) {
	for _, c := range []struct {
		spec, program string
		want          bool
	}{
		{"abp:mutant=push-write-tail.drop", "0: push", true},
		{"abp:mutant=pop-write-tail.drop", "0: push", false},
		{"abp:mutant=push-read-tail.reuse", "0: push push", false},
		{"abp:mutant=push-write-tail.late", "0: push", false},
		{"abp:mutant=push-write-task.late", "0: push", true},
		{"abp:mutant=push-write-task.weakest", "0: push", false},
		{"abp:mutant=push-write-task.weaker", "0: push", true},
		{"static:mutant=host.drop", "0: put |", true},
	} {
		setup := mustSetup(t, c.spec, c.program)
		sim := NewSim(setup)
		sim.Run(alternate{})
		sim.Close()
		assert.Equal(t, c.want, setup.Mutated(), c.spec)
	}
}

// An operation that loops without an access would never give up its turn.
func TestAMutantWithoutAccessesIsAFault(t *testing.T) {
	e := simulate(t, "blocking:mutant=lock.never", "0: enq")
	assert.Equal(t, Faulted, e.Ending)
	assert.Equal(t, "the operation goes round a loop without an access, for ever", e.Fault)
}
