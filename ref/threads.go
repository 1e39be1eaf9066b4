package ref

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"stealproof/model"
	"stealproof/ref/internal/weak"
)

// place is where a process runs: scopes are sets of places.
type place struct{ block, cluster, gpu int }

// placements say how processes are spread, by the smallest scope that contains
// two of them.
var placements = map[string]func(process int) place{
	"block":   func(int) place { return place{} },
	"cluster": func(p int) place { return place{block: p} },
	"gpu":     func(p int) place { return place{block: p, cluster: p} },
	"system":  func(p int) place { return place{block: p, cluster: p, gpu: p} },
}

// shares is the smallest scope that contains both places.
func (a place) shares(b place) Scope {
	switch {
	case a.gpu != b.gpu:
		return System
	case a.cluster != b.cluster:
		return GPU
	case a.block != b.block:
		return Cluster
	}
	return Block
}

// The memories that a program can be simulated on, as specs name them.
const (
	MemorySC   = "sc"
	MemoryPTX  = "ptx"
	MemoryRC11 = "rc11"
	MemoryTSO  = "tso"
)

// Memories are they, the sequentially consistent one first.
func Memories() []string { return []string{MemorySC, MemoryPTX, MemoryRC11, MemoryTSO} }

const defaultPlacement = "gpu"

// places resolves a memory's spec: where each process runs on a weak memory,
// nothing on the sequentially consistent one.
func places(m model.Spec, processes int) ([]place, error) {
	if m.Structure == "" || m.Structure == MemorySC {
		if len(m.Settings) > 0 {
			return nil, fmt.Errorf("%s: sc has no settings", m)
		}
		return nil, nil
	}
	switch m.Structure {
	case MemoryRC11, MemoryTSO:
		return make([]place, processes), checkProcessors(m)
	case MemoryPTX:
	default:
		return nil, fmt.Errorf("unknown memory %q: expected one of %s", m.Structure, strings.Join(Memories(), ", "))
	}
	name := defaultPlacement
	for setting, v := range m.Settings {
		switch setting {
		case "place":
			name = v
		case "buffering":
			if v != "yes" && v != "no" {
				return nil, fmt.Errorf("%s: buffering=%s: expected yes or no", m, v)
			}
		default:
			return nil, fmt.Errorf("%s: unknown setting %q: expected place or buffering", m, setting)
		}
	}
	where, known := placements[name]
	if !known {
		return onePlaceEach(name, processes)
	}
	all := make([]place, processes)
	for p := range all {
		all[p] = where(p)
	}
	return slices.Clip(all), nil
}

// checkProcessors refuses settings that the memories of processors do not have.
func checkProcessors(m model.Spec) error {
	for setting, v := range m.Settings {
		switch {
		case m.Structure == MemoryRC11 && setting == "races":
			if v != racesFault && v != racesAllowed {
				return fmt.Errorf("%s: races=%s: expected %s or %s", m, v, racesFault, racesAllowed)
			}
		case setting == "place":
			return fmt.Errorf("%s: there are no scopes on %s, so that it does not matter where processes run: place is a setting of ptx", m, m.Structure)
		case setting == "buffering":
			return fmt.Errorf("%s: there is no load buffering on %s: buffering is a setting of ptx", m, m.Structure)
		case m.Structure == MemoryTSO:
			return fmt.Errorf("%s: tso has no settings", m)
		default:
			return fmt.Errorf("%s: unknown setting %q: expected races", m, setting)
		}
	}
	return nil
}

// What a race of accesses that are not atomic is on rc11: undefined, as the language has
// it, or as if they were relaxed.
const (
	racesFault   = "fault"
	racesAllowed = "allowed"
)

// races says what becomes of data races: they are faults, or there are none since all
// accesses are atomic; or, on other memories than rc11, nothing.
func (s Subject) races() (faults, atomic bool) {
	if s.memory.Structure != MemoryRC11 {
		return false, false
	}
	atomic = s.memory.Settings["races"] == racesAllowed
	return !atomic, atomic
}

