package exhaust

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/fuzz/exhaust/internal/graph"
	"stealproof/fuzz/internal/given"
	"stealproof/fuzz/schedule"
	"stealproof/model"
	"stealproof/ref"
	"stealproof/ref/axioms"
	"stealproof/ref/litmus"
	"stealproof/ref/litmus/library"
)

// The memories of processors and the axioms of their models. Nothing is left out
// there: no execution has load buffering.

var (
	onRC11 = model.Spec{Structure: ref.MemoryRC11, Settings: model.Settings{"races": "allowed"}}
	onTSO  = model.Spec{Structure: ref.MemoryTSO}
)

// agreeOn compares a memory with the axioms of its model: each execution that they
// allow is one graph, and the outcomes are the same.
func agreeOn(t testing.TB, memory model.Spec, m axioms.Model, test *litmus.Test, text string) (graphs int) {
	want, executions := map[string]bool{}, 0
	eachAllowed(t, test, m, func(_ *litmus.Execution, outcome string) {
		want[outcome] = true
		executions++
	})
	s := threadsOn(t, test, memory)
	got, names := map[string]bool{}, map[string]int{}
	graphs, _, fit := everyGraph(t, s.setup, nil, func(e *ref.Execution, r *graph.Run, sim *ref.Sim) {
		names[r.Key(nil)]++
		s.outcomes(sim.Finals, got)
	})
	require.True(t, fit)
	require.Equal(t, want, got, "%s: %s", memory, text)
	require.Equal(t, len(names), graphs, "%s: %s", memory, text)
	require.Equal(t, executions, graphs, "%s: %s", memory, text)
	return graphs
}

// bothModels compares RC11 and TSO on a test.
func bothModels(t testing.TB, test *litmus.Test, text string) (rc11, tso int) {
	return agreeOn(t, onRC11, axioms.RC11, test, text), agreeOn(t, onTSO, axioms.TSO, test, text)
}

func TestProcessorsAgreeWithTheAxiomsOnTheLibrary(t *testing.T) {
	every := given.Amount(testing.Short(), 30, 10, 3)
	compared, rc11, tso := 0, 0, 0
	for i, g := range library.Tests() {
		test, err := litmus.Parse("test", g.Text)
		require.NoError(t, err)
		if i%every > 0 || !runs(test) {
			continue
		}
		r, b := bothModels(t, test, g.Text)
		compared, rc11, tso = compared+1, rc11+r, tso+b
	}
	t.Logf("%d tests of the library: %d graphs on rc11, %d on tso", compared, rc11, tso)
	assert.Greater(t, compared, 20)
}

// 6,000 programs were compared, once, and all tests of the library.
func TestProcessorsAgreeWithTheAxiomsOnRandomPrograms(t *testing.T) {
	programs := given.Amount(testing.Short(), 100, 300, 2_000)
	random := rand.New(rand.NewPCG(7, 8))
	rc11, tso, sc := 0, 0, 0
	for i := range programs {
		text := randomOpen(random)
		if i%4 == 0 {
			text = randomLitmus(random)
		}
		test, err := litmus.Parse("test", text)
		require.NoError(t, err)
		if i%2 == 0 {
			strengthen(test, random, 3)
		}
		r, b := bothModels(t, test, text+strengths(test))
		s := agreeOn(t, model.Spec{Structure: ref.MemoryTSO}, axioms.TSO, fenced(test), text)
		rc11, tso, sc = rc11+r, tso+b, sc+s
	}
	t.Logf("%d programs: %d graphs on rc11, %d on tso, %d with stores of order sc", programs, rc11, tso, sc)
}

// strengthen gives one of so many accesses the order sc, which no litmus test can ask for.
func strengthen(test *litmus.Test, random *rand.Rand, oneOf int) {
	for p := range test.Threads {
		for k := range test.Threads[p].Code {
			if i := &test.Threads[p].Code[k]; accesses(i) && random.IntN(oneOf) == 0 {
				i.Order, i.Scope = axioms.SC, axioms.GPU
			}
		}
	}
}

