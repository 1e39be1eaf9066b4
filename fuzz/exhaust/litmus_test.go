package exhaust

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/fuzz/internal/given"
	"stealproof/model"
	"stealproof/ref"
	"stealproof/ref/axioms"
	"stealproof/ref/litmus"
	"stealproof/ref/litmus/library"
)

// Two procedures that know nothing of one another must agree on litmus tests:
// the axioms, asked of every candidate, and the weak memory, on which the threads
// of a test run as the operations of a structure do.

// litmusThreads runs thread p of a test as the operation of process p.
type litmusThreads struct {
	setup     *ref.Setup
	test      *litmus.Test
	locations []ref.Location
	registers [][]int64
	mute      bool // nobody is told of dependencies
	parts     bool // a weak load needs a part of its word only
	faults    int  // executions that ended with one, which only such loads may
	// kept is where a module has put each thread's registers; without it Do has run the
	// threads, and they are in registers.
	kept  [][]ref.Location
	taint *taint // that goes on in another operation, if any
}

func (s *litmusThreads) Do(m ref.Memory, o *model.Operation) {
	t := &s.test.Threads[o.Process]
	regs := append(s.registers[o.Process][:0], t.Initial...)
	s.registers[o.Process] = regs
	value := func(x litmus.Operand) int64 {
		if x.IsRegister {
			return regs[x.Register]
		}
		return x.Constant
	}
	on := newTaint(m, len(regs))
	if s.mute {
		on.to = nil
	}
	if s.taint != nil {
		s.taint.to = on.to
		on = s.taint
	}
	set := func(i *litmus.Instruction, v uint64) {
		if i.Register != litmus.NoRegister {
			regs[i.Register] = int64(v)
			on.set(i.Register)
		}
	}
	for pc := 0; pc < len(t.Code); {
		i := &t.Code[pc]
		pc++
		a := ref.Access{Order: ref.Order(i.Order), Scope: ref.Block + ref.Scope(i.Scope), Site: uint8(pc)}
		a.Part = s.parts && i.Op == litmus.Load && i.Order == axioms.Weak
		on.tell(i, a)
		switch i.Op {
		case litmus.Load:
			set(i, m.Load(s.locations[i.Location], a))
		case litmus.Store:
			m.Store(s.locations[i.Location], uint64(value(i.A)), a)
		case litmus.Move:
			regs[i.Register] = value(i.A)
			on.compute(i)
		case litmus.Compute:
			regs[i.Register] = compute(i.Math, value(i.A), value(i.B))
			on.compute(i)
		case litmus.Fence:
			m.Fence(a)
		case litmus.Atomic:
			if i.Math == litmus.Add {
				set(i, m.FetchAdd(s.locations[i.Location], uint64(value(i.A)), a))
			} else {
				set(i, m.Modify(s.locations[i.Location], uint64(value(i.A)), changes[i.Math], a))
			}
		case litmus.Exchange:
			set(i, m.Modify(s.locations[i.Location], uint64(value(i.A)), ref.Exchange, a))
		case litmus.Compare:
			seen, _ := m.CompareAndSwap(s.locations[i.Location], uint64(value(i.A)), uint64(value(i.B)), a)
			set(i, seen)
		case litmus.Branch:
			on.control = on.control.Or(on.of(i.A)).Or(on.of(i.B))
			if i.Comparison == litmus.Equal && value(i.A) == value(i.B) || i.Comparison == litmus.NotEqual && value(i.A) != value(i.B) {
				pc = i.Target
			}
		case litmus.Goto:
			pc = i.Target
		}
	}
	if on.to != nil { // for what comes behind the operation
		on.to.Depends(on.control, ref.Reads{})
	}
	o.Result = model.OK
}

// taint knows of each register the reads that its value is made of, as no-thin-air has
// it, and tells a memory that wants to know.
type taint struct {
	to        ref.Dependencies // nil if nobody wants to know
	registers []ref.Reads
	control   ref.Reads
	number    int // of the access
}

func newTaint(m ref.Memory, registers int) *taint {
	t := &taint{registers: make([]ref.Reads, registers)}
	t.to, _ = m.(ref.Dependencies)
	return t
}

func (t *taint) of(x litmus.Operand) ref.Reads {
	if x.IsRegister {
		return t.registers[x.Register]
	}
	return ref.Reads{}
}

func (t *taint) compute(i *litmus.Instruction) {
	t.registers[i.Register] = t.of(i.A).Or(t.of(i.B))
}

// set notes that a register holds what the last access has read.
func (t *taint) set(register int) {
	t.registers[register] = ref.Reads{}
	t.registers[register].Add(t.number)
}

