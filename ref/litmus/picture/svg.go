package picture

import (
	"fmt"
	"html"
	"slices"
	"strings"

	"stealproof/ref/axioms"
	"stealproof/ref/litmus"
)

func (p *picture) write(x, y int, attributes, text string) {
	fmt.Fprintf(&p.b, `<text x="%d" y="%d" %s>%s</text>`+"\n", x, y, attributes, html.EscapeString(text))
}

// events draws the heads of the columns and the boxes.
func (p *picture) events() {
	for i, th := range p.test.Threads {
		x := left + i*columnWidth + columnWidth/2
		p.write(x, top+rowHeight+8, `text-anchor="middle" font-weight="bold"`, th.Name())
		p.write(x, top+rowHeight+24, `text-anchor="middle" fill="#666" font-size="11"`, p.placeText(th.Place))
	}
	involved := map[int]bool{}
	for _, s := range p.cycle {
		involved[s.From], involved[s.To] = true, true
	}
	for i := range p.execution.Graph.Events {
		if !p.shown[i] {
			continue
		}
		border, width := "#5f6368", 1
		if involved[i] {
			border, width = "#c5221f", 2
		}
		fmt.Fprintf(&p.b, `<rect x="%d" y="%d" width="%d" height="%d" rx="5" fill="#f8f9fa" stroke="%s" stroke-width="%d"/>`+"\n",
			p.x[i]-boxWidth/2, p.y[i]-boxHeight/2, boxWidth, boxHeight, border, width)
		p.write(p.x[i], p.y[i]+5, `text-anchor="middle" font-family="monospace"`, p.label(i))
	}
}

// placeText leaves out clusters where each block has its own.
func (p *picture) placeText(at axioms.Place) string {
	if slices.ContainsFunc(p.test.Threads, func(th litmus.Thread) bool { return th.Place.Cluster != th.Place.CTA }) {
		return fmt.Sprintf("cta %d, cluster %d, gpu %d", at.CTA, at.Cluster, at.GPU)
	}
	return fmt.Sprintf("cta %d, gpu %d", at.CTA, at.GPU)
}

// label is what an event did.
func (p *picture) label(i int) string {
	e := &p.execution.Graph.Events[i]
	strength := e.Order.String()
	if e.Order != axioms.Weak {
		strength += "." + e.Scope.String()
	}
	switch {
	case e.Thread == axioms.Initial:
		return fmt.Sprintf("initially %s = %d", p.test.Locations[e.Location], e.Value)
	case e.Kind == axioms.Fence:
		return "fence." + strength
	case e.IsBarrier() && p.waitsAt(i):
		return fmt.Sprintf("%s %d, for ever", e.Kind, p.execution.Instructions[i].Barrier)
	case e.IsBarrier():
		return fmt.Sprintf("%s %d", e.Kind, p.execution.Instructions[i].Barrier)
	case e.Kind == axioms.AliasFence:
		return "fence.proxy.alias"
	case e.Kind == axioms.ProxyFence:
		return "fence.proxy." + e.Proxy.String()
	}
	if e.Proxy != axioms.Generic {
		strength += "." + e.Proxy.String()
	}
	name := p.execution.Instructions[i].Name
	if e.Kind == axioms.Read {
		return fmt.Sprintf("R.%s %s: %d", strength, name, e.Value)
	}
	return fmt.Sprintf("W.%s %s = %d", strength, name, e.Value)
}

// waitsAt says whether an event is the barrier at which its thread waits for ever.
func (p *picture) waitsAt(i int) bool {
	events := p.execution.Graph.Events
	isLast := i == len(events)-1 || events[i+1].Thread != events[i].Thread
	return isLast && slices.Contains(p.execution.Waiting, events[i].Thread)
}

// edge draws an arrow. What is part of the cycle is thick.
func (p *picture) edge(s axioms.Step) {
	width, opacity := 1.3, 1.0
	if slices.Contains(p.cycle, s) {
		width = 3
	} else if p.cycle != nil {
		opacity = 0.45
	}
	colour := colourOf(s.Relation)
	path, _, _, head := p.route(s)
	fmt.Fprintf(&p.b, `<g opacity="%.2f"><path d="%s" fill="none" stroke="%s" stroke-width="%.1f"/><path d="%s" fill="%s"/></g>`+"\n", opacity, path, colour, width, head, colour)
}

// edgeName names an arrow, above all that is drawn.
func (p *picture) edgeName(s axioms.Step) {
	matters := slices.Contains(p.cycle, s)
	if s.Relation == "po" && !matters {
		return
	}
	opacity := 1.0
	if p.cycle != nil && !matters {
		opacity = 0.45
	}
	_, x, y, _ := p.route(s)
	p.write(x, y, fmt.Sprintf(`text-anchor="middle" font-size="11" opacity="%.2f" fill="%s" stroke="white" stroke-width="3" paint-order="stroke"`, opacity, colourOf(s.Relation)), s.Relation)
}

