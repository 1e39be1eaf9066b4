package draw

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"stealproof/linearize"
	"stealproof/linearize/internal/wording"
	"stealproof/model"
)

const (
	timelineBars = 400 // more, nobody reads
	labelLength  = 24  // runes
)

// timeline is a picture of operations while it is drawn.
type timeline struct {
	h        *model.History
	origin   Origin
	title    string
	sentence string
	notes    []string // about what is drawn
	bars     []*bar   // by call
	marked   int
	ordered  bool   // the bars say in which order they took effect
	stamps   []stop // of the axis
	rows     []uint32
	row      int // height of one
	width    int
	// The marked operations are from first to last. What began earlier does so
	// at one moment, and what ended later at another: when exactly would only
	// move the marked ones out of sight.
	first, last uint64
	zero        uint64 // what times are counted from
	unit        string
}

// bar is one operation.
type bar struct {
	op     model.Operation
	marked bool
	label  string
	turn   int // place in the order that was found, from 1; 0 is none
	row    int
	from   int // index into stamps
	to     int // index into stamps, or len(stamps) if the operation never came back
	x, end int
}

// idle says whether the operation came back and moved nothing.
func (b *bar) idle() bool { return b.op.Result != model.OK && b.op.Result != model.Unknown }

// stop is a moment at which something began or ended. It has some breadth,
// since what ended then and what began then were concurrent: bars begin at its
// left and end at its right.
type stop struct {
	at     uint64
	x, end int
	far    bool // much later than the one before
}

func newTimeline(h *model.History, v linearize.Violation, from Origin) *timeline {
	t := &timeline{h: h, origin: from, sentence: v.Explanation}
	t.title = fmt.Sprintf("Violation (%s) on object %d", v.Kind, v.Object)
	marked := slices.Clone(v.Ops)
	slices.SortStableFunc(marked, func(i, j int) int { return cmp.Compare(h.Ops[i].Call, h.Ops[j].Call) })
	all := len(marked)
	marked = marked[:min(all, timelineBars)]
	t.span(marked)
	for _, i := range marked {
		t.add(i, true)
	}
	t.marked = len(marked)
	near, others, outside := nearby(h, v.Object, marked, t.first, t.last)
	for _, i := range near {
		t.add(i, false)
	}
	t.zero = wording.Zero(h.Part(v.Ops).Ops)
	t.arrange()
	if all > len(marked) {
		t.note("%d more operations belong to the violation and are not drawn.", all-len(marked))
	}
	t.note("%s", paleNote(len(near), others))
	if outside > 0 {
		t.note("Not drawn: %s on the same object before the first marked one, or after the last.", wording.Counted(outside, "operation"))
	}
	return t
}

// newWhole is a history without a violation: all of it if it is small, otherwise
// what happened around the moment at which most was under way.
func newWhole(h *model.History, r *linearize.Report, from Origin) *timeline {
	t := &timeline{h: h, origin: from}
	object, objects := subject(h, r)
	t.title = fmt.Sprintf("%s%s", strings.ToUpper(r.Verdict.String()[:1]), r.Verdict.String()[1:])
	if objects > 1 {
		t.title += fmt.Sprintf(" (object %d)", object)
	}
	t.sentence = wholeSentence(r, object)
	near, all, busiest := busiestOf(h, object, timelineBars)
	t.span(near)
	turns := turnsOf(h, r, object, all)
	for _, i := range near {
		t.add(i, false)
		if turn := turns[i]; turn > 0 {
			b := t.bars[len(t.bars)-1]
			b.turn, b.label = turn, fmt.Sprintf("%d. %s", turn, b.label)
		}
	}
	t.ordered = len(turns) > 0
	t.zero = wording.Zero(h.Part(near).Ops)
	t.arrange()
	if all > len(near) {
		t.note("Of %s on object %d, %d are drawn: those nearest to the moment at which most were under way, %d after the first. --stats describes all of them.",
			wording.Counted(all, "operation"), object, len(near), busiest)
	}
	if t.ordered {
		t.note("The numbers are an order in which the operations can have taken effect, one of perhaps many: each result is what it has to be then, and each operation takes effect between its call and its return.")
	}
	if objects > 1 {
		t.note("The history has %s; this is the one with most operations%s.", wording.Counted(objects, "object"), map[bool]string{true: " among the undecided"}[len(r.Undecided) > 0])
	}
	return t
}

// mostOrdered and orderTime bound the search for an order only to be drawn.
const (
	mostOrdered = 200_000
	orderTime   = 2 * time.Second
)

// turnsOf is the place of each operation of an object in an order that explains them.
func turnsOf(h *model.History, r *linearize.Report, object uint32, operations int) map[int]int {
	if r.Verdict != model.Linearizable || operations > mostOrdered {
		return nil
	}
	turns := map[int]int{}
	for k, i := range linearize.Linearization(context.Background(), h, object, linearize.Options{Timeout: orderTime, Validated: true}) {
		turns[i] = k + 1
	}
	return turns
}

// wholeSentence says of a history without a violation what was decided.
func wholeSentence(r *linearize.Report, object uint32) string {
	for _, u := range r.Undecided {
		if u.Object == object {
			return "undecided: " + u.Msg
		}
	}
	return fmt.Sprintf("The %s have an order that respects real time and the meaning of the object.", wording.Counted(r.Operations, "operation"))
}

// subject is the object with most operations, among the undecided ones if there are such.
func subject(h *model.History, r *linearize.Report) (object uint32, objects int) {
	n := map[uint32]int{}
	for i := range h.Ops {
		n[h.Ops[i].Object]++
	}
	undecided := map[uint32]bool{}
	for _, u := range r.Undecided {
		undecided[u.Object] = n[u.Object] > 0
	}
	most := -1
	for o, count := range n {
		if undecided[o] {
			count += len(h.Ops)
		}
		if count > most || count == most && o < object {
			object, most = o, count
		}
	}
	return object, len(n)
}

