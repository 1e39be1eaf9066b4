package queuetest

import (
	"bytes"
	"hash/fnv"
	"reflect"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"stealproof/model"
	"stealproof/ref"
)

// watch stands between a queue and the memory. It notices what no schedule can
// show: an operation that neither returns nor makes an access, and accesses by
// goroutines of the queue's own. And it tells accesses of different lines apart,
// so that a queue need not number them.
type watch struct {
	// running is the operation whose code runs now, nil while the simulation does.
	running atomic.Pointer[operation]
	ticks   atomic.Uint64 // counts changes of running
	// strict asks at every access which goroutine makes it, which takes a
	// microsecond.
	strict atomic.Bool
	// stray is set when a goroutine of the queue's own made an access, until a
	// process is told.
	stray atomic.Bool

	// named: every access has the site of its line already.
	named bool

	mu    sync.Mutex
	sites map[uint64]uint8
}

func newWatch() *watch { return &watch{sites: map[uint64]uint8{}} }

// below is a structure, and what patches make of it, with the watch around it.
func (w *watch) below(f ref.Foreign) ref.Foreign {
	build := f.Build
	f.Build = func(s *ref.Space, processes int) ref.Structure { return w.around(build(s, processes)) }
	if changed := f.Changed; changed != nil {
		f.Changed = func(settings model.Settings) (ref.Foreign, error) {
			other, err := changed(settings)
			if err != nil {
				return other, err
			}
			return w.below(other), nil
		}
	}
	return f
}

// around puts the watch around a structure. What lanes carry out together is no code in
// Go, and has no goroutines.
func (w *watch) around(st ref.Structure) ref.Structure {
	if st == nil {
		return nil
	}
	if _, together := st.(ref.Cooperative); together {
		return st
	}
	if p, ok := st.(ref.Phased); ok {
		return phased{watched{st, w}, p}
	}
	return watched{st, w}
}

type watched struct {
	inner ref.Structure
	watch *watch
}

type phased struct {
	watched
	inner ref.Phased
}

func (p phased) NextPhase(m ref.Memory) { p.inner.NextPhase(m) }

// Do carries out an operation on a memory that watches it.
func (s watched) Do(m ref.Memory, o *model.Operation) {
	op := &operation{inner: m, watch: s.watch, what: o.Op, process: o.Process}
	if s.watch.strict.Load() {
		op.goroutine = goroutine()
	}
	defer op.end()
	op.enter()
	s.inner.Do(op, o)
	op.refuseStrays()
}

// operation is the memory as one operation sees it.
type operation struct {
	inner     ref.Memory
	watch     *watch
	what      model.Op
	process   uint32
	goroutine uint64 // that may access memory, 0 for not asked
	accesses  atomic.Int64
	waiting   atomic.Bool // for its turn, or over
	ended     atomic.Bool
	last      access
	site      uint8
}

// access is what makes two accesses look alike.
type access struct {
	kind     ref.AccessKind
	location ref.Location
	expected uint64
	how      ref.Access
}

func (o *operation) enter() {
	o.watch.running.Store(o)
	o.watch.ticks.Add(1)
}

func (o *operation) end() {
	o.ended.Store(true)
	o.waiting.Store(true)
	o.watch.running.Store(nil)
}

// begin comes before every access.
func (o *operation) begin(a access) ref.Access {
	if o.goroutine != 0 && o.goroutine != goroutine() || o.waiting.Swap(true) && !o.unwinds() {
		o.watch.stray.Store(true)
		runtime.Goexit() // a panic here would end the test binary
	}
	o.refuseStrays()
	o.watch.running.Store(nil)
	o.watch.ticks.Add(1)
	o.accesses.Add(1)
	if a.how.Site == 0 && a.kind != ref.Fence && !o.watch.named {
		a.how.Site = o.siteOf(a)
	}
	return a.how
}

// nameOfDo is watched.Do as it stands in a stack, whatever the path of the module.
var nameOfDo = reflect.TypeFor[watched]().PkgPath() + ".watched.Do"