// lane keeps arrows of different relations apart.
func lane(relation string) int {
	return map[string]int{"rf": -6, "fr": 6, "co": 0, "sync": 10, "barrier": 0, "fence order": -10}[relation]
}

// route leads from box to box: straight down a column, in a bow to the side of
// it where boxes lie between, or across from side to side.
func (p *picture) route(s axioms.Step) (path string, labelX, labelY int, head string) {
	x1, y1, x2, y2 := p.x[s.From], p.y[s.From], p.x[s.To], p.y[s.To]
	shift := lane(s.Relation)
	switch {
	case p.thread(s.From) == axioms.Initial || p.thread(s.To) == axioms.Initial:
		y1, y2 = y1+sign2(y2-y1)*boxHeight/2, y2-sign2(y2-y1)*boxHeight/2
		x2 += shift * 4
		return bow(x1, y1, x1, y1+(y2-y1)/3, x2, y2-(y2-y1)/3, x2, y2), (x1 + x2) / 2, (y1 + y2) / 2, arrowHead(x2, y2, 0, sign2(y2-y1))
	case x1 == x2 && y2-y1 == rowHeight && (colourOf(s.Relation) == colours["po"]):
		y1, y2 = y1+boxHeight/2, y2-boxHeight/2
		return fmt.Sprintf("M%d,%d L%d,%d", x1, y1, x2, y2), x1, (y1+y2)/2 + 4, arrowHead(x2, y2, 0, 1)
	case x1 == x2:
		side := 1
		if y2 < y1 {
			side = -1
		}
		x := x1 + side*boxWidth/2
		out := x + side*(34+shift)
		return bow(x, y1+shift, out, y1+shift, out, y2-shift, x, y2-shift), x + side*26, (y1 + y2) / 2, arrowHead(x, y2-shift, -side, 0)
	}
	side := sign2(x2 - x1)
	x1, x2 = x1+side*boxWidth/2, x2-side*boxWidth/2
	y1, y2 = y1+shift, y2+shift
	if distance := (x2 - x1) * side; distance > columnWidth { // over the heads of columns between
		middle := min(y1, y2) - rowHeight*3/4
		return bow(x1, y1, x1+side*distance/3, middle, x2-side*distance/3, middle, x2, y2), (x1 + x2) / 2, (y1+y2+2*middle)/4 - 4, arrowHead(x2, y2, side, 0)
	}
	return bow(x1, y1, x1+side*36, y1, x2-side*36, y2, x2, y2), x1 + (x2-x1)*2/5, y1 + (y2-y1)*2/5 - 4, arrowHead(x2, y2, side, 0)
}

func sign2(n int) int {
	if n < 0 {
		return -1
	}
	return 1
}

func bow(x1, y1, c1x, c1y, c2x, c2y, x2, y2 int) string {
	return fmt.Sprintf("M%d,%d C%d,%d %d,%d %d,%d", x1, y1, c1x, c1y, c2x, c2y, x2, y2)
}

// arrowHead ends at a point, coming from the direction given.
func arrowHead(x, y, dx, dy int) string {
	const length, half = 9, 4
	return fmt.Sprintf("M%d,%d L%d,%d L%d,%d Z", x, y, x-length*dx-half*dy, y-length*dy-half*dx, x-length*dx+half*dy, y-length*dy+half*dx)
}

// finals writes what the variables are in the end.
func (p *picture) finals() {
	var words []string
	for _, v := range p.test.Variables() {
		var texts []string
		if v.Thread == litmus.OfMemory {
			for _, n := range p.execution.Finals(v.Index) {
				texts = append(texts, fmt.Sprint(n))
			}
		} else {
			texts = append(texts, p.execution.Register(v.Thread, v.Index).String())
		}
		words = append(words, p.test.VariableName(v)+" = "+strings.Join(texts, " or "))
	}
	p.write(left, p.bottom+28, "", "In the end: "+strings.Join(words, ", "))
}

var legendTexts = []struct{ relation, text string }{
	{"po", "po: program order"}, {"rf", "rf: read from"}, {"co", "co: overwritten by"}, {"fr", "fr: read before"},
	{"sync", "sync: synchronizes"}, {"barrier", "barrier"}, {"fence order", "order of sc fences"}, {"dep", "dep: dependency"},
}

func (p *picture) legend(edges []axioms.Step) {
	x, y := left, p.bottom+58
	for _, l := range legendTexts {
		drawn := slices.ContainsFunc(edges, func(s axioms.Step) bool { return colourOf(s.Relation) == colours[l.relation] })
		if !drawn || l.relation == "barrier" && slices.ContainsFunc(edges, func(s axioms.Step) bool { return s.Relation == "sync" }) {
			continue
		}
		if x+36+7*len(l.text) > p.columns*columnWidth+left {
			x, y = left, y+20
		}
		fmt.Fprintf(&p.b, `<path d="M%d,%d h18" stroke="%s" stroke-width="3"/>`+"\n", x, y, colours[l.relation])
		p.write(x+24, y+4, `font-size="11" fill="#444"`, l.text)
		x += 36 + 7*len(l.text)
	}
}