func (t *timeline) heading() string {
	if t.marked == 0 && t.origin.File != "" {
		return t.title + ": " + t.origin.File
	}
	return t.origin.of(t.title)
}

// note says something about the picture, if there is something to say.
func (t *timeline) note(format string, values ...any) {
	if text := fmt.Sprintf(format, values...); text != "" {
		t.notes = append(t.notes, text)
	}
}

func (t *timeline) add(i int, marked bool) {
	o := t.h.Ops[i]
	t.bars = append(t.bars, &bar{op: o, marked: marked, label: labelOf(&o)})
}

// arrange orders the bars, and gives them rows and places on the axis.
func (t *timeline) arrange() {
	slices.SortStableFunc(t.bars, func(a, b *bar) int {
		return cmp.Or(model.CompareInProcess(&a.op, &b.op), cmp.Compare(a.op.Line, b.op.Line))
	})
	t.unit = clockUnit(t.h)
	t.setRows()
	t.setStops()
	t.note("%s", t.axisNote())
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

// span is from the first call of operations to the last of what happened to them.
func (t *timeline) span(marked []int) {
	t.first = model.Never
	for _, i := range marked {
		o := &t.h.Ops[i]
		t.first, t.last = min(t.first, o.Call), max(t.last, o.Call)
		if !o.Pending() {
			t.last = max(t.last, o.Return)
		}
	}
}

// setRows gives every process a row, those of marked operations first; the others by
// name, or if they are many, by when they began.
func (t *timeline) setRows() {
	marked := map[uint32]bool{}
	for _, b := range t.bars {
		t.rows = append(t.rows, b.op.Process)
		marked[b.op.Process] = marked[b.op.Process] || b.marked
	}
	first := map[uint32]int{} // place among the processes, by what is drawn of them
	for _, b := range t.bars {
		if _, known := first[b.op.Process]; !known {
			first[b.op.Process] = len(first)
		}
	}
	many := len(first) > fewRows // one looks at the diagonal, and not for a name
	slices.SortFunc(t.rows, func(p, q uint32) int {
		switch {
		case marked[p] != marked[q]:
			return map[bool]int{true: -1, false: 1}[marked[p]]
		case many && !marked[p]:
			return cmp.Compare(first[p], first[q])
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
	t.findGaps()
	for _, b := range t.bars {
		b.from, _ = slices.BinarySearch(times, t.began(b))
		b.to = len(times)
		if !b.op.Pending() {
			b.to, _ = slices.BinarySearch(times, t.ended(b))
		}
	}
}

// A gap is so many times as long as what usually lies between two moments, and such a
// part of all the time that is drawn.
const (
	longGap   = 20
	gapOfSpan = 25
)

// findGaps finds the moments before which nothing happened for long.
func (t *timeline) findGaps() {
	var distances []uint64
	for i := 1; i < len(t.stamps); i++ {
		if !t.edge(i) && !t.edge(i-1) {
			distances = append(distances, t.stamps[i].at-t.stamps[i-1].at)
		}
	}
	if len(distances) < 2 {
		return
	}
	slices.Sort(distances)
	least := max(distances[(len(distances)-1)/2]*longGap, (t.last-t.first)/gapOfSpan)
	for i := 1; i < len(t.stamps); i++ {
		t.stamps[i].far = !t.edge(i) && !t.edge(i-1) && t.stamps[i].at-t.stamps[i-1].at > least
	}
}

// edge says whether a stop stands for all that was earlier, or for all that was later.
func (t *timeline) edge(s int) bool { return t.stamps[s].at < t.first || t.stamps[s].at > t.last }

// stopLabel says when a stop is.
func (t *timeline) stopLabel(s int) string {
	switch at := t.stamps[s].at; {
	case at < t.first:
		return "earlier"
	case at > t.last:
		return "later"
	default:
		return fmt.Sprint(at - t.zero)
	}
}

func (t *timeline) axisNote() string {
	axis := "Moments stand in their order, labels say when; only the true scale shows how long something took."
	if slices.ContainsFunc(t.bars, func(b *bar) bool { return b.op.Call < t.first || !b.op.Pending() && b.op.Return > t.last }) {
		axis += " What began before the " + t.drawnWord() + " operations, or ended after them, is cut off there."
	}
	axis += " Times are in " + t.unit
	if t.zero > 0 {
		axis += fmt.Sprintf(", counted from stamp %d of the file", t.zero)
	}
	return axis + "."
}

func (t *timeline) drawnWord() string {
	if t.marked > 0 {
		return "marked"
	}
	return "drawn"
}

func paleNote(near, others int) string {
	switch {
	case near == 0 && others == 0:
		return ""
	case near == others && near == 1:
		return "The pale operation was under way on the same object meanwhile; the marked ones have no legal order even without."
	case near == others:
		return fmt.Sprintf("The %d pale operations were under way on the same object meanwhile; the marked ones have no legal order even without.", near)
	}
	return fmt.Sprintf("Of %d other operations that were under way on the same object meanwhile, %d are drawn, pale: around every marked one those nearest to it. The marked ones have no legal order even without.", others, near)
}

// sentenceOf is what a bar shows when one points at it.
func (t *timeline) sentenceOf(b *bar) string {
	text := wording.FullFrom(&b.op, t.zero)
	if b.turn > 0 {
		text += fmt.Sprintf(", as number %d", b.turn)
	}
	if b.op.Line > 0 {
		text += fmt.Sprintf(" (%s %d)", t.origin.numbered(), b.op.Line)
	}
	return text
}