func (t *taint) tell(i *litmus.Instruction, a ref.Access) {
	if t.to == nil {
		return
	}
	t.number = t.to.Count(a)
	data := t.of(i.A)
	switch i.Op {
	case litmus.Atomic:
		data.Add(t.number)
	case litmus.Compare:
		data = data.Or(t.of(i.B))
		data.Add(t.number)
	}
	t.to.Depends(t.control, data)
}

// changes are the atomics of litmus tests, beside addition. No number is negative.
var changes = map[litmus.Math]ref.Change{
	litmus.And: ref.And, litmus.Or: ref.Or, litmus.Xor: ref.Xor, litmus.Inc: ref.Increment, litmus.Min: ref.Min, litmus.Max: ref.Max,
}

func compute(m litmus.Math, a, b int64) int64 {
	switch m {
	case litmus.Add:
		return a + b
	case litmus.Sub:
		return a - b
	case litmus.Mul:
		return a * b
	case litmus.And:
		return a & b
	case litmus.Or:
		return a | b
	case litmus.Xor:
		return a ^ b
	}
	return -1
}

// runs says whether the algorithms' memory has all that a test asks for.
func runs(t *litmus.Test) bool {
	for _, th := range t.Threads {
		for i := range th.Code {
			switch in := &th.Code[i]; in.Op {
			case litmus.Sync, litmus.Arrive:
				return false
			case litmus.Compute:
				if in.Math >= litmus.Inc || in.Math == litmus.Div {
					return false
				}
			case litmus.Branch:
				if in.Comparison > litmus.NotEqual || in.Target <= i {
					return false
				}
			case litmus.Goto:
				if in.Target <= i {
					return false
				}
			}
		}
	}
	return true
}

// executed are the outcomes that the weak memory has, and how many graphs made
// them.
func executed(t testing.TB, test *litmus.Test) (map[string]bool, int) {
	all, graphs, _ := executedAs(t, test, false)
	return all, graphs
}

func executedAs(t testing.TB, test *litmus.Test, open bool) (all map[string]bool, graphs int, fit bool) {
	return threadsOf(t, test).executed(t, open)
}

func (s *litmusThreads) executed(t testing.TB, open bool, each ...func(*ref.Sim, *ref.Execution)) (all map[string]bool, graphs int, fit bool) {
	sim := ref.NewSim(s.setup)
	defer sim.Close()
	sim.Tracing, sim.AlwaysPick, sim.OpenFences = true, true, open
	all = map[string]bool{}
	for w := (&weakSearch{open: open}); ; {
		w.begin(s.setup.Processes(), s.setup.Space.Len())
		e := sim.Run(w)
		w.noteLast(e)
		if open && !e.Fit() {
			return nil, 0, false
		}
		switch {
		case w.dead:
		case s.parts && e.Ending == ref.Faulted:
			s.faults++
		default:
			require.Equal(t, ref.Complete, e.Ending, e.Fault)
			graphs++
			s.outcomes(sim.Finals, all)
			for _, do := range each {
				do(sim, e)
			}
		}
		if w.again() {
			clear(all)
			graphs, s.faults = 0, 0
		} else if !w.advance() {
			return all, graphs, true
		}
	}
}

// threadsOf makes the threads of a test the operations of a structure.
func threadsOf(t testing.TB, test *litmus.Test) *litmusThreads {
	return threadsOn(t, test, placed(test))
}

// placed is the memory of PTX on which each process runs where the test has placed its
// thread.
func placed(test *litmus.Test) model.Spec {
	var where []string
	for _, th := range test.Threads {
		where = append(where, fmt.Sprintf("%d.%d.%d", th.Place.GPU, th.Place.Cluster, th.Place.CTA))
	}
	return model.Spec{Structure: ref.MemoryPTX, Settings: model.Settings{"place": strings.Join(where, "+"), "buffering": "yes"}}
}

// threadsOn is threadsOf on any memory.
func threadsOn(t testing.TB, test *litmus.Test, memory model.Spec) *litmusThreads {
	s := &litmusThreads{test: test, registers: make([][]int64, len(test.Threads)), locations: make([]ref.Location, len(test.Locations))}
	s.prepare(t, ref.Foreign{Name: "litmus", Kind: model.Bag, Build: func(space *ref.Space, _ int) ref.Structure {
		for l, name := range test.Locations {
			s.locations[l] = space.Word(name, uint64(test.Initial[l]))
		}
		return s
	}}, memory)
	return s
}

