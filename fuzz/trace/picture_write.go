package trace

import (
	"fmt"
	"slices"
	"strings"

	"stealproof/linearize/draw/page"
	"stealproof/ref"
)

// writeParts writes the picture as parts that stay in sight when one scrolls.
func (d *drawing) writeParts(w *page.Writer) {
	w.Print("<div class=\"picture space\" role=\"group\" aria-label=\"execution\" tabindex=\"0\">\n<div class=\"corner\"></div>\n<div class=\"head\">")
	beginSVG(w, "threads", d.width, headHeight)
	d.writeHead(w)
	w.Print("</svg></div>\n<div class=\"names\">")
	beginSVG(w, "steps", stepsWidth, d.height())
	d.writeSteps(w)
	w.Print("</svg></div>\n<div class=\"field\">")
	beginSVG(w, "accesses", d.width, d.height())
	d.writeField(w, true)
	w.Print("</svg></div>\n</div>\n")
}

func beginSVG(w *page.Writer, class string, width, height int) {
	w.Print("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"%[1]s\" width=\"%[2]d\" height=\"%[3]d\" viewBox=\"0 0 %[2]d %[3]d\">\n", class, width, height)
}

func (d *drawing) writeHead(w *page.Writer) {
	for i, x := range d.columns {
		if x >= 0 {
			w.Print("<text class=\"thread\" x=\"%d\" y=\"18\">%s</text>\n", x+inner, d.Execution.Setup.ThreadName(i))
		}
	}
}

func (d *drawing) writeSteps(w *page.Writer) {
	for i, r := range d.rows {
		if r.step > 0 {
			w.Print("<text class=\"name\" x=\"%d\" y=\"%d\">%d</text>\n", stepsWidth-12, d.top(i)+14, r.step)
		}
	}
}

// writeField writes the operations, the arrows, and above them the accesses.
func (d *drawing) writeField(w *page.Writer, linked bool) {
	for _, b := range d.bands {
		class := "operation"
		if b.matters {
			class += " matters"
		}
		width := 0
		for i := b.from; i <= b.to; i++ {
			if d.rows[i].thread == b.thread {
				width = max(width, d.breadth(&d.rows[i]))
			}
		}
		w.Print("<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"6\"/>\n",
			class, d.columns[b.thread]+2, d.top(b.from)-2, width+2*inner-4, d.top(b.to)-d.top(b.from)+boxHeight+4)
	}
	for _, a := range d.arrows {
		d.writeArrow(w, a)
	}
	for i := range d.rows {
		d.writeRow(w, i, linked)
	}
}

// writeRow writes an access, a call, a result, or how much is left out.
func (d *drawing) writeRow(w *page.Writer, i int, linked bool) {
	r := &d.rows[i]
	y := d.top(i) + 14
	text := strings.TrimSpace(r.text)
	switch {
	case r.thread == noThread:
		w.Print("<text class=\"left\" x=\"%d\" y=\"%d\">%s</text>\n", inner, y, text)
		return
	case r.step == 0:
		class := "said"
		if r.silent {
			class = "silent"
		}
		w.Print("<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>\n", class, d.columns[r.thread]+inner, y, text)
		return
	}
	class := "access"
	if ev := d.events[r.step-1]; ev.Writes() {
		class += " writes"
	}
	if r.step == d.Fatal {
		class += " fatal"
	}
	left, _, middle := d.box(i)
	tag := "g"
	if linked {
		tag = "a"
		w.Print("<a href=\"#row%[1]d\" id=\"step%[1]d\" data-step=\"%[1]d\"", r.step)
		if d.marked(r) {
			w.Print(" data-mark=\"\"")
		}
	} else {
		w.Print("<g")
	}
	w.Print(" class=\"%s\"><title>%s</title><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"3\"/><text x=\"%d\" y=\"%d\">%s</text></%s>\n",
		class, d.sentence(r), left, middle-boxHeight/2, textWidth(r.text), boxHeight, left+6, y, text, tag)
	if place := d.place(r); place != "" {
		w.Print("<text class=\"silent\" x=\"%d\" y=\"%d\">%s</text>\n", left+textWidth(r.text)+6, y, place)
	}
}

// marked says whether one steps to an access: the fatal one, and what was not in order.
func (d *drawing) marked(r *columnRow) bool {
	ev := d.events[r.step-1]
	return r.step == d.Fatal || ev.Missed > 0 || ev.Overtaken > 0 || ev.Source > ev.Step
}

// sentence is what an access shows when one points at it.
func (d *drawing) sentence(r *columnRow) string {
	ev := d.events[r.step-1]
	s := fmt.Sprintf("step %d, %s: %s", r.step, d.Execution.Setup.ThreadName(ev.Process), strings.TrimSpace(r.text))
	if at := d.site(ev); at != "" {
		s += "; at " + at
	}
	if ev.Kind != ref.Fence {
		s += "; " + orderText(ev)
	}
	if r.step == d.Fatal {
		s += "; after this access the violation can no longer be avoided"
	}
	return s
}

// site is what the text of the structure calls an access.
func (d *drawing) site(ev *ref.Event) string {
	setup := d.Execution.Setup
	if ev.Kind != ref.Fence && setup.Sync(ev.Location) {
		return ""
	}
	if sites := setup.Subject.Design().Sites; int(ev.Access.Site) < len(sites) {
		return sites[ev.Access.Site]
	}
	return ""
}

func orderText(ev *ref.Event) string {
	if ev.Access.Order == ref.Weak {
		return "weak"
	}
	return fmt.Sprintf("%s.%s", ev.Access.Order, ev.Access.Scope)
}

