package exhaust

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"stealproof/fuzz/exhaust/internal/graph"
	"stealproof/linearize"
	"stealproof/model"
	"stealproof/ref"
)

// A client may order its operations by signals (see model.Sync). To look at every way
// in which it may, a program is executed without: each of its graphs is one of a client
// with signals as well, if the memory allows it with what these order, and all graphs of
// that client are among them. So for each graph the question is whether some operations
// can be made to happen before others, so that no legal order of all is left, and the
// graph is still allowed. That is the idea of RELINCHE (Golovin, Kokologiannakis &
// Vafeiadis 2025).
//
// On the sequentially consistent memory that is no question: whatever a client orders is
// an order of time, and all of these are judged.
//
// clientJudge asks it of the graphs of one program. Which operations precede which is
// open as far as the graph leaves it open; an order that is legal whatever may precede
// what is a witness. Where there is none, two operations decide, of which one may precede
// the other: both ways are looked at. Where no order is left, what was put before what
// is tried out: the graph is made again in the client that has the signals for it.
type clientJudge struct {
	setup   *ref.Setup
	limit   int
	judge   witnesses
	proved  map[clientQuestion]bool // without trying anything out
	clients map[string]*strengthenedClient
	each    func(waits []uint64) bool // shown every client that is broken, to go on; or nil

	// Of the graph in question:
	run     *graph.Run
	history *model.History
	of      []int16
	calls   []callPlace
	broken  *model.Program // a client that has no legal order
	tried   int            // how often a graph was made again
	err     error
}

// clientQuestion is what is asked of a graph, as far as nothing is tried out.
type clientQuestion struct {
	outcome HistoryKey
	relation
}

// callPlace is where an operation of the history stands in the program.
type callPlace struct{ process, call int }

// mostProved and mostClients bound what is remembered.
const (
	mostProved  = 1 << 13
	mostClients = 256
)

func newClientJudge(setup *ref.Setup, limit int) *clientJudge {
	return &clientJudge{setup: setup, limit: limit, proved: map[clientQuestion]bool{}, clients: map[string]*strengthenedClient{}}
}

func (c *clientJudge) close() {
	for _, s := range c.clients {
		s.sim.Close()
	}
	clear(c.clients)
}

// holds says whether no client breaks an execution: that which the run has made.
func (c *clientJudge) holds(e *ref.Execution, run *graph.Run) bool {
	c.run, c.history, c.broken = run, e.History, nil
	c.locate(e)
	class := fenceClassOf(e)
	class.relate()
	q := clientQuestion{ResultsKey(e.History), class.relation}
	c.open(e, &q.relation)
	c.judge.begin(q.outcome, e.History)
	return c.decide(&q, make([]uint64, len(e.History.Ops)))
}

// locate finds the operations in the graph and in the program.
func (c *clientJudge) locate(e *ref.Execution) {
	ops := e.History.Ops
	process, first, last := make([]int, len(ops)), make([]int, len(ops)), make([]int, len(ops))
	place := map[int]int{} // of the operation that begins at a step
	for i := range e.Trace {
		if ev := &e.Trace[i]; ev.First {
			place[ev.Step] = ev.Op
		}
	}
	c.calls = c.calls[:0]
	for i := range ops {
		process[i], first[i], last[i] = int(ops[i].Process), int(ops[i].Call), int(ops[i].Return)
		c.calls = append(c.calls, callPlace{process[i], place[first[i]]})
	}
	c.of = c.run.Owners(process, first, last)
}

// open adds to what may precede what all that a client may order.
func (c *clientJudge) open(e *ref.Execution, r *relation) {
	events := make([]*ref.Event, e.Steps+1)
	for i := range e.Trace {
		if ev := &e.Trace[i]; !ev.Silent {
			events[ev.Step] = ev
		}
	}
	ops := e.History.Ops
	opposed := c.run.Opposed(c.of, len(ops), func(write, read int) bool {
		return c.setup.Strong(events[c.run.Step(write)], events[c.run.Step(read)])
	})
	for i := range ops {
		for j := range ops {
			if i != j && !c.opposes(r, opposed, i, j) {
				r.possible[i] |= 1 << j
			}
		}
	}
}

// opposes says whether operation j cannot be made to happen before operation i, since
// something would then happen before what it cannot happen before.
func (c *clientJudge) opposes(r *relation, opposed []uint64, i, j int) bool {
	if c.history.Ops[i].Process == c.history.Ops[j].Process || r.forced[j]>>i&1 != 0 {
		return true // of one process, their order is that of the program
	}
	early := r.forced[j] | 1<<j
	for k := range c.history.Ops {
		if (k == i || r.forced[k]>>i&1 != 0) && opposed[k]&early != 0 {
			return true
		}
	}
	return false
}