// prepare lets each process carry out one operation of a structure, on a memory.
func (s *litmusThreads) prepare(t testing.TB, threads ref.Foreign, memory model.Spec) {
	var program model.Program
	for p := range s.test.Threads {
		program.Processes = append(program.Processes, model.Calls(model.Call{Op: model.Put, Value: uint64(p) + 1}))
	}
	subject, err := threads.Subject(memory)
	require.NoError(t, err)
	s.setup, err = subject.Prepare(program)
	require.NoError(t, err)
}

// outcomes adds those of an execution, of which the final values are given.
func (s *litmusThreads) outcomes(finalsOf func(ref.Location) []uint64, all map[string]bool) {
	s.eachOutcome(finalsOf, func(outcome string) { all[outcome] = true })
}

func (s *litmusThreads) eachOutcome(finalsOf func(ref.Location) []uint64, do func(outcome string)) {
	for p, row := range s.kept {
		s.registers[p] = []int64{}
		for _, l := range row {
			s.registers[p] = append(s.registers[p], int64(finalsOf(l)[0]))
		}
	}
	finals := make([][]int64, len(s.locations))
	for l := range s.locations {
		for _, v := range finalsOf(s.locations[l]) {
			finals[l] = append(finals[l], int64(v))
		}
	}
	everyFinal(finals, func(memory []int64) { do(fmt.Sprint(s.registers, memory)) })
}

// everyFinal calls f with each choice of one value per location.
func everyFinal(finals [][]int64, f func([]int64)) {
	chosen := make([]int64, len(finals))
	var choose func(l int)
	choose = func(l int) {
		if l == len(finals) {
			f(chosen)
			return
		}
		for _, v := range finals[l] {
			chosen[l] = v
			choose(l + 1)
		}
	}
	choose(0)
}

// allowed are the outcomes that the axioms allow, in executions in which program
// order, reads-from and the given further order have no cycle.
func allowed(t testing.TB, test *litmus.Test, fences bool) map[string]bool {
	all := map[string]bool{}
	eachAllowed(t, test, axioms.PTX, func(e *litmus.Execution, outcome string) {
		if !buffered(e.Graph, fences) {
			all[outcome] = true
		}
	})
	return all
}

// eachAllowed calls do with every execution that the axioms of a model allow, and with
// each of its outcomes.
func eachAllowed(t testing.TB, test *litmus.Test, m axioms.Model, do func(*litmus.Execution, string)) {
	_, err := litmus.Each(context.Background(), test, litmus.Options{Model: m}, func(e *litmus.Execution) bool {
		registers := make([][]int64, len(test.Threads))
		for p, th := range test.Threads {
			registers[p] = []int64{}
			for r := range th.Registers {
				registers[p] = append(registers[p], e.Register(p, r).Number)
			}
		}
		finals := make([][]int64, len(test.Locations))
		for l := range test.Locations {
			finals[l] = e.Finals(l)
		}
		everyFinal(finals, func(memory []int64) { do(e, fmt.Sprint(registers, memory)) })
		return true
	})
	require.NoError(t, err)
}

// buffered says whether program order and reads-from, and the order of the sc
// fences if asked for, have a cycle.
func buffered(g *axioms.Graph, fences bool) bool {
	n := len(g.Events)
	next := make([][]int, n)
	for i := range g.Events {
		for j := i + 1; j < n; j++ {
			if g.Events[i].Thread != axioms.Initial && g.Events[i].Thread == g.Events[j].Thread {
				next[i] = append(next[i], j)
				break
			}
		}
	}
	edges := slices.Clone(g.RF)
	if fences {
		edges = append(edges, g.FenceOrder...)
	}
	for _, p := range edges {
		next[p.From] = append(next[p.From], p.To)
	}
	state := make([]int, n)
	var visit func(i int) bool
	visit = func(i int) bool {
		state[i] = 1
		for _, j := range next[i] {
			if state[j] == 1 || state[j] == 0 && visit(j) {
				return true
			}
		}
		state[i] = 2
		return false
	}
	for i := range n {
		if state[i] == 0 && visit(i) {
			return true
		}
	}
	return false
}

// agree compares the two procedures on a test, outcome by outcome.
func agree(t testing.TB, text string) (graphs int, beyond func() bool) {
	test, err := litmus.Parse("test", text)
	require.NoError(t, err)
	if !runs(test) {
		return 0, func() bool { return false }
	}
	got, graphs := executed(t, test)
	want := allowed(t, test, false)
	require.Equal(t, want, got, "%s", text)
	return graphs, func() bool { return len(allowed(t, test, true)) < len(want) }
}