// fenced is a test whose stores are all of order sc.
func fenced(test *litmus.Test) *litmus.Test {
	for p := range test.Threads {
		for k := range test.Threads[p].Code {
			if i := &test.Threads[p].Code[k]; i.Op == litmus.Store {
				i.Order, i.Scope = axioms.SC, axioms.GPU
			}
		}
	}
	return test
}

// strengths are those of all instructions of a test.
func strengths(test *litmus.Test) string {
	var b strings.Builder
	for p, th := range test.Threads {
		fmt.Fprintf(&b, "\nP%d:", p)
		for _, i := range th.Code {
			fmt.Fprint(&b, " ", i.Order)
		}
	}
	return b.String()
}

func accesses(i *litmus.Instruction) bool {
	switch i.Op {
	case litmus.Load, litmus.Store, litmus.Atomic, litmus.Exchange, litmus.Compare:
		return true
	}
	return false
}

// randomRing writes a program in which much depends on the order sc: threads in a ring,
// each of which shares a location with the next one, accesses the two one after the
// other, and does something in between, perhaps. Which accesses are of order sc no litmus
// test can say; they are strengthened afterwards.
func randomRing(r *rand.Rand) string {
	choose := func(among ...string) string { return among[r.IntN(len(among))] }
	threads := 2 + r.IntN(4)
	columns := make([][]string, threads)
	shared, value, registers := 0, 0, 0
	access := func(location int) string {
		value++
		x, register := string(rune('a'+location)), fmt.Sprintf("r%d", registers)
		switch n := r.IntN(15); {
		case n < 7:
			registers++
			return fmt.Sprintf("ld.%s.gpu %s, %s", choose("relaxed", "acquire", "acquire"), register, x)
		case n < 14:
			return fmt.Sprintf("st.%s.gpu %s, %d", choose("relaxed", "release", "release"), x, value)
		default:
			registers++
			return fmt.Sprintf("atom.%s.gpu.exch %s, %s, %d", choose("relaxed", "acq_rel"), register, x, value)
		}
	}
	for p := range threads {
		registers = 0
		before := shared
		if shared++; r.IntN(8) == 0 {
			shared--
		}
		if p == threads-1 {
			shared = 0
		}
		columns[p] = append(columns[p], access(before))
		if r.IntN(6) == 0 && p < threads-1 { // the location is shared with one more thread
			shared = before
			continue
		}
		switch r.IntN(6) {
		case 0, 1:
			columns[p] = append(columns[p], "fence."+choose("sc", "sc", "sc", "acq_rel")+".gpu")
		case 2:
			if threads < 5 {
				columns[p] = append(columns[p], access(r.IntN(threads)))
			}
		}
		columns[p] = append(columns[p], access(shared))
		if r.IntN(8) == 0 && threads < 4 {
			columns[p] = append(columns[p], access(before))
		}
	}
	var b strings.Builder
	b.WriteString("PTX ring\n{ a=0; b=0; c=0; d=0; e=0; x=0; }\n")
	for p := range threads {
		if p > 0 {
			b.WriteString(" | ")
		}
		fmt.Fprintf(&b, "P%d@cta %d,gpu 0", p, p)
	}
	return withColumns(&b, columns, 4)
}

// 30,000 programs were compared, once.
func TestOrderSCAgreesWithTheAxioms(t *testing.T) {
	programs := given.Amount(testing.Short(), 200, 600, 2_000)
	random := rand.New(rand.NewPCG(9, 10))
	graphs := 0
	for range programs {
		text := randomRing(random)
		test, err := litmus.Parse("test", text)
		require.NoError(t, err)
		strengthen(test, random, 1+random.IntN(3))
		graphs += agreeOn(t, onRC11, axioms.RC11, test, text+strengths(test))
	}
	t.Logf("%d programs: %d graphs", programs, graphs)
}

