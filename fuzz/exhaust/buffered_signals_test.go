package exhaust

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/fuzz/internal/given"
	"stealproof/model"
	"stealproof/ref"
	"stealproof/ref/axioms"
	"stealproof/ref/litmus"
)

// A signal is a store, and a wait a load with a branch on what it reads. So the threads of
// a random litmus test of which one gives a signal on its way, and another waits for it,
// are run in two ways: written out, by the axioms, and as two operations each, with the
// signal or the wait between, by the search.
func TestBufferingWithSignals(t *testing.T) {
	programs := given.Amount(testing.Short(), 8, 30, 120)
	random := rand.New(rand.NewPCG(11, 13))
	compared, with := 0, 0
	for compared < programs {
		test, err := litmus.Parse("test", randomBuffering(random))
		require.NoError(t, err)
		s := newSignalled(test, random)
		if s == nil {
			continue
		}
		compared++
		all, buffered := s.allowed(t)
		require.Equal(t, all, s.searched(t, false), "%s", s.describe())
		found := s.searched(t, true) // dependencies that make no difference are not found
		for outcome := range all {
			require.True(t, found[outcome], "%s\n%s", outcome, s.describe())
		}
		if buffered {
			with++
		}
	}
	t.Logf("%d programs, %d of them with load buffering", compared, with)
	assert.Positive(t, with)
}

// signalled is a litmus test of which a thread gives a signal, and another waits for it.
type signalled struct {
	*litmus.Test
	cut       []int // of each thread, where its second operation begins
	sync      []model.Call
	syncs     []ref.Access
	locations []ref.Location
	registers [][]int64
	taints    []*taint
	mute      bool
}

// newSignalled is nil if some thread jumps over the place.
func newSignalled(test *litmus.Test, random *rand.Rand) *signalled {
	s := &signalled{Test: test, cut: make([]int, len(test.Threads)), sync: make([]model.Call, len(test.Threads)), syncs: make([]ref.Access, len(test.Threads))}
	giver := random.IntN(2)
	for p, op := range []model.Op{model.Signal, model.Wait} {
		if giver == 1 {
			p = 1 - p
		}
		code := test.Threads[p].Code
		s.cut[p] = random.IntN(len(code) + 1)
		for i := range code {
			if (code[i].Op == litmus.Branch || code[i].Op == litmus.Goto) && i < s.cut[p] && code[i].Target > s.cut[p] {
				return nil
			}
		}
		s.sync[p] = model.SyncCall(op, "a")
		a := ref.Access{Order: ref.Release, Scope: ref.Block + ref.Scope(2*random.IntN(2)+random.IntN(2))}
		if op == model.Wait {
			a.Order = ref.Acquire
		}
		if random.IntN(3) > 0 {
			a.Order, s.sync[p].Sync.Order = ref.Relaxed, "relaxed"
		}
		s.sync[p].Sync.Scope = []string{"cta", "cluster", "gpu", "sys"}[a.Scope-ref.Block]
		s.syncs[p] = a
	}
	return s
}

func (s *signalled) describe() string { return fmt.Sprintf("%+v\n%v %v", s.Threads, s.cut, s.sync) }

// writtenOut is the test in which signal and wait are accesses and a branch.
func (s *signalled) writtenOut() *litmus.Test {
	w := *s.Test
	w.Locations, w.Initial = append(slices.Clone(w.Locations), "signal"), append(slices.Clone(w.Initial), 0)
	w.Threads = slices.Clone(w.Threads)
	for p := range s.Threads {
		if s.sync[p].Op != model.Signal && s.sync[p].Op != model.Wait {
			continue
		}
		th := &w.Threads[p]
		order, scope := axioms.Order(s.syncs[p].Order), axioms.Scope(s.syncs[p].Scope-ref.Block)
		put := []litmus.Instruction{{Op: litmus.Store, Order: order, Scope: scope, Location: len(s.Locations), A: litmus.Operand{Constant: 1}, Register: litmus.NoRegister}}
		if s.sync[p].Op == model.Wait {
			register := len(th.Registers)
			th.Registers, th.Initial = append(slices.Clone(th.Registers), "signal"), append(slices.Clone(th.Initial), 0)
			put = []litmus.Instruction{
				{Op: litmus.Load, Order: order, Scope: scope, Location: len(s.Locations), Register: register},
				{Op: litmus.Branch, Comparison: litmus.NotEqual, A: litmus.Operand{IsRegister: true, Register: register}, B: litmus.Operand{Constant: 1}, Target: len(th.Code) + 2, Register: litmus.NoRegister},
			}
		}
		code := slices.Clone(th.Code)
		for i := range code {
			if code[i].Target > s.cut[p] || code[i].Target == s.cut[p] && i >= s.cut[p] {
				code[i].Target += len(put)
			}
		}
		th.Code = slices.Insert(code, s.cut[p], put...)
	}
	return &w
}