func TestWeakMemoryAgreesWithTheAxioms(t *testing.T) {
	compared := 0
	every := given.Amount(testing.Short(), 10, 4, 1)
	for i, g := range library.Tests() {
		if i%every > 0 {
			continue
		}
		if graphs, _ := agree(t, g.Text); graphs > 0 {
			compared++
		}
	}
	t.Logf("%d tests of the library", compared)
	assert.Greater(t, compared, 20)
}

func TestWeakMemoryAgreesOnRandomPrograms(t *testing.T) {
	programs := agreementPrograms()
	random := rand.New(rand.NewPCG(1, 2))
	graphs, beyond := 0, 0
	for i := range programs {
		text := randomLitmus(random)
		if i%3 == 0 {
			text = randomFences(random)
		}
		n, more := agree(t, text)
		graphs += n
		if i%3 == 0 && more() {
			beyond++
		}
	}
	assert.Positive(t, beyond, "too few fences against the order of reads")
	t.Logf("%d programs, %d graphs; %d of those with fences have outcomes only where the order of fences closes a cycle", programs, graphs, beyond)
}

// randomLitmus writes a small program with everything that the memory has.
func randomLitmus(r *rand.Rand) string {
	choose := func(among ...string) string { return among[r.IntN(len(among))] }
	scope := func() string { return choose("cta", "gpu", "gpu", "gpu", "sys") }
	threads := 2 + r.IntN(2)
	most := 4
	if threads == 3 {
		most = 3
	}
	var b strings.Builder
	b.WriteString("PTX random\n{ x=0; y=0; }\n")
	columns := make([][]string, threads)
	value := 0
	for p := range threads {
		if p > 0 {
			b.WriteString(" | ")
		}
		fmt.Fprintf(&b, "P%d@cta %s,gpu %s", p, choose("0", "1"), choose("0", "0", "0", "1"))
		registers := 0
		for range 1 + r.IntN(most) {
			value++
			register := fmt.Sprintf("r%d", registers)
			x := choose("x", "y")
			switch r.IntN(8) {
			case 0, 1:
				columns[p] = append(columns[p], "ld."+choose("weak", "relaxed."+scope(), "acquire."+scope())+" "+register+", "+x)
				registers++
			case 2, 3, 4:
				columns[p] = append(columns[p], fmt.Sprintf("st.%s %s, %d", choose("weak", "relaxed."+scope(), "release."+scope()), x, value))
			case 5:
				columns[p] = append(columns[p], "fence."+choose("acq_rel", "sc", "sc")+"."+scope())
			case 6:
				columns[p] = append(columns[p], fmt.Sprintf("atom.%s.%s.%s %s, %s, %d", choose("relaxed", "acquire", "release", "acq_rel"), scope(),
					choose("add", "add", "add", "exch", "and", "or", "xor", "inc", "min", "max"), register, x, value))
				registers++
			case 7:
				columns[p] = append(columns[p], fmt.Sprintf("atom.%s.%s.cas %s, %s, 0, %d", choose("relaxed", "acquire", "release", "acq_rel"), scope(), register, x, value))
				registers++
			}
		}
	}
	return withColumns(&b, columns, most)
}

// randomFences writes a chain of three threads in which sc fences can be ordered
// against what is read, with some of its parts changed.
func randomFences(r *rand.Rand) string {
	choose := func(among ...string) string { return among[r.IntN(len(among))] }
	order := func(strong string) string { return choose("weak", "relaxed.gpu", "relaxed.gpu", "relaxed.gpu", strong) }
	value := 0
	access := func(x string, stores bool, register string) string {
		if r.IntN(8) == 0 {
			stores = !stores
		}
		if r.IntN(8) == 0 {
			x = choose("a", "x", "y")
		}
		value++
		switch {
		case r.IntN(8) == 0:
			return fmt.Sprintf("atom.%s.gpu.add %s, %s, %d", choose("relaxed", "acq_rel"), register, x, value)
		case stores:
			return fmt.Sprintf("st.%s %s, %d", order("release.gpu"), x, value)
		}
		return fmt.Sprintf("ld.%s %s, %s", order("acquire.gpu"), register, x)
	}
	fence := func() string {
		return "fence." + choose("sc", "sc", "sc", "acq_rel") + "." + choose("gpu", "gpu", "gpu", "cta")
	}
	rows := [][]string{
		{access("a", true, "r0"), access("x", false, "r0"), access("y", false, "r0")},
		{fence(), "", fence()},
		{access("x", true, "r1"), access("y", true, "r1"), access("a", false, "r1")},
	}
	if r.IntN(3) == 0 {
		rows[1][1] = fence()
	}
	var b strings.Builder
	b.WriteString("PTX fences\n{ a=0; x=0; y=0; }\nP0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta " + choose("0", "2") + ",gpu 0 ;\n")
	for _, row := range rows {
		b.WriteString(strings.Join(row, " | ") + " ;\n")
	}
	b.WriteString("exists (x == 0)\n")
	return b.String()
}