// decide says whether no client breaks the execution that makes some operations
// precede others: what is forced is so by now, some of it because of the signals for
// which each operation waits. What is not possible has been looked at.
func (c *clientJudge) decide(q *clientQuestion, waits []uint64) bool {
	w := &c.judge
	if w.prove(&q.possible) || c.proved[*q] {
		return true
	}
	tried := c.tried
	asked := *q
	late, early, left := c.openPair(q)
	switch {
	case !left:
		return c.endures(waits)
	case early < 0:
		return true // nothing is open, and there is an order
	}
	with := *q
	if c.precede(&with.relation, early, late) {
		more := slices.Clone(waits)
		more[late] |= 1 << early
		if !c.decide(&with, more) {
			return false
		}
	}
	q.possible[late] &^= 1 << early
	if !c.decide(q, waits) {
		return false
	}
	if c.tried == tried {
		if len(c.proved) >= mostProved {
			clear(c.proved)
		}
		c.proved[asked] = true
	}
	return true
}

// openPair are two operations of which it is open whether the second precedes the
// first, and on which it depends whether an order that is known is legal; -1 if nothing
// is open. Left says whether there is a legal order at all.
func (c *clientJudge) openPair(q *clientQuestion) (late, early int, left bool) {
	w := &c.judge
	if !oneObject(c.history) {
		return c.anyPair(q)
	}
	known := w.respecting(&q.relation)
	if known == nil {
		found, over := w.find(c.history, &q.relation)
		if over {
			return c.anyPair(q)
		}
		if !found {
			return 0, 0, false
		}
		w.keep(c.history)
		known = &(*w.current)[len(*w.current)-1]
	}
	if w.respects(known, &q.possible) {
		return 0, -1, true
	}
	late, early = q.conflict(known, w.aborted)
	return late, early, true
}

// anyPair is openPair where the search for an order has given up.
func (c *clientJudge) anyPair(q *clientQuestion) (late, early int, left bool) {
	class := &fenceClass{history: c.history, FenceOrders: &ref.FenceOrders{}, relation: q.relation}
	if !linearize.CheckCausal(c.history, class.precedence(c.setup.Processes())) {
		return 0, 0, false
	}
	for i := range c.history.Ops {
		if open := q.possible[i] &^ q.forced[i]; open != 0 {
			return i, bits.TrailingZeros64(open), true
		}
	}
	return 0, -1, true
}

// precede makes one operation precede another, with all that follows, and says whether
// all of that is possible.
func (c *clientJudge) precede(r *relation, early, late int) bool {
	first := r.forced[early] | 1<<early
	for i := range c.history.Ops {
		if i == late || r.forced[i]>>late&1 != 0 {
			r.forced[i] |= first
			for j := range bitsOf(first) {
				r.possible[j] &^= 1 << i
			}
		}
	}
	for i := range c.history.Ops {
		if r.forced[i]&^r.possible[i] != 0 {
			return false
		}
	}
	return true
}

// endures says that a client for which no legal order is left does not have the
// execution. If it has, it is broken.
func (c *clientJudge) endures(waits []uint64) bool {
	if !c.allowed(waits) {
		return true
	}
	if c.each != nil {
		return c.each(waits)
	}
	for i := range waits { // what can be spared is
		for j := range bitsOf(waits[i]) {
			less := slices.Clone(waits)
			less[i] &^= 1 << j
			if c.breaks(less) {
				return c.endures(less)
			}
		}
	}
	p := c.client(waits)
	c.broken = &p
	return false
}

// strengthenedClient is the program with some signals.
type strengthenedClient struct {
	setup *ref.Setup
	sim   *ref.Sim
}

// allowed makes the graph again in the client with these signals.
func (c *clientJudge) allowed(waits []uint64) bool {
	c.tried++
	s := c.strengthened(waits)
	g, is := c.run.Strengthened(c.of, waits)
	if !is || s == nil {
		return false
	}
	var again graph.Run
	again.Begin(g, s.setup.Threads(), s.setup.Space.Len(), nil)
	e := s.sim.Run(&again)
	return again.Made() && e.Fit() && e.Ending == ref.Complete
}

