package exhaust

import (
	"slices"

	"stealproof/ref"
)

// graph is an execution graph, or the beginning of one: which write each read
// reads, and how the writes of a location stand in coherence. Its events are in an
// order in which they can be made: each behind those of its process that come
// before it, and behind the write that it reads.
type graph []graphEvent

// graphEvent is an access of a process, the next one that it makes.
type graphEvent struct {
	process int16
	source  int16 // the event whose write it reads, or one of the numbers below
	// place is the first event, in coherence, whose write its own comes before, of
	// those that were made before it.
	place int16
	// added says when the event was added, and written when its write was: the
	// order that extensions and revisits go by.
	added, written int32
}

const (
	fromStart = -1 // reads what was there at the start, or reads nothing
	lastPlace = -1 // comes behind all writes, or does not write
	anyPlace  = -2 // comes wherever the memory allows it: all places are to be tried
)

// mostEvents bounds the events of a graph.
const mostEvents = 1000

// with is the graph with one more event.
func (g graph) with(e graphEvent) graph {
	more := make(graph, len(g)+1)
	copy(more, g)
	more[len(g)] = e
	return more
}

// placed is the graph with an event in a place of coherence.
func (g graph) placed(i int, place int16) graph {
	other := slices.Clone(g)
	other[i].place = place
	return other
}

// eventFacts is what is known of an event of the graph that is being made.
type eventFacts struct {
	location      ref.Location
	reads, writes bool
	step          int
	number        int16 // among the events of its process
	// prefix counts, of each process, the events that come before it in program
	// order and reads-from together, itself included.
	prefix []int16
}

// within says whether an event of a process is in a prefix.
func within(prefix []int16, process, number int16) bool { return number < prefix[process] }

// graphFacts are those of all events of the graph that is being made.
type graphFacts struct {
	events  []eventFacts
	counts  []int16   // events of each process
	last    [][]int16 // of each process, the prefix of its last event
	order   [][]int16 // of each location, its writes in coherence
	reads   [][]int16 // of each location
	touched []ref.Location
	byStep  []int16 // the event that was made at a step
	rows    []int16 // where prefixes lie
}

func (f *graphFacts) begin(processes, locations int) {
	if f.counts == nil {
		f.counts, f.last = make([]int16, processes), make([][]int16, processes)
		f.order, f.reads = make([][]int16, locations), make([][]int16, locations)
	}
	f.events, f.rows, f.byStep = f.events[:0], f.rows[:0], f.byStep[:0]
	clear(f.counts)
	none := f.row()
	for p := range f.last {
		f.last[p] = none
	}
	f.forget()
}

// forget empties the locations, at the end of a phase.
func (f *graphFacts) forget() {
	for _, l := range f.touched {
		f.order[l], f.reads[l] = f.order[l][:0], f.reads[l][:0]
	}
	f.touched = f.touched[:0]
}

// meet is the end of a phase: all that was made comes before all that will be.
func (f *graphFacts) meet() {
	all := f.row()
	copy(all, f.counts)
	for p := range f.last {
		f.last[p] = all
	}
	f.forget()
}

func (f *graphFacts) row() []int16 {
	n := len(f.counts)
	if len(f.rows)+n > cap(f.rows) {
		f.rows = make([]int16, 0, max(1024, 2*cap(f.rows))) // who has the old ones keeps them
	}
	f.rows = f.rows[:len(f.rows)+n]
	row := f.rows[len(f.rows)-n:]
	clear(row)
	return row
}

// prefixOf is the prefix of the next event of a process that reads a source, the
// event itself left out.
func (f *graphFacts) prefixOf(process, source int16) []int16 {
	row := f.row()
	copy(row, f.last[process])
	if source >= 0 {
		for p, n := range f.events[source].prefix {
			row[p] = max(row[p], n)
		}
	}
	return row
}

// add notes the next event of a graph.
func (f *graphFacts) add(e graphEvent, location ref.Location, step int, reads, writes bool) {
	i := int16(len(f.events))
	prefix := f.prefixOf(e.process, e.source)
	prefix[e.process]++
	f.events = append(f.events, eventFacts{location, reads, writes, step, f.counts[e.process], prefix})
	f.last[e.process] = prefix
	f.counts[e.process]++
	for len(f.byStep) <= step {
		f.byStep = append(f.byStep, fromStart)
	}
	f.byStep[step] = i
	if !reads && !writes {
		return
	}
	if len(f.order[location]) == 0 && len(f.reads[location]) == 0 {
		f.touched = append(f.touched, location)
	}
	if reads {
		f.reads[location] = append(f.reads[location], i)
	}
	if writes {
		at := len(f.order[location])
		if e.place >= 0 {
			at = slices.Index(f.order[location], e.place)
		}
		f.order[location] = slices.Insert(f.order[location], at, i)
	}
}
