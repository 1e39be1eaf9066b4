package litmus

import (
	"fmt"
	"slices"
	"strings"

	"stealproof/ref/axioms"
)

// A second procedure, to compare with: it guesses everything (what each load
// returns, what it reads from, the whole partial order of writes, the order of
// fences), runs each thread by itself on concrete numbers, and then asks the
// axioms, written once more, point by point. It shares nothing with the search
// but the parser.

// largestValue bounds guesses: programs compared here stay below it.
const largestValue = 3

type naiveEvent struct {
	thread, location int
	kind             byte // R, W, F, S (sync), A (arrive), P (proxy fence), L (alias fence)
	order            axioms.Order
	scope            axioms.Scope
	value            int64
	rmw              int          // of an atomic's write: index of its read
	deps             map[int]bool // reads of the thread's run
	phase            string
	proxy            axioms.Proxy
	alias            int
	counted          bool  // a barrier with a number of participants
	quorum           int64 // of one that says it
}

type naiveRun struct {
	events    []naiveEvent
	registers []Value
	waits     bool // for ever, at its last event
}

// naiveRuns executes a thread with every guess of what its reads return, and of
// the barrier, if any, where it waits for ever.
func naiveRuns(t *Test, thread int) []naiveRun {
	var all []naiveRun
	var try func(last int, guess []int64)
	try = func(last int, guess []int64) {
		r, needsMore := naiveExecute(t, thread, last, guess)
		switch {
		case needsMore:
			for v := int64(0); v <= largestValue; v++ {
				try(last, append(slices.Clone(guess), v))
			}
		case last < 0 || r.waits:
			all = append(all, r)
		}
	}
	try(-1, nil)
	for last, i := range t.Threads[thread].Code {
		if i.Op == Sync && i.HasQuorum {
			try(last, nil)
		}
	}
	return all
}

type tainted struct {
	value int64
	from  map[int]bool
}

func merge(sets ...map[int]bool) map[int]bool {
	m := map[int]bool{}
	for _, s := range sets {
		for k := range s {
			m[k] = true
		}
	}
	return m
}

// naiveExecute goes on to the end, or to the sync that is instruction last.
func naiveExecute(t *Test, thread, last int, guess []int64) (run naiveRun, needsMore bool) {
	th := t.Threads[thread]
	assigned := slices.Clone(th.declared)
	registers := make([]tainted, len(th.Registers))
	for i := range registers {
		registers[i].value = th.Initial[i]
	}
	operand := func(o Operand) tainted {
		if o.IsRegister {
			return registers[o.Register]
		}
		return tainted{value: o.Constant}
	}
	control := map[int]bool{}
	times := map[string]int{}
	emit := func(i Instruction, e naiveEvent, deps ...map[int]bool) int {
		e.thread, e.scope, e.rmw = thread, i.Scope, max(e.rmw, -1)
		e.proxy, e.alias = i.Proxy, i.Alias
		e.deps = merge(append(deps, control)...)
		run.events = append(run.events, e)
		return len(run.events) - 1
	}
	read := func(i Instruction, order axioms.Order) (tainted, int) {
		if len(guess) == 0 {
			needsMore = true
			return tainted{}, 0
		}
		v := guess[0]
		guess = guess[1:]
		at := emit(i, naiveEvent{kind: 'R', location: i.Location, order: order, value: v, rmw: -1})
		return tainted{v, map[int]bool{at: true}}, at
	}
	at := 0
	for ; at < len(th.Code) && !run.waits; at++ {
		i := th.Code[at]
		if i.setsRegister() && i.Register != NoRegister {
			assigned[i.Register] = true
		}
		switch i.Op {
		case Load:
			v, _ := read(i, i.Order)
			if needsMore {
				return
			}
			registers[i.Register] = v
		case Store:
			v := operand(i.A)
			emit(i, naiveEvent{kind: 'W', location: i.Location, order: i.Order, value: v.value, rmw: -1}, v.from)
		case Move:
			registers[i.Register] = operand(i.A)
		case Compute:
			a, b := operand(i.A), operand(i.B)
			registers[i.Register] = tainted{i.Math.apply(a.value, b.value), merge(a.from, b.from)}
		case Fence:
			emit(i, naiveEvent{kind: 'F', order: i.Order, rmw: -1})
		case ProxyFence:
			emit(i, naiveEvent{kind: 'P', rmw: -1})
		case AliasFence:
			emit(i, naiveEvent{kind: 'L', rmw: -1})
		case Sync, Arrive:
			kind := byte('S')
			if i.Op == Arrive {
				kind = 'A'
			}
			name := fmt.Sprint(i.Barrier, i.HasID, operand(i.ID).value)
			times[name]++
			e := naiveEvent{kind: kind, rmw: -1, phase: fmt.Sprint(name, "#", times[name])}
			if i.counted {
				e.phase, e.counted, e.quorum = name, true, operand(i.Quorum).value
			}
			emit(i, e)
			run.waits = at == last && i.Op == Sync && i.HasQuorum
		case Atomic, Exchange, Compare:
			readOrder, writeOrder := axioms.Relaxed, axioms.Relaxed
			if i.Order == axioms.Acquire || i.Order == axioms.AcqRel {
				readOrder = axioms.Acquire
			}
			if i.Order == axioms.Release || i.Order == axioms.AcqRel {
				writeOrder = axioms.Release
			}
			old, r := read(i, readOrder)
			if needsMore {
				return
			}
			a, b := operand(i.A), operand(i.B)
			w := naiveEvent{kind: 'W', location: i.Location, order: writeOrder, rmw: r}
			switch {
			case i.Op == Exchange:
				w.value = a.value
				emit(i, w, a.from)
			case i.Op == Atomic:
				w.value = i.Math.apply(old.value, a.value)
				emit(i, w, a.from, old.from)
			case old.value == a.value:
				w.value = b.value
				emit(i, w, a.from, b.from, old.from)
			}
			if i.Register != NoRegister {
				registers[i.Register] = old
			}
		case Branch:
			a, b := operand(i.A), operand(i.B)
			control = merge(control, a.from, b.from)
			if i.Comparison.holds(a.value, b.value) {
				at = i.Target - 1
			}
		case Goto:
			at = i.Target - 1
		}
	}
	for r, held := range registers {
		v := Value{Number: held.value}
		if run.waits && !assigned[r] && th.sets(r, at-1) {
			v = Value{Unset: true}
		}
		run.registers = append(run.registers, v)
	}
	return run, false
}