// agreementPrograms is how many programs are compared; 100,000 were, once.
func agreementPrograms() int { return given.Amount(testing.Short(), 200, 1_000, 3_000) }

// The thread in the middle may store before it loads. Then the fence of the last
// thread comes first, though what it read was written behind that of the first.
func TestFencesAgainstTheOrderOfReads(t *testing.T) {
	_, beyond := agree(t, `PTX fences-against-reads
{ a=0; x=0; y=0; }
P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0 ;
st.relaxed.gpu a, 1 | ld.relaxed.gpu r0, x | ld.relaxed.gpu r0, y ;
fence.sc.gpu | st.relaxed.gpu y, 1 | fence.sc.gpu ;
st.relaxed.gpu x, 1 | | ld.relaxed.gpu r1, a ;
exists (P1:r0 == 1 /\ P2:r0 == 1 /\ P2:r1 == 0)
`)
	assert.True(t, beyond())
}

// Executions that leave the order of the fences open, and are fit for it, have the
// outcomes that the axioms allow.
func TestOpenFencesAgreeWithTheAxioms(t *testing.T) {
	programs := agreementPrograms()
	random := rand.New(rand.NewPCG(3, 4))
	compared, graphs, orders := 0, 0, 0
	for i := range programs {
		text := randomOpen(random)
		switch i % 4 {
		case 0:
			text = randomFences(random)
		case 1:
			text = randomLitmus(random)
		}
		test, err := litmus.Parse("test", text)
		require.NoError(t, err)
		got, n, fit := executedAs(t, test, true)
		if !fit {
			continue
		}
		require.Equal(t, allowed(t, test, false), got, "%s", text)
		_, all := executed(t, test)
		compared, graphs, orders = compared+1, graphs+n, orders+all
	}
	t.Logf("%d of %d programs are fit; %d graphs, %d with orders of fences", compared, programs, graphs, orders)
	assert.Greater(t, compared, programs/4)
	assert.Less(t, graphs, orders)
}

// randomOpen writes a program whose sc fences, and whose writes, are all morally
// strong.
func randomOpen(r *rand.Rand) string {
	choose := func(among ...string) string { return among[r.IntN(len(among))] }
	threads := 2 + r.IntN(3)
	most := []int{6, 4, 3}[threads-2]
	columns := make([][]string, threads)
	value, fences := 0, 0
	for p := range threads {
		registers := 0
		for range 1 + r.IntN(most) {
			value++
			register := fmt.Sprintf("r%d", registers)
			x := choose("x", "y", "x", "y", "z")
			line := ""
			switch n := r.IntN(10); {
			case n < 3:
				line = "ld." + choose("weak", "relaxed.gpu", "relaxed.gpu", "acquire.gpu") + " " + register + ", " + x
				registers++
			case n < 5:
				line = fmt.Sprintf("st.%s.gpu %s, %d", choose("relaxed", "relaxed", "release"), x, value)
			case n < 8 && fences < 5:
				line = "fence.sc.gpu"
				fences++
			case n < 9:
				line = fmt.Sprintf("atom.%s.gpu.add %s, %s, %d", choose("relaxed", "acquire", "release", "acq_rel"), register, x, value)
				registers++
			default:
				line = fmt.Sprintf("atom.%s.gpu.cas %s, %s, 0, %d", choose("relaxed", "acquire", "release", "acq_rel"), register, x, value)
				registers++
			}
			columns[p] = append(columns[p], line)
		}
	}
	var b strings.Builder
	b.WriteString("PTX open\n{ x=0; y=0; z=0; }\n")
	for p := range threads {
		if p > 0 {
			b.WriteString(" | ")
		}
		fmt.Fprintf(&b, "P%d@cta %d,gpu 0", p, p)
	}
	return withColumns(&b, columns, most)
}

// withColumns ends the head of a litmus test and writes what its threads do, one beside
// the other, and a statement that asks for nothing.
func withColumns(b *strings.Builder, columns [][]string, rows int) string {
	b.WriteString(" ;\n")
	for row := range rows {
		for p, column := range columns {
			if p > 0 {
				b.WriteString(" | ")
			}
			if row < len(column) {
				b.WriteString(column[row])
			}
		}
		b.WriteString(" ;\n")
	}
	b.WriteString("exists (x == 0)\n")
	return b.String()
}
