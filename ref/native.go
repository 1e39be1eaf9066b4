package ref

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"stealproof/model"
)

// Native runs programs on Go's atomics, with a goroutine per process and the
// machine's own scheduling. Go's atomics are sequentially consistent: orders
// and scopes are not weakened here. Times come from the monotonic clock.
type Native struct {
	setup *Setup
	// Naps is how many accesses, on average, lie between two at which a
	// process gives up its processor; 0 for none.
	Naps int
}

// NewNative prepares native runs.
func NewNative(setup *Setup) *Native { return &Native{setup: setup, Naps: 8} }

// nativeRun is one execution.
type nativeRun struct {
	setup  *Setup
	words  []atomic.Uint64
	ops    []model.Operation
	start  time.Time
	ready  atomic.Int32
	halted atomic.Bool
	phase  barrier

	mu      sync.Mutex
	fault   string
	faultAt int
	misuse  bool
}

// Run executes the program once. The seed decides only where processes nap;
// the rest is up to the machine. A context that ends cuts the execution.
func (n *Native) Run(ctx context.Context, seed uint64) *Execution {
	r := n.newRun()
	s := n.setup
	stop := context.AfterFunc(ctx, r.halt)
	defer stop()
	var wg sync.WaitGroup
	r.start = time.Now()
	for id := range s.Processes() {
		p := &nativeProcess{run: r, id: id, naps: uint64(n.Naps), random: seed*0x9e3779b97f4a7c15 + uint64(id)*0xbf58476d1ce4e5b9 + 1}
		wg.Go(p.main)
	}
	wg.Wait()
	return r.execution()
}

func (n *Native) newRun() *nativeRun {
	s := n.setup
	r := &nativeRun{setup: s, words: make([]atomic.Uint64, len(s.Space.initial)), ops: slices.Clone(s.ops), faultAt: nobody}
	for i, v := range s.Space.initial {
		r.words[i].Store(v)
	}
	r.phase.wanted = s.Processes()
	return r
}

func (r *nativeRun) halt() {
	r.halted.Store(true)
	r.phase.halt()
}

func (r *nativeRun) execution() *Execution {
	e := &Execution{Setup: r.setup, FaultProcess: r.faultAt, Fault: r.fault, Misuse: r.misuse}
	switch {
	case r.fault != "":
		e.Ending = Faulted
	case r.halted.Load():
		e.Ending = Cut
	}
	ops := slices.DeleteFunc(r.ops, func(o model.Operation) bool { return o.Call == 0 })
	if e.Ending != Complete {
		forgetUnfinished(ops)
	}
	e.History = r.setup.history(ops, model.Clock{Source: "monotonic", Unit: "ns", Resolution: 1})
	return e
}

// now is above 0, which marks operations that were never called.
func (r *nativeRun) now() uint64 { return uint64(time.Since(r.start)) + 1 }

type nativeProcess struct {
	run    *nativeRun
	id     int
	naps   uint64
	random uint64
	host   bool // acts between phases, alone, and never pauses
}

func (p *nativeProcess) main() {
	defer p.catch()
	r := p.run
	r.ready.Add(1)
	for int(r.ready.Load()) < r.setup.Processes() {
		runtime.Gosched()
	}
	var removed *model.Operation
	for i := r.setup.first[p.id]; i < r.setup.first[p.id+1]; i++ {
		o := &r.ops[i]
		if o.Op == model.Phase {
			r.phase.wait(p.endPhase)
			continue
		}
		if r.setup.last[i] && !resolveLast(o, removed) {
			continue
		}
		if o.Op.Synchronizes() {
			p.synchronize(o, r.setup.syncs[i])
			continue
		}
		o.Call = r.now()
		r.setup.do(p, o)
		o.Return = r.now()
		if o.TakesOut() {
			removed = o
		}
	}
	r.phase.leave(p.endPhase)
}

