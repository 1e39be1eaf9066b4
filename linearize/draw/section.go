package draw

import (
	"fmt"
	"slices"

	"stealproof/linearize/draw/page"
	"stealproof/linearize/internal/wording"
	"stealproof/model"
)

// write writes the timeline as a part of a page: the sentence, the picture, what its
// signs mean, and the operations as tables.
func (t *timeline) write(w *page.Writer, number int) {
	w.Print("<p class=\"sentence\">%s</p>\n", t.sentence)
	t.writePicture(w, linked(number))
	t.writeLegend(w)
	for _, note := range t.notes {
		w.Print("<p class=\"note\">%s</p>\n", note)
	}
	if t.marked > 0 {
		w.Print("<h3>The operations that contradict one another</h3>\n")
		t.writeTable(w, number, true)
	}
	if pale := len(t.bars) - t.marked; pale > 0 {
		what := "The operations around them"
		if t.marked == 0 {
			what = "The operations"
		}
		w.Print("<details>\n<summary>%s (%d)</summary>\n", what, pale)
		t.writeTable(w, number, false)
		w.Print("</details>\n")
	}
}

// writeLegend says what the signs of the picture mean, those that are in it.
func (t *timeline) writeLegend(w *page.Writer) {
	any := func(f func(*bar) bool) bool { return slices.ContainsFunc(t.bars, f) }
	w.Print("<ul class=\"legend\" aria-label=\"legend\">\n")
	if t.marked > 0 {
		legend(w, `<g class="bar marked"><rect x="1" y="2" width="26" height="12" rx="3"/></g>`, "contradicts the other marked ones")
	}
	if t.marked < len(t.bars) {
		what := "another operation on the object"
		if t.marked == 0 {
			what = "an operation"
		}
		legend(w, `<g class="bar"><rect x="1" y="2" width="26" height="12" rx="3"/></g>`, what+", from its call to its return")
	}
	if any(func(b *bar) bool { return b.idle() && !b.marked }) {
		legend(w, `<g class="bar idle"><rect x="1" y="2" width="26" height="12" rx="3"/></g>`, "moved no value")
	}
	if any(func(b *bar) bool { return b.op.Pending() }) {
		legend(w, `<g class="bar pending"><rect x="1" y="2" width="26" height="12" rx="3"/></g>`, "never came back")
	}
	if any(func(b *bar) bool { return b.op.Call < t.first || !b.op.Pending() && b.op.Return > t.last }) {
		legend(w, `<g class="bar"><rect x="7" y="2" width="20" height="12" rx="3"/><path class="cut" d="M7 1 l-3 3 l6 4 l-6 4 l3 3"/></g>`, "began earlier, or ended later")
	}
	if t.gaps() {
		legend(w, `<g class="gap"><rect x="1" y="1" width="26" height="14"/></g>`, "⋯ a gap that is cut out: so long nothing began or ended")
	}
	w.Print("</ul>\n")
}

// legend is one entry; the sign is SVG of ours.
func legend(w *page.Writer, sign, what string) {
	w.Print("<li><svg width=\"28\" height=\"16\" aria-hidden=\"true\">"+sign+"</svg>%s</li>\n", what)
}

// writeTable lists the marked operations, or the others; each leads to its bar.
func (t *timeline) writeTable(w *page.Writer, number int, marked bool) {
	w.Print("<div class=\"table\">\n<table>\n<tr><th class=\"number\">%s</th><th class=\"number\">process</th><th>operation</th><th class=\"number\">call</th><th class=\"number\">return</th>", t.origin.numbered())
	if t.zero > 0 {
		w.Print("<th class=\"number\">stamp of the call</th><th class=\"number\">of the return</th>")
	}
	if t.ordered {
		w.Print("<th class=\"number\">in the order</th>")
	}
	w.Print("</tr>\n")
	for i, b := range t.bars {
		if b.marked != marked {
			continue
		}
		o := &b.op
		w.Print("<tr id=\"row%d.%d\"><td class=\"number\">", number, i+1)
		if o.Line > 0 {
			w.Print("%d", o.Line)
		}
		label := wording.Phrase(o)
		if o.Result == model.Unknown {
			label = labelOf(o)
		}
		w.Print("</td><td class=\"number\">%d</td><td><a href=\"#bar%d.%d\">%s</a></td>", o.Process, number, i+1, label)
		called, returned := t.times(b)
		w.Print("<td class=\"number\">%s</td><td class=\"number\">%s</td>", called, returned)
		if t.zero > 0 {
			back := ""
			if !o.Pending() {
				back = fmt.Sprint(o.Return)
			}
			w.Print("<td class=\"number\">%d</td><td class=\"number\">%s</td>", o.Call, back)
		}
		if t.ordered {
			w.Print("<td class=\"number\">%s</td>", turnText(b.turn))
		}
		w.Print("</tr>\n")
	}
	w.Print("</table>\n</div>\n")
}

// times are when an operation was called and when it returned, as the axis counts.
func (t *timeline) times(b *bar) (called, returned string) {
	if b.op.Pending() {
		return wording.At(b.op.Call, t.zero), "never"
	}
	return wording.At(b.op.Call, t.zero), wording.At(b.op.Return, t.zero)
}

func turnText(turn int) string {
	if turn == 0 {
		return "none"
	}
	return fmt.Sprint(turn)
}
