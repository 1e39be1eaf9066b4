package draw

import (
	"fmt"
	"io"
	"unicode/utf8"

	"stealproof/linearize/draw/page"
)

// linked says whether bars lead to the rows of a table, which is of the page's part
// with this number; 0 is a picture without a table.
type linked int

// writePicture writes the picture as parts that stay in sight when one scrolls: the
// names of the rows and the axis.
func (t *timeline) writePicture(w *page.Writer, part linked) {
	names := t.nameWidth()
	w.Print("<div class=\"picture timeline\" role=\"group\" aria-label=\"%s\" tabindex=\"0\">\n", t.heading())
	w.Print("<div class=\"corner\"></div>\n<div class=\"head\">")
	beginSVG(w, "axis", t.width, t.axisHeight())
	t.writeAxis(w)
	w.Print("</svg></div>\n<div class=\"names\">")
	beginSVG(w, "rows", names, t.height())
	t.writeNames(w, names)
	w.Print("</svg></div>\n<div class=\"field\">")
	beginSVG(w, "bars", t.width, t.height())
	t.writeBars(w, part)
	w.Print("</svg></div>\n</div>\n")
}

func beginSVG(w *page.Writer, class string, width, height int) {
	w.Print("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"%[1]s\" width=\"%[2]d\" height=\"%[3]d\" viewBox=\"0 0 %[2]d %[3]d\">\n", class, width, height)
}

// writeSVG writes the picture as one file.
func (t *timeline) writeSVG(to io.Writer) error {
	names := t.nameWidth()
	w := page.BeginSVG(to, names+t.width, t.axisHeight()+t.height(), t.sentence)
	w.Print("<g transform=\"translate(%d,0)\">\n", names)
	t.writeAxis(w)
	w.Print("</g>\n<g transform=\"translate(0,%d)\">\n", t.axisHeight())
	t.writeNames(w, names)
	w.Print("</g>\n<g transform=\"translate(%d,%d)\">\n", names, t.axisHeight())
	t.writeBars(w, 0)
	w.Print("</g>\n")
	return w.EndSVG()
}

// writeAxis writes when the stops are, as far as there is room; the others are there
// for who makes room by zooming.
func (t *timeline) writeAxis(w *page.Writer) {
	times, gaps := labels{}, labels{}
	for s := range t.stamps {
		stop, label := &t.stamps[s], t.stopLabel(s)
		edge, far, at := 0, 0, fmt.Sprint(stop.at-t.first)
		if t.edge(s) {
			edge = 1
		}
		if stop.at < t.first {
			at = "-1"
		}
		if stop.far {
			far = 1
		}
		w.Print("<text class=\"when%s\" x=\"%d\" y=\"17\" data-at=\"%s\" data-edge=\"%d\" data-far=\"%d\">%s</text>\n", times.class(stop.x, label), stop.x, at, edge, far, label)
		if stop.far {
			x := t.gapMiddle(s)
			w.Print("<text class=\"gap%s\" x=\"%d\" y=\"%d\" data-gap=\"%d\">%s</text>\n", gaps.class(x, t.gapLabel(s)), x, axisHeight+gapHeight-6, s-1, t.gapLabel(s))
		}
	}
}

// labels stand side by side, as far as there is room.
type labels struct{ free int }

func (l *labels) class(x int, label string) string {
	half := digit * utf8.RuneCountInString(label) / 2
	if x-half < l.free {
		return " crowded"
	}
	l.free = x + half + padding/2
	return ""
}

// gapMiddle is where the gap before a stop is drawn.
func (t *timeline) gapMiddle(s int) int { return (t.stamps[s-1].end + t.stamps[s].x) / 2 }

func (t *timeline) writeNames(w *page.Writer, width int) {
	for i, process := range t.rows {
		t.writeBand(w, i, width)
		w.Print("<text class=\"name\" x=\"%d\" y=\"%d\">%s</text>\n", width-padding, t.top(i)+t.row/2+4, rowName(process))
	}
}

// writeBand writes the background of every other row.
func (t *timeline) writeBand(w *page.Writer, row, width int) {
	if row%2 == 1 {
		w.Print("<rect class=\"band\" x=\"0\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", t.top(row), width, t.row)
	}
}

func (t *timeline) writeBars(w *page.Writer, part linked) {
	for i := range t.rows {
		t.writeBand(w, i, t.width)
	}
	for s := range t.stamps {
		stop := &t.stamps[s]
		if stop.far {
			w.Print("<g class=\"gap\" data-after=\"%d\"><title>nothing began or ended for %s</title><rect x=\"%d\" y=\"0\" width=\"%d\" height=\"%d\"/></g>\n",
				s-1, t.gapLabel(s)[len("⋯ "):]+" "+t.unit, t.gapMiddle(s)-gapWidth/2, gapWidth, t.height())
		}
	}
	for s := range t.stamps {
		w.Print("<line class=\"tick\" x1=\"%[1]d\" x2=\"%[1]d\" y1=\"0\" y2=\"%[2]d\"/>\n", t.stamps[s].x, t.height())
	}
	for i, b := range t.bars {
		t.writeBar(w, i, b, part)
	}
}

// writeBar writes an operation: a link to its row of the table, if there is one.
func (t *timeline) writeBar(w *page.Writer, i int, b *bar, part linked) {
	y := t.top(b.row) + (t.row-barHeight)/2
	class := "bar"
	if b.marked {
		class += " marked"
	}
	if b.op.Pending() {
		class += " pending"
	}
	if b.idle() {
		class += " idle"
	}
	tag := "g"
	if part > 0 {
		tag = "a"
		w.Print("<a href=\"#row%d.%d\" id=\"bar%d.%d\"", part, i+1, part, i+1)
		if b.marked {
			w.Print(" data-mark=\"\"")
		} else {
			w.Print(" tabindex=\"-1\"")
		}
	} else {
		w.Print("<g")
	}
	w.Print(" class=\"%s\" data-from=\"%d\" data-to=\"", class, b.from)
	if b.to < len(t.stamps) {
		w.Print("%d", b.to)
	}
	w.Print("\"><title>%s</title><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"4\"/>", t.sentenceOf(b), b.x, y, b.end-b.x, barHeight)
	w.Print("<text x=\"%d\" y=\"%d\">%s</text>", b.x+padding/2, y+barHeight/2+4, b.label)
	if b.op.Call < t.first {
		writeCut(w, "left", b.x, y)
	}
	if !b.op.Pending() && b.op.Return > t.last {
		writeCut(w, "right", b.end, y)
	}
	w.Print("</%s>\n", tag)
}

// writeCut marks the end of a bar that goes on beyond the picture.
func writeCut(w *page.Writer, side string, x, y int) {
	w.Print("<path class=\"cut\" data-side=\"%s\" transform=\"translate(%d,0)\" d=\"M0 %d l-3 4 l6 5 l-6 5 l3 4\"/>", side, x, y+2)
}