// What RC11 says of accesses and fences of order sc, for each part of psc.
func TestOrderSC(t *testing.T) {
	for _, c := range []struct {
		name    string
		columns []string // of each thread, its instructions
		outcome string   // registers and memory
		allowed bool
	}{
		{"store buffering", []string{"st.sc x, 1; ld.sc r0, y", "st.sc y, 1; ld.sc r0, x"}, "[[0] [0]] [1 1 0]", false},
		{"store buffering, one load acquires", []string{"st.sc x, 1; ld.acquire r0, y", "st.sc y, 1; ld.sc r0, x"}, "[[0] [0]] [1 1 0]", true},
		{"a fence and an access", []string{"st.sc x, 1; ld.sc r0, y", "st.relaxed y, 1; fence.sc; ld.relaxed r0, x"}, "[[0] [0]] [1 1 0]", false},
		{"independent reads", []string{"st.sc x, 1", "ld.sc r0, x; ld.sc r1, y", "ld.sc r0, y; ld.sc r1, x", "st.sc y, 1"}, "[[] [1 0] [1 0] []] [1 1 0]", false},
		{"independent reads, the stores release", []string{"st.release x, 1", "ld.sc r0, x; ld.sc r1, y", "ld.sc r0, y; ld.sc r1, x", "st.sc y, 1"}, "[[] [1 0] [1 0] []] [1 1 0]", true},
		{"independent reads and fences", []string{"st.relaxed x, 1", "ld.relaxed r0, x; fence.sc; ld.relaxed r1, y", "ld.relaxed r0, y; fence.sc; ld.relaxed r1, x", "st.relaxed y, 1"}, "[[] [1 0] [1 0] []] [1 1 0]", false},
		{"happened before, between two other locations", []string{"st.sc x, 1; st.release y, 1", "ld.acquire r0, y; ld.sc r1, z", "st.sc z, 1; ld.sc r0, x"}, "[[] [1 0] [0]] [1 1 1]", false},
		{"happened before, to the same location", []string{"st.sc x, 1; st.release y, 1", "ld.acquire r0, y; st.sc y, 2; ld.sc r1, z", "st.sc z, 1; ld.sc r0, x"}, "[[] [1 0] [0]] [1 2 1]", false},
		{"happened before, by the access itself", []string{"st.sc x, 1", "ld.sc r0, x; ld.acquire r1, y", "st.sc y, 1; ld.sc r0, x"}, "[[] [1 0] [0]] [1 1 0]", true},
		{"it reads what was read", []string{"st.relaxed x, 1", "ld.relaxed r0, x; fence.sc; ld.relaxed r1, y", "st.relaxed y, 1; fence.sc; ld.relaxed r0, x"}, "[[] [1 0] [0]] [1 1 0]", false},
		{"happened before a fence", []string{"st.sc x, 1; st.release y, 1", "ld.acquire r0, y; fence.sc; ld.relaxed r1, z", "st.sc z, 1; ld.sc r0, x"}, "[[] [1 0] [0]] [1 1 1]", false},
		{"read before a fence", []string{"st.sc x, 1", "ld.acquire r0, x; fence.sc; ld.relaxed r1, z", "st.sc z, 1; ld.sc r0, x"}, "[[] [1 0] [0]] [1 0 1]", false},
		{"a later store of the thread", []string{"st.relaxed x, 1; st.release y, 1; st.relaxed y, 2", "ld.acquire r0, y; ld.relaxed r1, x"}, "[[] [2 0]] [1 2 0]", true},
		{"an atomic of somebody else", []string{"st.relaxed x, 1; st.release y, 1", "atom.relaxed.add r0, y, 1", "ld.acquire r0, y; ld.relaxed r1, x"}, "[[] [1] [2 0]] [1 2 0]", false},
		{"fences that synchronise with nobody", []string{"st.relaxed x, 1; fence.sc; st.relaxed y, 1", "ld.relaxed r0, y; fence.acquire; ld.relaxed r1, x"}, "[[] [1 0]] [1 1 0]", false},
	} {
		test := written(t, c.columns)
		allowed := false
		eachAllowed(t, test, axioms.RC11, func(_ *litmus.Execution, outcome string) { allowed = allowed || outcome == c.outcome })
		assert.Equal(t, c.allowed, allowed, c.name)
		agreeOn(t, onRC11, axioms.RC11, test, c.name)
		agreeOn(t, onTSO, axioms.TSO, test, c.name)
	}
}