// naiveOutcomes are all final states, of all registers and locations.
func naiveOutcomes(t *Test) map[string]bool {
	outcomes := map[string]bool{}
	runs := make([][]naiveRun, len(t.Threads))
	for i := range runs {
		runs[i] = naiveRuns(t, i)
	}
	chosen := make([]naiveRun, len(runs))
	var choose func(int)
	choose = func(i int) {
		if i == len(runs) {
			naiveCombination(t, chosen, outcomes)
			return
		}
		for _, r := range runs[i] {
			chosen[i] = r
			choose(i + 1)
		}
	}
	choose(0)
	return outcomes
}

func naiveCombination(t *Test, runs []naiveRun, outcomes map[string]bool) {
	x := &naiveExecution{test: t}
	for thread, r := range runs {
		if r.waits {
			x.waiting = append(x.waiting, thread)
		}
	}
	for l, v := range t.Initial {
		x.events = append(x.events, naiveEvent{thread: -1, kind: 'W', location: l, value: v, rmw: -1})
	}
	var registers []Value
	for _, r := range runs {
		offset := len(x.events)
		for _, e := range r.events {
			deps := map[int]bool{}
			for d := range e.deps {
				deps[d+offset] = true
			}
			if e.deps = deps; e.rmw >= 0 {
				e.rmw += offset
			}
			x.events = append(x.events, e)
		}
		registers = append(registers, r.registers...)
	}
	if !x.everythingIsWritten() {
		return
	}
	n := len(x.events)
	x.rf = make([]int, n)
	x.strong, x.release, x.acquire = newMatrix(n), newMatrix(n), newMatrix(n)
	for i := range n {
		for j := range n {
			if x.morallyStrong(i, j) {
				x.strong.add(i, j)
			}
			if x.events[j].kind == 'W' && x.releases(i, j) {
				x.release.add(i, j)
			}
			if x.events[i].kind == 'R' && x.acquires(i, j) {
				x.acquire.add(i, j)
			}
		}
	}
	x.guessArrivals(func() {
		x.guessReads(0, func() {
			if x.thinAir() {
				return
			}
			observed := x.observations()
			x.guessFences(func() {
				sync := x.syncs(observed)
				if !x.inTime(sync) {
					return
				}
				cause := x.causes(sync, observed)
				x.guessOrders(func() {
					if x.allowed(cause) {
						x.note(registers, outcomes)
					}
				})
			})
		})
	})
}

// everythingIsWritten says whether some write has the value of each read.
func (x *naiveExecution) everythingIsWritten() bool {
	for _, r := range x.events {
		isIt := func(w naiveEvent) bool { return w.kind == 'W' && w.location == r.location && w.value == r.value }
		if r.kind == 'R' && !slices.ContainsFunc(x.events, isIt) {
			return false
		}
	}
	return true
}

