package graph

import (
	"fmt"
	"slices"
	"strings"

	"stealproof/ref"
)

// Graph is an execution graph, or the beginning of one: which write each read
// reads, and how the writes of a location stand in coherence. Its events are in an
// order in which they can be made: each behind those of its process that come
// before it, and behind the write that it reads.
type Graph []event

// event is an access of a process, the next one that it makes.
type event struct {
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

// String writes a graph in one line: of each event its process, what it reads, its
// place, and when it and its write were added.
func (g Graph) String() string {
	events := make([]string, len(g))
	for i, e := range g {
		events[i] = fmt.Sprintf("%d:%d:%d:%d:%d", e.process, e.source, e.place, e.added, e.written)
	}
	return strings.Join(events, ",")
}

// Parse reads what String has written.
func Parse(text string) (Graph, error) {
	g := Graph{}
	for item := range strings.SplitSeq(text, ",") {
		if text == "" {
			break
		}
		const form = "%d:%d:%d:%d:%d"
		var e event
		if n, err := fmt.Sscanf(item, form, &e.process, &e.source, &e.place, &e.added, &e.written); err != nil || n != 5 {
			return nil, fmt.Errorf("expected a line as in %q, found %.60q", form, item)
		}
		if i := int16(len(g)); e.process < 0 || e.source < fromStart || e.source >= i || e.place < anyPlace || e.place >= i || e.added < 0 || e.written < 0 || i > mostEvents {
			return nil, fmt.Errorf("event %q: expected a process, and events before this one", item)
		}
		g = append(g, e)
	}
	return g, nil
}

// Processes says how many processes a graph may have events of, at least.
func (g Graph) Processes() int {
	n := 0
	for _, e := range g {
		n = max(n, int(e.process)+1)
	}
	return n
}

// mostEvents bounds the events of a graph.
const mostEvents = 1000

// with is the graph with one more event.
func (g Graph) with(e event) Graph {
	more := make(Graph, len(g)+1)
	copy(more, g)
	more[len(g)] = e
	return more
}

// placed is the graph with an event in a place of coherence.
func (g Graph) placed(i int, place int16) Graph {
	other := slices.Clone(g)
	other[i].place = place
	return other
}

// eventFacts is what is known of an event of the graph that is being made.
type eventFacts struct {
	location      ref.Location
	kind          ref.AccessKind
	site          uint8
	reads, writes bool
	step          int
	number        int16 // among the events of its process
	// prefix counts, of each process, the events that come before it in program
	// order and reads-from together, itself included; and those behind which it is made
	// because its process is like another one.
	prefix []int16
}

// joins adds the prefix of an event to another one.
func (e *eventFacts) joins(prefix []int16) {
	for p, n := range e.prefix {
		prefix[p] = max(prefix[p], n)
	}
}

// within says whether an event of a process is in a prefix.
func within(prefix []int16, process, number int16) bool { return number < prefix[process] }

// facts are what is known of all events of the graph that is being made.
type facts struct {
	events  []eventFacts
	counts  []int16   // events of each process
	last    [][]int16 // of each process, the prefix of its last event
	order   [][]int16 // of each location, its writes in coherence
	reads   [][]int16 // of each location
	touched []ref.Location
	byStep  []int16 // the event that was made at a step
	skipped []skipped
	rows    []int16 // where prefixes lie
}

// skipped is an access that became no event: it repeated one before.
type skipped struct {
	step int
	last int16 // event of its process, or -1
}

// skip notes one.
func (f *facts) skip(step int, last int16) { f.skipped = append(f.skipped, skipped{step, last}) }

// at is the event that was made at a step, or the last one of its process that was; -1 if
// there is none.
func (f *facts) at(step int) int16 {
	for i := len(f.skipped) - 1; i >= 0; i-- {
		if f.skipped[i].step == step {
			return f.skipped[i].last
		}
	}
	return f.byStep[step]
}

func (f *facts) begin(processes, locations int) {
	if f.counts == nil {
		f.counts, f.last = make([]int16, processes), make([][]int16, processes)
		f.order, f.reads = make([][]int16, locations), make([][]int16, locations)
	}
	f.events, f.rows, f.byStep, f.skipped = f.events[:0], f.rows[:0], f.byStep[:0], f.skipped[:0]
	clear(f.counts)
	none := f.row()
	for p := range f.last {
		f.last[p] = none
	}
	f.forget()
}

// forget empties the locations, at the end of a phase.
func (f *facts) forget() {
	for _, l := range f.touched {
		f.order[l], f.reads[l] = f.order[l][:0], f.reads[l][:0]
	}
	f.touched = f.touched[:0]
}

// meet is the end of a phase: all that was made comes before all that will be.
func (f *facts) meet() {
	all := f.row()
	copy(all, f.counts)
	for p := range f.last {
		f.last[p] = all
	}
	f.forget()
}

func (f *facts) row() []int16 {
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
func (f *facts) prefixOf(process, source int16) []int16 {
	row := f.row()
	copy(row, f.last[process])
	if source >= 0 {
		f.events[source].joins(row)
	}
	return row
}

// behind puts the events of some steps before the next one of a process.
func (f *facts) behind(process int, steps []int) {
	if len(steps) == 0 {
		return
	}
	row := f.row()
	copy(row, f.last[process])
	for _, step := range steps {
		if i := f.at(step); i >= 0 {
			f.events[i].joins(row)
		}
	}
	f.last[process] = row
}

// add notes the next event of a graph.
func (f *facts) add(e event, a *ref.Event, step int, reads, writes bool) {
	location := a.Location
	i := int16(len(f.events))
	prefix := f.prefixOf(e.process, e.source)
	prefix[e.process]++
	f.events = append(f.events, eventFacts{location, a.Kind, a.Access.Site, reads, writes, step, f.counts[e.process], prefix})
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

// Key names the graph that was made, whatever the order of its events: what each
// reads, and how the writes of each location stand. Processes have other numbers there,
// nil for their own.
func (r *Run) Key(number []int) string {
	process := func(p int) int {
		if number == nil {
			return p
		}
		return number[p]
	}
	at := func(i int16) string {
		if i < 0 {
			return "-"
		}
		return fmt.Sprintf("%d.%d", process(int(r.graph[i].process)), r.facts.events[i].number)
	}
	rows := make([]string, len(r.facts.counts))
	for i, e := range r.graph {
		rows[process(int(e.process))] += at(int16(i)) + "<" + at(e.source) + " "
	}
	var orders []string
	for _, order := range r.facts.order {
		text := ""
		for _, w := range order {
			text += at(w) + " "
		}
		orders = append(orders, text)
	}
	slices.Sort(orders)
	return strings.Join(append(rows, orders...), ":")
}