// writeArrow writes an arrow: from the side of one box to the facing side of the other, or
// in a bow to the right within a column.
func (d *drawing) writeArrow(w *page.Writer, a arrow) {
	from, to := d.at[a.from], d.at[a.to]
	l1, r1, y1 := d.box(from)
	l2, r2, y2 := d.box(to)
	var path, head string
	switch c1, c2 := d.columns[d.rows[from].thread], d.columns[d.rows[to].thread]; {
	case c1 == c2:
		path = fmt.Sprintf("M%d %d C%d %d %d %d %d %d", r1, y1, max(r1, r2)+bow, y1, max(r1, r2)+bow, y2, r2+5, y2)
		head = fmt.Sprintf("M%d %d l7 -4 v8 z", r2, y2)
	case c1 < c2:
		path = fmt.Sprintf("M%d %d C%d %d %d %d %d %d", r1, y1, r1+bow, y1, l2-bow, y2, l2-5, y2)
		head = fmt.Sprintf("M%d %d l-7 -4 v8 z", l2, y2)
	default:
		path = fmt.Sprintf("M%d %d C%d %d %d %d %d %d", l1, y1, l1-bow, y1, r2+bow, y2, r2+5, y2)
		head = fmt.Sprintf("M%d %d l7 -4 v8 z", r2, y2)
	}
	w.Print("<g class=\"arrow %s\" data-from=\"%d\" data-to=\"%d\"><title>%s</title><path d=\"%s\"/><path class=\"tip\" d=\"%s\"/></g>\n",
		string(a.relation), a.from, a.to, a.String(), path, head)
}

func (a arrow) String() string {
	switch a.relation {
	case missed:
		return fmt.Sprintf("step %d missed step %d, which had written something newer", a.to, a.from)
	case overtook:
		return fmt.Sprintf("step %d took effect before step %d, which was made earlier", a.from, a.to)
	case overwrote:
		return fmt.Sprintf("step %d overwrote what step %d wrote", a.from, a.to)
	}
	return fmt.Sprintf("step %d read what step %d wrote", a.to, a.from)
}

// writeLegend says what the signs mean, those that are in the picture.
func (d *drawing) writeLegend(w *page.Writer) {
	w.Print("<ul class=\"legend\" aria-label=\"legend\">\n")
	sign := func(class, inside, what string) {
		w.Print("<li><svg width=\"28\" height=\"16\" aria-hidden=\"true\"><g class=\"%s\">"+inside+"</g></svg>%s</li>\n", class, what)
	}
	const box = `<rect x="1" y="2" width="26" height="12" rx="3"/>`
	const line = `<path d="M1 8 H21"/><path class="tip" d="M27 8 l-7 -4 v8 z"/>`
	sign("access", box, "reads")
	sign("access writes", box, "writes")
	if d.Fatal > 0 {
		sign("access fatal", box, "fatal: the violation can no longer be avoided")
	}
	if len(d.Matter) > 0 {
		sign("", `<rect class="operation matters" x="1" y="2" width="26" height="12" rx="3"/>`, "an operation that shows the violation")
	}
	for _, r := range []struct {
		relation
		what string
	}{{readsFrom, "was read by"}, {missed, "was newer, and missed by"}, {overtook, "took effect before, though made later"}, {overwrote, "overwrote what another process wrote"}} {
		if slices.ContainsFunc(d.arrows, func(a arrow) bool { return a.relation == r.relation }) {
			sign("arrow "+string(r.relation), line, r.what)
		}
	}
	w.Print("</ul>\n<p class=\"note\">Time goes down, one access after the other. Arrows are drawn between processes; within one only where something was not in order. Who reads what was there at the start has none.</p>\n")
}

// writeTable lists the accesses that are drawn; each leads to its box.
func (d *drawing) writeTable(w *page.Writer) {
	weak := d.Execution.Setup.Weak()
	w.Print("<details>\n<summary>The accesses (%d)</summary>\n<div class=\"table\">\n<table>\n<tr><th class=\"number\">step</th><th>process</th><th>access</th><th>in the text</th><th>order</th><th class=\"number\">reads from</th>", len(d.at))
	if weak {
		w.Print("<th class=\"number\">missed</th><th class=\"number\">took effect before</th>")
	}
	w.Print("</tr>\n")
	sources := map[int]int{}
	last := map[ref.Location]*ref.Event{}
	for _, ev := range d.events {
		if source := d.source(ev, last); source != nil && ev.Kind != ref.Fence && ev.Kind != ref.Store {
			sources[ev.Step] = source.Step
		}
		if ev.Writes() {
			last[ev.Location] = ev
		}
	}
	for _, r := range d.rows {
		if r.step == 0 {
			continue
		}
		ev := d.events[r.step-1]
		w.Print("<tr id=\"row%[1]d\"><td class=\"number\">%[1]d</td><td>%[2]s</td><td class=\"code\"><a href=\"#step%[1]d\">%[3]s</a></td><td>%[4]s</td><td>%[5]s</td>",
			r.step, d.Execution.Setup.ThreadName(ev.Process), strings.TrimSpace(r.text), d.site(ev), orderText(ev))
		d.writeStep(w, sources[r.step])
		if weak {
			d.writeStep(w, ev.Missed)
			d.writeStep(w, ev.Overtaken)
		}
		w.Print("</tr>\n")
	}
	w.Print("</table>\n</div>\n</details>\n")
}

// writeStep writes the number of another access, which leads there if it is drawn.
func (d *drawing) writeStep(w *page.Writer, step int) {
	switch _, shown := d.at[step]; {
	case step == 0:
		w.Print("<td></td>")
	case shown:
		w.Print("<td class=\"number\"><a href=\"#step%[1]d\">%[1]d</a></td>", step)
	default:
		w.Print("<td class=\"number\">%d</td>", step)
	}
}