// breaks says whether the graph is one of the client with these signals, and has no
// legal order there, by what happened before what in it.
func (c *clientJudge) breaks(waits []uint64) bool {
	s := c.strengthened(waits)
	g, is := c.run.Strengthened(c.of, waits)
	if !is || s == nil {
		return false
	}
	var again graph.Run
	again.Begin(g, s.setup.Threads(), s.setup.Space.Len(), nil)
	e := s.sim.Run(&again)
	if !again.Made() || e.Ending != ref.Complete {
		return false
	}
	class := fenceClassOf(e)
	return !class.each(s.setup.Processes(), func(before model.Precedence) bool { return linearize.CheckCausal(e.History, before) })
}

// strengthened is the client with these signals.
func (c *clientJudge) strengthened(waits []uint64) *strengthenedClient {
	p := c.client(waits)
	key := p.String()
	if s, known := c.clients[key]; known {
		return s
	}
	if len(c.clients) >= mostClients {
		c.close()
	}
	setup, err := c.setup.Subject.Prepare(p)
	if err != nil {
		c.err = err
		return nil // nobody passes
	}
	sim := ref.NewSim(setup)
	sim.Tracing, sim.AlwaysPick, sim.OpenFences, sim.Limit = true, true, true, c.limit
	s := &strengthenedClient{setup, sim}
	c.clients[key] = s
	return s
}

// client is the program with a signal behind each operation that another one waits for,
// and a wait for each before that.
func (c *clientJudge) client(waits []uint64) model.Program {
	at := map[callPlace]int{}
	for op, place := range c.calls {
		at[place] = op
	}
	var signals uint64
	for _, w := range waits {
		signals |= w
	}
	name := func(op int) string { return signalName(bits.OnesCount64(signals & (1<<op - 1))) }
	p := model.Program{}
	for id, calls := range flatCalls(c.setup.Program) {
		var row []model.Call
		for k, call := range calls {
			op, known := at[callPlace{id, k}]
			if known {
				for w := range bitsOf(waits[op]) {
					row = append(row, model.SyncCall(model.Wait, name(w)))
				}
			}
			row = append(row, call)
			if known && signals>>op&1 != 0 {
				row = append(row, model.SyncCall(model.Signal, name(op)))
			}
		}
		p.Processes = append(p.Processes, model.Calls(row...))
	}
	return p
}

// signalName is a, b, ..., z, a1, b1, ...
func signalName(n int) string {
	name := string(rune('a' + n%26))
	if n >= 26 {
		name += fmt.Sprint(n / 26)
	}
	return name
}

// flatCalls are the calls of each process, groups repeated. Values are those that the
// puts say themselves, if no group was repeated.
func flatCalls(p model.Program) [][]model.Call {
	all := p.Expand()
	for id, steps := range p.Processes {
		if slices.ContainsFunc(steps, func(s model.Step) bool { return s.Times > 0 }) {
			continue
		}
		for i := range steps {
			all[id][i] = steps[i].Call
		}
	}
	return all
}

// failing searches the client that was found broken, so that what is shown is one
// execution of it.
func (w *weakWalk) failing(ctx context.Context, client model.Program) error {
	x := w.exhaust
	r, err := (&Search{Subject: x.Subject, Programs: []model.Program{client}, Accesses: x.Accesses, Patience: x.Patience}).Run(ctx)
	switch {
	case err != nil:
		return err
	case r.Failure == nil && r.Verdict == model.Linearizable:
		return fmt.Errorf("a client is said to break an execution, but none of its executions fails:\n%s", client)
	}
	w.Verdict, w.Failure = r.Verdict, r.Failure
	if w.Failure != nil {
		w.Failure.Run = w.Executions
	}
	return nil
}

// checkClients refuses what a search of all clients does not go with.
func (x *Search) checkClients() error {
	if !x.Clients || !x.Subject.Weak() {
		return nil
	}
	if x.Each != nil || x.Around != nil || x.Unjudged || x.AllHistories || x.Resume != nil {
		return errors.New("a search of all clients judges graphs, and nothing else: it shows no executions, counts no histories and is not gone on with")
	}
	if x.Subject.Lanes() > 1 {
		return errors.New("a search of all clients on the memory ptx is not made where lanes carry out operations together: name some clients, as programs with signals, or take the memory sc, where a search without clients is one of all")
	}
	for _, p := range x.Programs {
		phased := slices.ContainsFunc(p.Expand(), func(row []model.Call) bool {
			return slices.ContainsFunc(row, func(c model.Call) bool { return c.Op == model.Phase || c.Op.Synchronizes() })
		})
		if phased {
			return errors.New("a search of all clients adds signals to programs: it takes none that have signals, or phases, at whose end everybody waits for everybody")
		}
	}
	return nil
}
