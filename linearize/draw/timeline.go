// Package draw shows histories to people: the timeline of a violation as a page of
// HTML, and statistics. The histories are such as model.History.Validate accepts.
package draw

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"stealproof/linearize"
	"stealproof/linearize/internal/wording"
	"stealproof/model"
)

const (
	timelineBars = 200 // more, nobody reads
	labelLength  = 24  // runes
)

// WriteTimeline writes a picture of a violation as a page of HTML that needs
// nothing else: processes are rows, operations bars, and those that contradict
// one another are marked. Around them stand operations of the same object that
// were under way meanwhile, a few hundred bars in all.
func WriteTimeline(w io.Writer, h *model.History, v linearize.Violation, from Origin) error {
	t := newTimeline(h, v)
	t.origin = from
	t.layOut()
	return t.page(v).write(w)
}

// Origin says where a history came from, for people; it may be empty.
type Origin struct {
	File string
	// Records says that operations are numbered as records, not lines.
	Records bool
}

// timeline is the picture while it is drawn.
type timeline struct {
	h      *model.History
	bars   []*bar // by call
	left   int    // contradicting operations that are not drawn
	stamps []stop // of the axis
	rows   []uint32
	width  int
	nearby int // operations drawn for context
	origin Origin
	// The marked operations are from first to last. What began earlier does so
	// at one moment, and what ended later at another: when exactly would only
	// move the marked ones out of sight.
	first, last uint64
}

// bar is one operation.
type bar struct {
	op     *model.Operation
	marked bool
	label  string
	row    int
	from   int // index into stamps
	to     int // index into stamps, or len(stamps) if the operation never came back
	x, end int
}

// stop is a moment at which something began or ended. It has some breadth,
// since what ended then and what began then were concurrent: bars begin at its
// left and end at its right.
type stop struct {
	at     uint64
	x, end int
}

func newTimeline(h *model.History, v linearize.Violation) *timeline {
	t := &timeline{h: h}
	marked := slices.Clone(v.Ops)
	slices.SortStableFunc(marked, func(i, j int) int { return cmp.Compare(h.Ops[i].Call, h.Ops[j].Call) })
	if len(marked) > timelineBars {
		t.left = len(marked) - timelineBars
		marked = marked[:timelineBars]
	}
	for _, i := range marked {
		t.add(i, true)
	}
	t.first, t.last = t.span(marked)
	t.addNearby(v.Object, marked)
	slices.SortStableFunc(t.bars, func(a, b *bar) int {
		return cmp.Or(model.CompareInProcess(a.op, b.op), cmp.Compare(a.op.Line, b.op.Line))
	})
	t.setRows()
	t.setStops()
	return t
}

func (t *timeline) add(i int, marked bool) {
	o := &t.h.Ops[i]
	t.bars = append(t.bars, &bar{op: o, marked: marked, label: labelOf(o)})
}

func labelOf(o *model.Operation) string {
	label := wording.Phrase(o)
	if o.Result == model.OK {
		label = o.Op.String() + " " + wording.Thing(o)
	}
	if o.Result == model.Unknown {
		label = o.Op.String()
		if o.Value != model.NoValue {
			label += " " + wording.Thing(o)
		}
		label += " …"
	}
	if runes := []rune(label); len(runes) > labelLength {
		label = string(runes[:labelLength-1]) + "…"
	}
	return label
}

// addNearby adds operations of the object that were under way while the marked
// ones were, those closest to a marked one first.
func (t *timeline) addNearby(object uint32, marked []int) {
	if len(marked) == 0 {
		return
	}
	isMarked := map[int]bool{}
	for _, i := range marked {
		isMarked[i] = true
	}
	type near struct {
		at       int
		distance uint64
	}
	var all []near
	room := min(timelineBars-len(marked), 4*len(marked)+12)
	for i := range t.h.Ops {
		o := &t.h.Ops[i]
		if o.Object != object || o.Call > t.last || o.Return < t.first || isMarked[i] {
			continue
		}
		all = append(all, near{i, t.distance(o, marked)})
		if len(all) > 2*room+1024 { // keep only the nearest, now and then
			slices.SortStableFunc(all, func(a, b near) int { return cmp.Compare(a.distance, b.distance) })
			all = all[:room]
		}
	}
	slices.SortStableFunc(all, func(a, b near) int { return cmp.Compare(a.distance, b.distance) })
	for _, n := range all[:min(len(all), room)] {
		t.add(n.at, false)
		t.nearby++
	}
}

// span is from the first call of the marked operations to the last of what
// happened to them.
func (t *timeline) span(marked []int) (first, last uint64) {
	first = model.Never
	for _, i := range marked {
		o := &t.h.Ops[i]
		first, last = min(first, o.Call), max(last, o.Call)
		if !o.Pending() {
			last = max(last, o.Return)
		}
	}
	return first, last
}

// distance is how far in time an operation is from the nearest marked one.
func (t *timeline) distance(o *model.Operation, marked []int) uint64 {
	least := uint64(model.Never)
	for _, i := range marked {
		switch m := &t.h.Ops[i]; {
		case o.Return < m.Call:
			least = min(least, m.Call-o.Return)
		case m.Return < o.Call:
			least = min(least, o.Call-m.Return)
		default:
			return 0
		}
	}
	return least
}

// setRows gives every process a row, those of marked operations first.
func (t *timeline) setRows() {
	marked := map[uint32]bool{}
	for _, b := range t.bars {
		t.rows = append(t.rows, b.op.Process)
		marked[b.op.Process] = marked[b.op.Process] || b.marked
	}
	slices.SortFunc(t.rows, func(p, q uint32) int {
		if marked[p] != marked[q] {
			return map[bool]int{true: -1, false: 1}[marked[p]]
		}
		return cmp.Compare(p, q)
	})
	t.rows = slices.Compact(t.rows)
	row := map[uint32]int{}
	for i, p := range t.rows {
		row[p] = i
	}
	for _, b := range t.bars {
		b.row = row[b.op.Process]
	}
}

// began and ended are where a bar's ends are drawn.
func (t *timeline) began(b *bar) uint64 {
	if b.op.Call < t.first {
		return t.first - 1
	}
	return b.op.Call
}

func (t *timeline) ended(b *bar) uint64 { return min(b.op.Return, t.last+1) }

func (t *timeline) setStops() {
	var times []uint64
	for _, b := range t.bars {
		times = append(times, t.began(b))
		if !b.op.Pending() {
			times = append(times, t.ended(b))
		}
	}
	slices.Sort(times)
	times = slices.Compact(times)
	t.stamps = make([]stop, len(times))
	for i, at := range times {
		t.stamps[i].at = at
	}
	for _, b := range t.bars {
		b.from, _ = slices.BinarySearch(times, t.began(b))
		b.to = len(times)
		if !b.op.Pending() {
			b.to, _ = slices.BinarySearch(times, t.ended(b))
		}
	}
}

// sentenceOf is what a bar shows when one points at it.
func (t *timeline) sentenceOf(o *model.Operation) string {
	text := wording.Full(o)
	if o.Line > 0 {
		text += fmt.Sprintf(" (%s %d)", t.numbered(), o.Line)
	}
	return text
}
