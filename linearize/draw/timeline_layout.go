package draw

import "unicode/utf8"

// The measures of the picture, in pixels.
const (
	letter     = 8 // of a label or a name
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
	x := t.nameWidth() + between
	if len(t.stamps) > 0 { // half of the first label stands before its stop
		x += digit * len(t.stopLabel(t.stamps[0])) / 2
	}
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

// nameWidth is what the names of the rows take, with some room on both sides.
func (t *timeline) nameWidth() int {
	longest := 0
	for _, p := range t.rows {
		longest = max(longest, len(rowName(p)))
	}
	return letter*longest + 2*padding
}

// gap lies between two stops. If they are few, it has room for their times.
func (t *timeline) gap() int {
	if len(t.stamps) > fewStops {
		return stopGap
	}
	longest := 0
	for _, s := range t.stamps {
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