// written is a test whose accesses have no scope, and may be of order sc.
func written(t testing.TB, threads []string) *litmus.Test {
	columns := make([][]string, len(threads))
	rows := 0
	var b strings.Builder
	b.WriteString("PTX written\n{ x=0; y=0; z=0; }\n")
	for p, text := range threads {
		columns[p] = strings.Split(text, "; ")
		rows = max(rows, len(columns[p]))
		for k, line := range columns[p] {
			name, rest, _ := strings.Cut(line, " ")
			parts := strings.Split(name, ".")
			if parts[0] != "fence" && parts[1] == "sc" { // told by its scope
				parts[1] = map[string]string{"ld": "acquire", "st": "release", "atom": "acq_rel"}[parts[0]] + ".sys"
			} else {
				parts[1] += ".gpu"
			}
			columns[p][k] = strings.TrimSpace(strings.Join(parts, ".") + " " + rest)
		}
		if p > 0 {
			b.WriteString(" | ")
		}
		fmt.Fprintf(&b, "P%d@cta %d,gpu 0", p, p)
	}
	test, err := litmus.Parse("test", withColumns(&b, columns, rows))
	require.NoError(t, err)
	for p := range test.Threads {
		for k := range test.Threads[p].Code {
			if i := &test.Threads[p].Code[k]; accesses(i) && i.Scope == axioms.System {
				i.Order = axioms.SC
			}
		}
	}
	return test
}

// A data race is a fault on rc11, and somebody finds it if and only if some execution
// that the axioms allow has one: two accesses of a location, one of which writes and one of
// which is weak, and neither of which happened before the other.
func TestDataRacesAreThoseOfTheAxioms(t *testing.T) {
	programs := given.Amount(testing.Short(), 100, 300, 2_000)
	random := rand.New(rand.NewPCG(11, 12))
	racy := 0
	for range programs {
		text := randomOpen(random)
		test, err := litmus.Parse("test", text)
		require.NoError(t, err)
		for p := range test.Threads {
			for k := range test.Threads[p].Code {
				i := &test.Threads[p].Code[k]
				switch {
				case i.Op != litmus.Load && i.Op != litmus.Store || random.IntN(3) == 0:
				case i.Location == 0:
					i.Order = axioms.Weak
				case i.Op == litmus.Load:
					i.Order = axioms.Acquire
				default:
					i.Order = axioms.Release
				}
			}
		}
		want := false
		outcomes := map[string]bool{}
		eachAllowed(t, test, axioms.RC11, func(e *litmus.Execution, outcome string) {
			want = want || races(e.Graph)
			outcomes[outcome] = true
		})
		s := threadsOn(t, test, model.Spec{Structure: ref.MemoryRC11})
		got, found := faults(s)
		require.Equal(t, want, found, "%s%s", text, strengths(test))
		if want {
			racy++
		} else {
			require.Equal(t, outcomes, got, "%s%s", text, strengths(test))
		}
	}
	t.Logf("%d of %d programs have a data race", racy, programs)
	assert.Greater(t, racy, programs/10)
	assert.Less(t, racy, programs*9/10)
}