// catch keeps the first fault and stops everybody.
func (p *nativeProcess) catch() {
	r := recover()
	if _, halted := r.(unwinding); r == nil || halted {
		return
	}
	p.run.mu.Lock()
	if p.run.fault == "" {
		p.run.fault, p.run.faultAt, p.run.misuse = describePanic(r), p.id, isMisuse(r)
	}
	p.run.mu.Unlock()
	p.run.halt()
}

func (p *nativeProcess) endPhase() {
	host := &nativeProcess{run: p.run, host: true}
	for _, st := range p.run.setup.structures {
		if ph, ok := st.(Phased); ok {
			ph.NextPhase(host)
		}
	}
}

// pause comes before every access: a process may lose its processor there, or
// learns that the run was halted.
func (p *nativeProcess) pause(k AccessKind, l Location, a Access) {
	if !a.Order.Fits(k) {
		refuseOrder(p.run.setup.Space, k, l, a)
	}
	if p.host {
		return
	}
	if p.run.halted.Load() {
		panic(unwinding{})
	}
	if p.naps == 0 {
		return
	}
	p.random ^= p.random << 13
	p.random ^= p.random >> 7
	p.random ^= p.random << 17
	if p.random%p.naps == 0 {
		runtime.Gosched()
	}
}

func (p *nativeProcess) Load(l Location, a Access) uint64 {
	p.pause(Load, l, a)
	return p.run.words[l].Load()
}

func (p *nativeProcess) Store(l Location, v uint64, a Access) {
	p.pause(Store, l, a)
	p.run.words[l].Store(v)
}

func (p *nativeProcess) CompareAndSwap(l Location, old, new uint64, a Access) (uint64, bool) {
	p.pause(CompareAndSwap, l, a)
	for {
		if p.run.words[l].CompareAndSwap(old, new) {
			return old, true
		}
		if seen := p.run.words[l].Load(); seen != old {
			return seen, false
		}
	}
}

func (p *nativeProcess) FetchAdd(l Location, delta uint64, a Access) uint64 {
	p.pause(FetchAdd, l, a)
	return p.run.words[l].Add(delta) - delta
}

func (p *nativeProcess) Modify(l Location, operand uint64, change Change, a Access) uint64 {
	p.pause(Modify, l, a)
	for {
		before := p.run.words[l].Load()
		if p.run.words[l].CompareAndSwap(before, change(before, operand)) {
			return before
		}
	}
}

func (p *nativeProcess) Fence(a Access) {
	if !a.Order.Fits(Fence) {
		refuseOrder(p.run.setup.Space, Fence, 0, a)
	}
}

// synchronize gives a signal, or waits for one.
func (p *nativeProcess) synchronize(o *model.Operation, c clientSync) {
	word := &p.run.words[c.word]
	if o.Op == model.Signal {
		word.Store(given)
		return
	}
	for word.Load() != given {
		if p.run.halted.Load() {
			panic(unwinding{})
		}
		runtime.Gosched()
	}
}

// barrier is where processes wait for one another between phases.
type barrier struct {
	mu      sync.Mutex
	wanted  int
	arrived int
	open    chan struct{}
	halted  bool
}

// wait blocks until all processes have arrived; the last one acts first.
func (b *barrier) wait(act func()) {
	b.mu.Lock()
	if b.halted {
		b.mu.Unlock()
		panic(unwinding{})
	}
	if b.open == nil {
		b.open = make(chan struct{})
	}
	open := b.open
	b.arrived++
	b.release(act)
	b.mu.Unlock()
	<-open
}

// leave says that a process has finished its program and will not arrive.
func (b *barrier) leave(act func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.wanted--
	if b.arrived > 0 {
		b.release(act)
	}
}

func (b *barrier) release(act func()) {
	if b.arrived < b.wanted || b.halted {
		return
	}
	act()
	b.arrived = 0
	close(b.open)
	b.open = nil
}

func (b *barrier) halt() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.halted = true
	if b.open != nil {
		close(b.open)
		b.open = nil
	}
}
