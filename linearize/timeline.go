package linearize

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"unicode/utf8"

	"stealproof/model"
)

const (
	timelineBars = 200 // more, nobody reads
	labelLength  = 24  // runes
)

//go:embed timeline.html
var timelinePage string

var timelineTemplate = template.Must(template.New("timeline").Parse(timelinePage))

// WriteTimeline writes a picture of a violation as a page of HTML that needs
// nothing else: processes are rows, operations bars, and those that contradict
// one another are marked. Around them stand operations of the same object that
// were under way meanwhile, a few hundred bars in all.
func WriteTimeline(w io.Writer, h *model.History, v Violation) error {
	t := newTimeline(h, v)
	t.layOut()
	return timelineTemplate.Execute(w, t.page(v))
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

func newTimeline(h *model.History, v Violation) *timeline {
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
	label := phrase(o)
	if o.Result == model.OK {
		label = o.Op.String() + " " + thing(o)
	}
	if o.Result == model.Unknown {
		label = o.Op.String()
		if o.Value != model.NoValue {
			label += " " + thing(o)
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
	first, last := t.span(marked)
	for i := range t.h.Ops {
		o := &t.h.Ops[i]
		if o.Object != object || o.Call > last || o.Return < first || isMarked[i] {
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

func (t *timeline) setRows() {
	for _, b := range t.bars {
		t.rows = append(t.rows, b.op.Process)
	}
	slices.Sort(t.rows)
	t.rows = slices.Compact(t.rows)
	for _, b := range t.bars {
		b.row, _ = slices.BinarySearch(t.rows, b.op.Process)
	}
}

func (t *timeline) setStops() {
	var times []uint64
	for _, b := range t.bars {
		times = append(times, b.op.Call)
		if !b.op.Pending() {
			times = append(times, b.op.Return)
		}
	}
	slices.Sort(times)
	times = slices.Compact(times)
	t.stamps = make([]stop, len(times))
	for i, at := range times {
		t.stamps[i].at = at
	}
	for _, b := range t.bars {
		b.from, _ = slices.BinarySearch(times, b.op.Call)
		b.to = len(times)
		if !b.op.Pending() {
			b.to, _ = slices.BinarySearch(times, b.op.Return)
		}
	}
}

// The measures of the picture, in pixels.
const (
	nameWidth  = 110
	letter     = 8 // of a label
	padding    = 12
	stopWidth  = 6
	stopGap    = 10
	digit      = 7  // of a time on the axis
	fewStops   = 60 // of which all times can be shown
	rowHeight  = 34
	barHeight  = 22
	topMargin  = 12
	tailWidth  = 30 // behind the last stop, for what never came back
	between    = 2  // bars of one process
	axisHeight = 40
)

// layOut places the stops from left to right. Time is not to scale: a stop is
// as far to the right as the labels of the bars that end there demand, so that
// every label fits into its bar.
func (t *timeline) layOut() {
	ends := make([][]*bar, len(t.stamps)+1)
	for _, b := range t.bars {
		ends[b.to] = append(ends[b.to], b)
	}
	free := make([]int, len(t.rows)) // from where on a row is free
	x := nameWidth
	for s := range t.stamps {
		x = t.placeStop(s, x, ends[s], free) + t.gap()
	}
	t.width = x + tailWidth
	for _, b := range ends[len(t.stamps)] {
		b.x = max(t.stamps[b.from].x, free[b.row])
		t.width = max(t.width, b.x+b.breadth()+padding)
	}
	for _, b := range ends[len(t.stamps)] {
		b.end = t.width - padding
	}
}

// gap lies between two stops. If they are few, it has room for their times.
func (t *timeline) gap() int {
	if len(t.stamps) > fewStops {
		return stopGap
	}
	return digit*len(fmt.Sprint(t.stamps[len(t.stamps)-1].at-t.zero())) + stopGap
}

// placeStop places a stop at x or behind it, with the bars that end there, and
// returns where it ends.
func (t *timeline) placeStop(s, x int, bars []*bar, free []int) int {
	stop := &t.stamps[s]
	for _, b := range bars {
		if b.from < s {
			b.x = max(t.stamps[b.from].x, free[b.row])
			x = max(x, b.x+b.breadth()-stopWidth)
		}
	}
	stop.x, stop.end = x, x+stopWidth
	for _, b := range bars {
		b.end = stop.x + stopWidth
		if b.from == s { // no time went by
			b.x = max(stop.x, free[b.row])
			b.end = b.x + b.breadth()
		}
		stop.end = max(stop.end, b.end)
		free[b.row] = b.end + between
	}
	for _, b := range bars {
		if last := free[b.row] == b.end+between; last {
			b.end = stop.end
			free[b.row] = b.end + between
		}
	}
	return stop.end
}

func (b *bar) breadth() int { return letter*utf8.RuneCountInString(b.label) + padding }

// sentenceOf is what a bar shows when one points at it.
func sentenceOf(o *model.Operation) string {
	text := full(o)
	if o.Line > 0 {
		text += fmt.Sprintf(" (line %d)", o.Line)
	}
	return text
}