func races(g *axioms.Graph) bool {
	x := axioms.NewExecution(axioms.RC11, g)
	x.Update()
	happened := x.Happened()
	for i, a := range g.Events {
		for j, b := range g.Events[:i] {
			if a.Thread != axioms.Initial && b.Thread != axioms.Initial && a.Thread != b.Thread &&
				a.Accesses() && b.Accesses() && a.Location == b.Location && (a.Kind == axioms.Write || b.Kind == axioms.Write) &&
				(a.Order == axioms.Weak || b.Order == axioms.Weak) && !happened.Has(i, j) && !happened.Has(j, i) {
				return true
			}
		}
	}
	return false
}

// faults are the outcomes of all executions, or says that there is a fault.
func faults(s *litmusThreads) (map[string]bool, bool) {
	sim := ref.NewSim(s.setup)
	defer sim.Close()
	sim.Tracing, sim.AlwaysPick, sim.OpenFences = true, true, true
	got := map[string]bool{}
	r := &graph.Run{}
	for left := []graph.Graph{{}}; len(left) > 0; {
		g := left[len(left)-1]
		left = left[:len(left)-1]
		r.Begin(g, s.setup.Threads(), s.setup.Space.Len(), nil)
		e := sim.Run(r)
		left = append(left, r.Found...)
		switch {
		case e.Ending == ref.Faulted:
			return nil, true
		case !r.Dead:
			s.outcomes(sim.Finals, got)
		}
	}
	return got, false
}

// Executions that are longer than a memory remembers are still allowed by the axioms:
// what is forgotten only makes others impossible.
func TestLongExecutionsAreAllowed(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 14))
	older := 0
	for run := range given.Amount(testing.Short(), 1, 4, 20) {
		var columns []string
		for range 3 {
			var lines []string
			for k := range 110 {
				x := []string{"x", "y", "z"}[random.IntN(3)]
				order := func(strong string) string { return []string{"relaxed", strong, "sc"}[random.IntN(3)] }
				switch random.IntN(8) {
				case 0, 1, 2:
					lines = append(lines, fmt.Sprintf("ld.%s r0, %s", order("acquire"), x))
				case 3, 4, 5:
					lines = append(lines, fmt.Sprintf("st.%s %s, %d", order("release"), x, k))
				case 6:
					lines = append(lines, fmt.Sprintf("atom.%s.add r0, %s, 1", order("acq_rel"), x))
				default:
					lines = append(lines, "fence."+[]string{"sc", "sc", "acquire", "release"}[random.IntN(4)])
				}
			}
			columns = append(columns, strings.Join(lines, "; "))
		}
		test := written(t, columns)
		for memory, m := range map[string]axioms.Model{ref.MemoryRC11: axioms.RC11, ref.MemoryTSO: axioms.TSO} {
			s := threadsOn(t, test, model.Spec{Structure: memory})
			sim := ref.NewSim(s.setup)
			sim.Tracing = true
			w := &schedule.Walk{}
			w.Begin(uint64(run))
			e := sim.Run(w)
			require.Equal(t, ref.Complete, e.Ending, e.Fault)
			g := graphOf(e)
			require.Nil(t, axioms.Check(m, g), memory)
			for i := range e.Trace {
				if e.Trace[i].Missed > 0 || e.Trace[i].Overtaken > 0 {
					older++
				}
			}
			sim.Close()
		}
	}
	t.Logf("%d accesses read an older write or wrote before another", older)
	assert.Positive(t, older)
}

