package exhaust

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/fuzz/exhaust/internal/graph"
	"stealproof/fuzz/internal/given"
	"stealproof/model"
	"stealproof/ref"
)

// scripted is a queue whose operations are lists of accesses for each lane: what comes
// of a removal is what its first lane read last.
type scripted struct {
	words  ref.Array
	lanes  int
	enq    [][]act
	deq    [][]act
	fences bool // meetings are fences on the weak memory
}

// act is an access to a word, or a meeting.
type act struct {
	what string // load, store, add, meet, gather
	word uint64
}

func (q *scripted) Do(ref.Memory, *model.Operation) { panic("by one lane") }

func (q *scripted) Together(o *model.Operation) ref.Crew {
	if o.Result = model.OK; o.Op == model.Deq {
		o.Result = model.Empty
	}
	return &scriptedCrew{queue: q, operation: o}
}

type scriptedCrew struct {
	queue     *scripted
	operation *model.Operation
	waiting   uint64
}

func (c *scriptedCrew) Lane(m ref.Lane, lane int) {
	q, o := c.queue, c.operation
	script := q.enq
	if o.Op == model.Deq {
		script = q.deq
	}
	value := uint64(1)
	if o.Op == model.Enq {
		value = o.Value
	}
	relaxed := ref.Access{Order: ref.Relaxed, Scope: ref.GPU}
	for _, a := range script[lane] {
		at := q.words.At(a.word)
		switch a.what {
		case "load":
			if v := m.Load(at, ref.Access{Order: ref.Acquire, Scope: ref.GPU}); o.Op == model.Deq && lane == 0 && v > 0 {
				o.Result, o.Value = model.OK, v
			}
		case "store":
			m.Store(at, value, ref.Access{Order: ref.Release, Scope: ref.GPU})
		case "weak":
			m.Store(at, value, ref.Access{})
		case "add":
			m.FetchAdd(at, 1, relaxed)
		case "gather":
			m.Gather()
		case "meet":
			if c.waiting |= 1 << lane; c.waiting == 1<<q.lanes-1 {
				others := c.waiting &^ (1 << lane)
				c.waiting = 0
				m.Wake(others, q.fences)
			} else {
				m.Wait()
			}
		}
	}
}

// randomScript has as many meetings in each lane.
func randomScript(random *rand.Rand, lanes, accesses int) [][]act {
	script := make([][]act, lanes)
	meetings := random.IntN(3)
	for lane := range script {
		left := accesses
		if lane > 0 {
			left = random.IntN(accesses + 1)
		}
		for m := range meetings + 1 {
			n := random.IntN(left + 1)
			if m == meetings {
				n = left
			}
			left -= n
			for range n {
				script[lane] = append(script[lane], act{[]string{"load", "store", "add", "load", "weak"}[random.IntN(5)], random.Uint64N(2)})
			}
			if m < meetings {
				script[lane] = append(script[lane], act{what: []string{"meet", "gather"}[min(1, random.IntN(8))^1]})
			}
			if last := len(script[lane]) - 1; m < meetings && script[lane][last].what == "gather" {
				script[lane] = append(script[lane], act{what: "meet"})
			}
		}
	}
	return script
}

func scriptedSubject(t *testing.T, random *rand.Rand, lanes int, memory string) ref.Subject {
	t.Helper()
	return subjectOf(t, &scripted{lanes: lanes, enq: randomScript(random, lanes, 2), deq: randomScript(random, lanes, 2), fences: random.IntN(4) > 0}, memory)
}

func subjectOf(t *testing.T, q *scripted, memory string) ref.Subject {
	t.Helper()
	f := ref.Foreign{Name: "scripted", Kind: model.FIFO, Lanes: q.lanes, Build: func(s *ref.Space, _ int) ref.Structure {
		mine := *q
		mine.words = s.Array("words", 2, 0)
		return &mine
	}}
	s, err := f.Subject(given.Spec(t, memory))
	require.NoError(t, err)
	return s
}