// allowed are the outcomes in which the wait has read the signal, as the axioms have it.
func (s *signalled) allowed(t *testing.T) (all map[string]bool, with bool) {
	all = map[string]bool{}
	_, err := litmus.Each(context.Background(), s.writtenOut(), litmus.Options{Model: axioms.PTX}, func(e *litmus.Execution) bool {
		registers := make([][]int64, len(s.Threads))
		for p, th := range s.Threads {
			for r := range th.Registers {
				registers[p] = append(registers[p], e.Register(p, r).Number)
			}
			if s.sync[p].Op == model.Wait && e.Register(p, len(th.Registers)).Number != 1 {
				return true
			}
		}
		all[fmt.Sprint(registers)] = true
		with = with || buffered(e.Graph, false)
		return true
	})
	require.NoError(t, err)
	return all, with
}

// searched are the outcomes that the search makes.
func (s *signalled) searched(t *testing.T, mute bool) map[string]bool {
	s.registers, s.taints, s.locations, s.mute = make([][]int64, len(s.Threads)), make([]*taint, len(s.Threads)), nil, mute
	threads := ref.Foreign{Name: "litmus", Kind: model.Bag, Build: func(space *ref.Space, _ int) ref.Structure {
		s.locations = nil
		for l, name := range s.Locations {
			s.locations = append(s.locations, space.Word(name, uint64(s.Initial[l])))
		}
		return s
	}}
	var program model.Program
	place := ""
	for p, th := range s.Threads {
		place += fmt.Sprintf("+%d.%d.%d", th.Place.GPU, th.Place.Cluster, th.Place.CTA)
		calls := []model.Call{{Op: model.Put, Value: uint64(2*p) + 1}, s.sync[p], {Op: model.Put, Value: uint64(2*p) + 2}}
		if s.syncs[p] == (ref.Access{}) {
			calls = slices.Delete(calls, 1, 2)
		}
		program.Processes = append(program.Processes, model.Calls(calls...))
	}
	subject, err := threads.Subject(model.Spec{Structure: ref.MemoryPTX, Settings: model.Settings{"place": place[1:], "buffering": "yes"}})
	require.NoError(t, err)
	outcomes := map[string]bool{}
	x := &Search{Subject: subject, Programs: []model.Program{program}, Unjudged: true, Each: func(e *ref.Execution) {
		require.Equal(t, ref.Complete, e.Ending, e.Fault)
		outcomes[fmt.Sprint(s.registers)] = true
	}}
	r, err := x.Run(t.Context())
	require.NoError(t, err)
	require.True(t, r.Complete)
	require.Equal(t, model.Linearizable, r.Verdict)
	return outcomes
}

// Do carries out a thread up to where it gives its signal, or waits, or from there on.
func (s *signalled) Do(m ref.Memory, o *model.Operation) {
	p := o.Process
	th := s.Threads[p]
	half := &litmusThreads{test: &litmus.Test{Threads: slices.Clone(s.Threads)}, locations: s.locations, registers: s.registers, mute: s.mute}
	first := o.Value%2 == 1
	if first {
		s.taints[p] = &taint{registers: make([]ref.Reads, len(th.Registers))}
		th.Code = th.Code[:s.cut[p]]
	} else {
		th.Initial = slices.Clone(s.registers[p])
		th.Code = slices.Clone(th.Code[s.cut[p]:])
		for i := range th.Code {
			th.Code[i].Target -= s.cut[p]
		}
	}
	half.test.Threads[p], half.taint = th, s.taints[p]
	half.Do(m, o)
}