// graphOf is an execution as the axioms see it, by its trace.
func graphOf(e *ref.Execution) *axioms.Graph {
	g := &axioms.Graph{}
	for range e.Setup.Processes() {
		g.Places = append(g.Places, axioms.Place{})
	}
	var writes [3][]int // of each location, in coherence
	for l := range writes {
		g.Events = append(g.Events, axioms.Event{Thread: axioms.Initial, Kind: axioms.Write, Location: l})
		writes[l] = []int{l}
	}
	written := map[int]int{} // at a step
	for _, ev := range e.Trace {
		order, scope := axioms.Order(ev.Access.Order), axioms.GPU
		at := int(ev.Location)
		if ev.Kind == ref.Fence {
			g.Events = append(g.Events, axioms.Event{Thread: ev.Process, Kind: axioms.Fence, Order: order, Scope: scope})
			continue
		}
		atomic := ev.Kind != ref.Load && ev.Kind != ref.Store
		half := func(k axioms.Kind, has bool, own axioms.Order) int {
			o := axioms.Relaxed
			switch {
			case order == axioms.SC:
				o = order
			case has:
				o = own
			}
			g.Events = append(g.Events, axioms.Event{Thread: ev.Process, Kind: k, Order: o, Scope: scope, Location: at, Atomic: atomic})
			return len(g.Events) - 1
		}
		read := -1
		if ev.Kind != ref.Store {
			read = half(axioms.Read, order.Acquires(), axioms.Acquire)
			source := at
			if ev.Source > 0 {
				source = written[ev.Source]
			}
			g.RF = append(g.RF, axioms.Pair{From: source, To: read})
		}
		if ev.Writes() {
			w := half(axioms.Write, order.Releases(), axioms.Release)
			if read >= 0 {
				g.RMW = append(g.RMW, axioms.Pair{From: read, To: w})
			}
			place := len(writes[at])
			if ev.Overtaken > 0 {
				place = slices.Index(writes[at], written[ev.Overtaken])
			}
			writes[at] = slices.Insert(writes[at], place, w)
			written[ev.Step] = w
		}
	}
	for _, order := range writes {
		for k := 1; k < len(order); k++ {
			g.CO = append(g.CO, axioms.Pair{From: order[k-1], To: order[k]})
		}
	}
	return g
}

// The owner of a deque lowers bottom with a relaxed store. On PTX that continues the
// release of a push, so that a thief who sees it sees the task; in RC11 nothing does,
// and the thief takes what the slot held before. TSO keeps the order of all stores.
func TestBottomLoweredByARelaxedStore(t *testing.T) {
	for memory, want := range map[string]model.Verdict{"sc": model.Linearizable, "ptx": model.Linearizable, "tso": model.Linearizable, "rc11": model.Violation} {
		for _, queue := range []string{"chase-lev", "chase-lev-lowered"} {
			setup := weakSetupOf(t, memory, queue, "0: push push pop\n1: steal")
			r := exhaust(t, &Search{Subject: setup.Subject, Programs: alone(setup)})
			if queue == "chase-lev" {
				assert.Equal(t, model.Linearizable, r.Verdict, memory)
				continue
			}
			require.Equal(t, want, r.Verdict, memory)
			if want == model.Violation {
				assert.Equal(t, "invented", r.Failure.Finding.Kind, "a task that was in the slot at the start")
			}
		}
	}
}

// On TSO the only fences that are needed are those between a store and a later load.
func TestFencesThatTSONeeds(t *testing.T) {
	for spec, want := range map[string]model.Verdict{
		"abp:orders=push-fence-task-tail.weak+steal-fence-head-tail.weak+steal-fence-tail-task.weak+steal-fence-task-head.weak+pop-fence-tail-head-on-reset.weak": model.Linearizable,
		"abp:orders=pop-fence-tail-head.acq_rel": model.Violation,
		"the:orders=pop-fence-beg-end.acq_rel":   model.Violation,
		"the:orders=steal-fence-end-beg.acq_rel": model.Violation,
		"the":                                    model.Linearizable,
	} {
		program := "0: push push pop\n1: steal steal"
		if strings.HasPrefix(spec, "the") {
			program = "0: push[0,1) pop(1)\n1: steal(1)"
		}
		setup := weakSetupOf(t, "tso", spec, program)
		r := exhaust(t, &Search{Subject: setup.Subject, Programs: alone(setup)})
		assert.Equal(t, want, r.Verdict, spec)
	}
}