// weakMemory is that on which the program runs, nil if it is sequentially consistent.
func (s *Setup) weakMemory() weak.Memory {
	switch n, initial := s.Threads(), s.Space.initial; s.Subject.memory.Structure {
	case MemoryPTX:
		m := newWeakMemory(s.places, initial)
		m.buffers = s.Subject.Buffers()
		return m
	case MemoryRC11:
		return weak.NewRC11(n, initial)
	case MemoryTSO:
		return weak.NewTSO(n, initial)
	}
	return nil
}

// onePlaceEach reads a place for every process, as in "0.0.0+0.0.1+1.0.0": the
// number of its GPU, of the cluster there, and of the block in that.
func onePlaceEach(list string, processes int) ([]place, error) {
	var all []place
	for item := range strings.SplitSeq(list, "+") {
		var p place
		if n, err := fmt.Sscanf(item+";", "%d.%d.%d;", &p.gpu, &p.cluster, &p.block); n != 3 || err != nil || min(p.gpu, p.cluster, p.block) < 0 {
			return nil, fmt.Errorf("ptx: place=%s: expected block, cluster, gpu or system, or GPU.CLUSTER.BLOCK of every process, as in 0.0.0+0.0.1", list)
		}
		all = append(all, p)
	}
	if len(all) != processes {
		return nil, fmt.Errorf("ptx: place=%s: expected a place for each of %d processes, found %d", list, processes, len(all))
	}
	return all, nil
}

// CheckMemory refuses memories that there are not, for any number of processes.
func CheckMemory(m model.Spec) error {
	_, err := places(m, 1+strings.Count(m.Settings["place"], "+"))
	return err
}

// MostLanes is the number of lanes that a process may have: those of two warps.
const MostLanes = 64

// Cooperative is a structure whose operations the lanes of a process carry out
// together: the threads of a warp or of a block. It says nothing outside of the
// shared memory, as any Structure, but to the lanes of the same operation.
type Cooperative interface {
	Structure
	// Together begins an operation of a process.
	Together(o *model.Operation) Crew
}

// Crew carries out one operation.
type Crew interface {
	// Lane does the part of one lane. What came of the operation is filled in by the
	// time that all lanes have come back.
	Lane(m Lane, lane int)
}

// Lane is the shared memory as one lane of a process sees it, and how it waits for
// the others. Who is not waiting goes on access by access, in any order.
type Lane interface {
	Memory
	Waiting
}

// Waiting is how a lane waits for the others of its process.
type Waiting interface {
	// Wait waits until another lane of the process wakes this one.
	Wait()
	// Wake lets some that wait go on, as bits. What they and the caller did comes
	// before what they and the caller do next; with fence for the weak memory, too.
	Wake(lanes uint64, fence bool)
	// Gather lets every lane that was woken, or has begun its operation, come to its
	// next access, or to where it waits.
	Gather()
}

// team is what the lanes of a process have in common.
type team struct {
	lanes []*process
	crew  Crew
	begun int // lanes that have begun the operation
	ended int // and that have come back
	last  int // step of the last access in it
}

// Lanes is the number of lanes of each process.
func (s *Setup) Lanes() int { return max(1, s.lanes) }

// Threads is the number of those who make accesses, one by one: of processes, or of
// all their lanes. Choices, events and views number them, process after process.
func (s *Setup) Threads() int { return s.Processes() * s.Lanes() }

// ProcessOf is the process that a thread belongs to, and which of its lanes it is.
func (s *Setup) ProcessOf(thread int) (process, lane int) {
	return thread / s.Lanes(), thread % s.Lanes()
}

// ThreadName is what a thread is called: its process, and which lane of it.
func (s *Setup) ThreadName(thread int) string {
	process, lane := s.ProcessOf(thread)
	if s.Lanes() == 1 {
		return fmt.Sprintf("process %d", process)
	}
	return fmt.Sprintf("process %d, lane %d", process, lane)
}

// partake carries out the part of a lane in an operation, and returns when all lanes
// have come back. A signal, or a wait, is made by the first one.
func (p *process) partake(i int, o *model.Operation) {
	s, t := p.sim, p.team
	synchronizes := o.Op.Synchronizes()
	if t.begun == 0 {
		t.ended, t.last = 0, 0
		if !synchronizes {
			t.crew = s.setup.structures[o.Object].(Cooperative).Together(o)
		}
	}
	t.begun++
	switch {
	case !synchronizes:
		t.crew.Lane(p, p.lane)
	case p.lane == 0:
		p.synchronize(o, s.setup.syncs[i])
	}
	if t.ended++; t.ended < len(t.lanes) {
		p.Wait()
		return
	}
	t.begun, t.crew = 0, nil
	if !synchronizes {
		s.setup.judge(o)
		p.finish(i, o, t.last)
	}
	p.Wake((1<<len(t.lanes)-1)&^(1<<p.lane), true)
}