// unwinds says whether it is the process itself that makes an access though its
// last one has not come back: the execution was cut there, and what the queue has
// deferred is carried out. The memory refuses it.
func (o *operation) unwinds() bool {
	if o.ended.Load() {
		return false
	}
	pcs := make([]uintptr, 64)
	for n := len(pcs); n == len(pcs); pcs = make([]uintptr, 2*len(pcs)) {
		n = runtime.Callers(0, pcs)
		for frames := runtime.CallersFrames(pcs[:n]); ; {
			frame, more := frames.Next()
			if frame.Function == nameOfDo {
				return true
			}
			if !more {
				break
			}
		}
	}
	return false
}

// done comes behind every access.
func (o *operation) done() {
	o.waiting.Store(false)
	o.enter()
}

func (o *operation) refuseStrays() {
	if o.watch.stray.Swap(false) {
		panic(&ref.Fault{Msg: o.what.String() + " " + strayed})
	}
}

const strayed = "accesses memory from a goroutine of its own: only the process itself may"

// siteOf tells the lines of a queue apart where it matters: where an access
// looks like the one before. The same line then spins; another one does not.
func (o *operation) siteOf(a access) uint8 {
	if a != o.last {
		o.last, o.site = a, 0
		return 0
	}
	var pcs [8]uintptr
	n := runtime.Callers(4, pcs[:]) // this, begin, the access, and their caller
	h := fnv.New64a()
	for _, pc := range pcs[:n] {
		var b [8]byte
		for i := range b {
			b[i] = byte(pc >> (8 * i))
		}
		h.Write(b[:])
	}
	return o.watch.number(h.Sum64())
}

// number gives every caller a site of its own, as far as there are.
func (w *watch) number(caller uint64) uint8 {
	w.mu.Lock()
	defer w.mu.Unlock()
	n, known := w.sites[caller]
	if !known {
		n = uint8(1 + len(w.sites)%255)
		w.sites[caller] = n
	}
	return n
}

func (o *operation) Load(l ref.Location, a ref.Access) uint64 {
	a = o.begin(access{ref.Load, l, 0, a})
	v := o.inner.Load(l, a)
	o.done()
	return v
}

func (o *operation) Store(l ref.Location, v uint64, a ref.Access) {
	a = o.begin(access{ref.Store, l, 0, a})
	o.inner.Store(l, v, a)
	o.done()
}

func (o *operation) CompareAndSwap(l ref.Location, old, new uint64, a ref.Access) (uint64, bool) {
	a = o.begin(access{ref.CompareAndSwap, l, old, a})
	seen, swapped := o.inner.CompareAndSwap(l, old, new, a)
	o.done()
	return seen, swapped
}

func (o *operation) FetchAdd(l ref.Location, delta uint64, a ref.Access) uint64 {
	a = o.begin(access{ref.FetchAdd, l, 0, a})
	v := o.inner.FetchAdd(l, delta, a)
	o.done()
	return v
}

func (o *operation) Modify(l ref.Location, operand uint64, change ref.Change, a ref.Access) uint64 {
	a = o.begin(access{ref.Modify, l, operand, a})
	v := o.inner.Modify(l, operand, change, a)
	o.done()
	return v
}

func (o *operation) Fence(a ref.Access) {
	a = o.begin(access{ref.Fence, 0, 0, a})
	o.inner.Fence(a)
	o.done()
}

// goroutine is the number of the current one, which only the head of its stack
// trace tells.
func goroutine() uint64 {
	var buf [32]byte
	n := runtime.Stack(buf[:], false)
	digits, _, _ := bytes.Cut(bytes.TrimPrefix(buf[:n], []byte("goroutine ")), []byte(" "))
	id := uint64(0)
	for _, d := range digits {
		id = 10*id + uint64(d-'0')
	}
	return id
}

// looks is how many times in a row nothing has happened until nothing ever will:
// on a busy machine a moment says little.
const looks = 20

// endless waits for done, and returns the operation that neither returned nor
// made an access for as long as the patience goes.
func (w *watch) endless(done <-chan struct{}, patience time.Duration) *operation {
	every := time.NewTicker(max(patience/looks, time.Millisecond))
	defer every.Stop()
	seen, same := uint64(0), 0
	for {
		select {
		case <-done:
			return nil
		case <-every.C:
			ticks, op := w.ticks.Load(), w.running.Load()
			if op == nil || ticks != seen {
				seen, same = ticks, 0
			} else if same++; same >= looks {
				return op
			}
		}
	}
}