// guessArrivals tries every order in which threads may come to the barriers with
// a number of participants, and gives each round a phase of its own.
func (x *naiveExecution) guessArrivals(then func()) {
	var all []int
	for i := range x.events {
		if x.events[i].counted {
			all = append(all, i)
		}
	}
	var permute func(k int)
	permute = func(k int) {
		if k < len(all) {
			for i := k; i < len(all); i++ {
				all[k], all[i] = all[i], all[k]
				permute(k + 1)
				all[k], all[i] = all[i], all[k]
			}
			return
		}
		names := map[int]string{}
		for _, i := range all {
			names[i] = x.events[i].phase
		}
		if x.arriveIn(all) {
			x.arrivals = all
			then()
		}
		for i, name := range names {
			x.events[i].phase = name
		}
	}
	permute(0)
}

// arriveIn says whether threads can come in this order, and those wait for ever
// in the end that are guessed to.
func (x *naiveExecution) arriveIn(order []int) bool {
	type round struct {
		number  int
		members []int
	}
	open := map[string]*round{}
	waitsAt := map[int]int{} // events, by thread
	for k, i := range order {
		e := &x.events[i]
		for _, later := range order[k+1:] {
			if x.po(later, i) {
				return false
			}
		}
		if _, waits := waitsAt[e.thread]; waits {
			return false
		}
		name := e.phase
		r := open[name]
		if r == nil {
			r = &round{number: k}
			open[name] = r
		}
		e.phase = fmt.Sprint(name, " round ", r.number)
		if r.members = append(r.members, i); e.kind == 'S' {
			waitsAt[e.thread] = i
		}
		over, asked := true, false
		for _, m := range r.members {
			quorum := x.events[m].quorum
			asked = asked || quorum > 0
			over = over && quorum <= int64(len(r.members))
			if at, waits := waitsAt[x.events[m].thread]; waits && at == m && quorum <= int64(len(r.members)) {
				delete(waitsAt, x.events[m].thread)
			}
		}
		if over && asked {
			delete(open, name)
		}
	}
	var waiting []int
	for thread := range waitsAt {
		waiting = append(waiting, thread)
	}
	slices.Sort(waiting)
	return slices.Equal(waiting, x.waiting)
}

func (x *naiveExecution) guessReads(i int, then func()) {
	if i == len(x.events) {
		then()
		return
	}
	if x.events[i].kind != 'R' {
		x.guessReads(i+1, then)
		return
	}
	for w, e := range x.events {
		if e.kind == 'W' && e.location == x.events[i].location && e.value == x.events[i].value {
			x.rf[i] = w
			x.guessReads(i+1, then)
		}
	}
}

func (x *naiveExecution) guessFences(then func()) {
	var all []int
	for i, e := range x.events {
		if e.kind == 'F' && e.order == axioms.SC {
			all = append(all, i)
		}
	}
	var permute func(k int)
	permute = func(k int) {
		if k == len(all) {
			x.fences = all
			then()
			return
		}
		for i := k; i < len(all); i++ {
			all[k], all[i] = all[i], all[k]
			permute(k + 1)
			all[k], all[i] = all[i], all[k]
		}
	}
	permute(0)
}

// guessOrders tries every strict partial order of the writes of each location,
// initial writes first.
func (x *naiveExecution) guessOrders(then func()) {
	n := len(x.events)
	x.co = newMatrix(n)
	var open [][2]int
	for i := range n {
		for j := range n {
			if x.events[i].kind != 'W' || x.events[j].kind != 'W' || !x.sameLocation(i, j) || i == j {
				continue
			}
			switch {
			case x.events[i].thread < 0:
				x.co.add(i, j)
			case x.events[j].thread >= 0 && i < j:
				open = append(open, [2]int{i, j})
			}
		}
	}
	var guess func(k int)
	guess = func(k int) {
		if k == len(open) {
			if x.co.transitive() {
				then()
			}
			return
		}
		i, j := open[k][0], open[k][1]
		guess(k + 1)
		x.co.add(i, j)
		guess(k + 1)
		x.co.take(i, j)
		x.co.add(j, i)
		guess(k + 1)
		x.co.take(j, i)
	}
	guess(0)
}

func (x *naiveExecution) note(registers []Value, outcomes map[string]bool) {
	finals := make([][]int64, len(x.test.Locations))
	for i, e := range x.events {
		if e.kind == 'W' && x.co[i] == 0 {
			finals[e.location] = append(finals[e.location], e.value)
		}
	}
	var choose func(l int, text string)
	choose = func(l int, text string) {
		if l == len(finals) {
			text = strings.TrimSpace(text)
			if len(x.waiting) > 0 {
				text += fmt.Sprint(" waiting ", x.waiting)
			}
			outcomes[text] = true
			return
		}
		for _, v := range finals[l] {
			choose(l+1, text+fmt.Sprint(v)+" ")
		}
	}
	var b strings.Builder
	for _, r := range registers {
		fmt.Fprint(&b, r, " ")
	}
	choose(0, b.String())
}