// Wait gives up the turn until another lane wakes this one.
func (p *process) Wait() {
	p.unwind()
	p.asleep = true
	p.sim.leave(p)
	p.park()
}

// Wake is explained at Lane.
func (p *process) Wake(lanes uint64, fence bool) {
	p.unwind()
	s := p.sim
	met := lanes | 1<<p.lane
	for lane := range slots(lanes) {
		q := p.team.lanes[lane]
		q.asleep = false
		s.woken = append(s.woken, q)
	}
	p.team.meet(met)
	if s.weak != nil {
		s.weak.MeetLanes(p.id-p.lane, met, fence)
	}
}

// meet puts what some lanes did before what they do next.
func (t *team) meet(lanes uint64) {
	var last [MostLanes]int
	for lane := range slots(lanes) {
		p := t.lanes[lane]
		last[lane] = max(last[lane], p.upcoming.Step)
		for other, step := range p.met {
			last[other] = max(last[other], step)
		}
	}
	for lane := range slots(lanes) {
		copy(t.lanes[lane].met, last[:])
	}
}

// comesBehind are the steps of other lanes that come before the next access.
func (p *process) comesBehind() []int {
	p.behind = p.behind[:0]
	for lane, step := range p.met {
		if step > 0 && lane != p.lane {
			p.behind = append(p.behind, step)
		}
	}
	return p.behind
}

// Gather is explained at Lane.
func (p *process) Gather() {
	p.unwind()
	p.asleep = true
	p.sim.gathered = append(p.sim.gathered, p)
	p.sim.leave(p)
	p.park()
}

// settle lets those run to their next access who were woken.
func (s *Sim) settle() {
	s.running = false
	for len(s.woken)+len(s.gathered) > 0 && s.result.Ending == Complete {
		if len(s.woken) == 0 { // everybody has come as far as possible
			for _, p := range s.gathered {
				p.asleep = false
			}
			s.woken, s.gathered = append(s.woken, s.gathered...), s.gathered[:0]
		}
		p := s.woken[0]
		s.woken = slices.Delete(s.woken, 0, 1)
		p.resume()
		if p.able() && !slices.Contains(s.view.Enabled, p.id) {
			i, _ := slices.BinarySearch(s.view.Enabled, p.id)
			s.view.Enabled = slices.Insert(s.view.Enabled, i, p.id)
		}
	}
	s.running = true
}

// able says whether a thread has come to an access.
func (p *process) able() bool { return !p.finished && !p.waiting && !p.blocked && !p.asleep }

// unwind ends what a lane does though its execution is over.
func (p *process) unwind() {
	if p.over {
		panic(unwinding{})
	}
}

// sleeper is a lane that waits for another one, nil if there is none.
func (s *Sim) sleeper() *process {
	for _, p := range s.processes {
		if p.asleep {
			return p
		}
	}
	return nil
}

// MeetLanes puts what some lanes did, from a thread on, before what they do next. That
// is causality only with a fence: a barrier is one, an exchange of registers is none.
func (m *weakMemory) MeetLanes(from int, lanes uint64, fence bool) {
	if bits.OnesCount64(lanes) < 2 {
		return
	}
	made, clock := m.clocks.clone(m.threads[from].made), m.clocks.clone(m.threads[from].clock)
	clear(made)
	clear(clock)
	for lane := range slots(lanes) {
		made.join(m.threads[from+lane].made)
		clock.join(m.threads[from+lane].clock)
	}
	for lane := range slots(lanes) {
		t := &m.threads[from+lane]
		t.made.join(made)
		if fence {
			t.clock.join(clock)
		}
	}
}

// placedLanes gives every lane of a process the place of the process.
func placedLanes(all []place, lanes int) []place {
	if lanes == 1 {
		return all
	}
	var each []place
	for _, p := range all {
		for range lanes {
			each = append(each, p)
		}
	}
	return each
}