// Operations that lanes carry out together: the reduced search finds a violation where
// some interleaving of all lanes has one, and no history less.
func TestReductionLosesNoHistoryOfLanes(t *testing.T) {
	count := 80
	if testing.Short() {
		count = 25
	}
	random := rand.New(rand.NewPCG(1, 2))
	same, wrong, compared := 0, 0, 0
	for range count {
		s := scriptedSubject(t, random, 2, "sc")
		for _, text := range []string{"0: enq\n1: deq", "0: enq enq\n1:", "0: enq\n1: enq", "0: enq deq\n1:", "0: enq signal:a\n1: wait:a deq", "0: wait:a deq\n1: enq signal:a"} {
			p, err := s.ParseProgram(text)
			require.NoError(t, err)
			setup, err := s.Prepare(p)
			require.NoError(t, err)
			all := map[HistoryKey]bool{}
			fails := false
			sim := ref.NewSim(setup)
			n := 0
			for w := (&every{patience: 1000}); n < 20_000; n++ {
				e := sim.Run(w)
				require.Equal(t, ref.Complete, e.Ending, e.Fault)
				all[keyOf(e.History)] = true
				fails = fails || !holds(e)
				if !w.advance() {
					break
				}
			}
			sim.Close()
			if n == 20_000 {
				continue
			}
			compared++
			keys, _, _ := histories(setup, n%3)
			for k := range all {
				require.True(t, keys[k], "a history is missing")
			}
			if len(keys) == len(all) {
				same++
			}
			r, err := (&Search{Subject: s, Programs: []model.Program{p}, Jobs: 1}).Run(context.Background())
			require.NoError(t, err)
			if !fails && r.Verdict == model.Violation {
				t.Log(r.Failure.Finding.Verdict, r.Failure.Finding.Explanation, r.Failure.History.Ops)
			}
			require.Equal(t, fails, r.Verdict == model.Violation, "%s", text)
			if fails {
				wrong++
				f := r.Failure
				require.NotNil(t, f)
				assert.Equal(t, model.Violation, f.Finding.Verdict, "what is shown fails indeed")
			}
		}
	}
	t.Logf("%d programs compared, %d with exactly the same histories, %d with violations", compared, same, wrong)
	assert.Positive(t, wrong)
	assert.Greater(t, compared, count)
}

func holds(e *ref.Execution) bool {
	w := witnesses{}
	w.begin(ResultsKey(e.History), e.History)
	return w.holds(e.History)
}

// The same on the weak memory: by graphs, and one by one.
func TestWeakSearchLosesNoHistoryOfLanes(t *testing.T) {
	count := given.Amount(testing.Short(), 4, 8, 8)
	random := rand.New(rand.NewPCG(3, 4))
	compared, several, fits, ones := 0, 0, 0, 0
	for i := range count {
		s := scriptedSubject(t, random, 2, "ptx")
		if i == 0 { // an access of one lane, without which the other one does not go on
			meet, load, store := act{what: "meet"}, act{"load", 0}, act{"store", 0}
			s = subjectOf(t, &scripted{lanes: 2, enq: [][]act{{meet, store}, {{"store", 1}, meet}}, deq: [][]act{{load}, {{"load", 1}}}, fences: true}, "ptx")
		}
		for _, text := range []string{"0: enq\n1: deq", "0: deq\n1: enq", "0: enq\n1: enq", "0: enq deq\n1:", "0: wait:a deq\n1: enq signal:a", "0: enq signal:a\n1: wait:a.relaxed.gpu deq"} {
			p, err := s.ParseProgram(text)
			require.NoError(t, err)
			setup, err := s.Prepare(p)
			require.NoError(t, err)
			all := map[HistoryKey]bool{}
			sim := ref.NewSim(setup)
			n := 0
			for w := (&everyWeak{}); n < 20_000; n++ {
				e := sim.Run(w)
				require.Equal(t, ref.Complete, e.Ending, e.Fault)
				all[weakKeyOf(e.History, e.Precedence())] = true
				if !w.advance() {
					break
				}
			}
			sim.Close()
			if n == 20_000 {
				continue
			}
			compared++
			if len(all) > 1 {
				several++
			}
			graphs, names := map[HistoryKey]bool{}, map[string]int{}
			_, _, fit := everyGraph(t, setup, nil, func(e *ref.Execution, r *graph.Run, _ *ref.Sim) {
				names[r.Key(nil)]++
				fenceClassOf(e).each(setup.Processes(), func(before model.Precedence) bool {
					graphs[weakKeyOf(e.History, before)] = true
					return true
				})
			})
			if fit {
				fits++
				require.Equal(t, all, graphs, "%s", text)
			}
			for name, n := range names {
				require.Equal(t, 1, n, name)
			}
			if one, _ := oneByOne(t, s, p, 2000); one != nil {
				require.Equal(t, all, one, "%s", text)
				ones++
			}
		}
	}
	t.Logf("%d programs compared, %d by graphs, %d one by one", compared, fits, ones)
	assert.Greater(t, fits, count/4)
	assert.Greater(t, ones, count/4)
	t.Logf("%d programs compared, %d with several histories", compared, several)
	assert.Greater(t, several, count/4)
}
