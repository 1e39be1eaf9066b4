package draw

import (
	"fmt"
	"slices"
	"unicode/utf8"
)

// The measures of the picture, in pixels.
const (
	letter     = 8 // of a label or a name
	padding    = 12
	stopWidth  = 6
	stopGap    = 10
	digit      = 7  // of a time on the axis
	fewStops   = 60 // of which all times can be shown
	rowHeight  = 34
	fewRows    = 40 // of which each has so much room
	lowRow     = 26
	barHeight  = 22
	margin     = 6  // above the first row and below the last
	tailWidth  = 30 // behind the last stop, for what never came back
	between    = 2  // bars of one process
	axisHeight = 26
	gapHeight  = 14 // of the lengths of gaps, below the times
	gapWidth   = 24
)

// layOut places the stops from left to right. Time is not to scale: a stop is
// as far to the right as the labels of the bars that end there demand, so that
// every label fits into its bar.
func (t *timeline) layOut() {
	ends := make([][]*bar, len(t.stamps)+1)
	for _, b := range t.bars {
		ends[b.to] = append(ends[b.to], b)
	}
	t.row = rowHeight
	if len(t.rows) > fewRows {
		t.row = lowRow
	}
	free := make([]int, len(t.rows)) // from where on a row is free
	x := between
	if len(t.stamps) > 0 { // half of the first label stands before its stop
		x += digit * len(t.stopLabel(0)) / 2
	}
	gap := t.gap()
	for s := range t.stamps {
		if t.stamps[s].far {
			x += max(0, gapWidth+2*between-gap)
		}
		x = t.placeStop(s, x, ends[s], free) + gap
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

// axisHeight is that of the times, and of the lengths of gaps if there are any.
func (t *timeline) axisHeight() int {
	if t.gaps() {
		return axisHeight + gapHeight
	}
	return axisHeight
}

func (t *timeline) gaps() bool {
	return slices.ContainsFunc(t.stamps, func(s stop) bool { return s.far })
}

// gapLabel says how long nothing happened before a stop.
func (t *timeline) gapLabel(s int) string {
	return fmt.Sprintf("⋯ %d", t.stamps[s].at-t.stamps[s-1].at)
}

// nameWidth is what the names of the rows take, with some room on both sides.
func (t *timeline) nameWidth() int {
	longest := 0
	for _, p := range t.rows {
		longest = max(longest, len(rowName(p)))
	}
	return letter*longest + 2*padding
}

func rowName(process uint32) string { return fmt.Sprintf("process %d", process) }

// height is that of all rows.
func (t *timeline) height() int { return 2*margin + len(t.rows)*t.row }

// top is where a row begins.
func (t *timeline) top(row int) int { return margin + row*t.row }

// gap lies between two stops. If they are few, it has room for their times.
func (t *timeline) gap() int {
	if len(t.stamps) > fewStops {
		return stopGap
	}
	longest := 0
	for s := range t.stamps {
		longest = max(longest, len(t.stopLabel(s)))
	}
	return digit*longest + stopGap
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
