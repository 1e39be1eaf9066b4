// Package picture draws what decides a litmus test.
package picture

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"stealproof/ref/axioms"
	"stealproof/ref/litmus"
)

// Draw makes a picture, as SVG, of what decides a test: the execution that
// reaches the state asked for, or the nearest candidate and the cycle that
// forbids it.
func Draw(ctx context.Context, t *litmus.Test, o litmus.Options, r *litmus.Result) string {
	p := &picture{test: t}
	switch {
	case r.Witness != nil:
		p.execution = r.Witness
		p.caption = fmt.Sprintf("%s: allowed by %s", t.DecisiveText(), o.Model)
		if r.Why != "" {
			p.caption += ", " + r.Why
		}
	default:
		p.forbidden(litmus.FindNearest(ctx, t, o), o.Model)
		if r.Verdict == litmus.Undecided || r.Nothing { // then the axioms are not why nothing decides it
			p.caption = fmt.Sprintf("%s: %s: %s", t.DecisiveText(), r.Verdict, r.Why)
		}
	}
	if p.execution == nil {
		_, _ = litmus.Each(ctx, t, o, func(e *litmus.Execution) bool { // any, to show the program
			p.execution = e.Keep()
			return false
		})
	}
	return p.svg()
}

func (p *picture) forbidden(n *litmus.Nearest, m axioms.Model) {
	if n == nil {
		p.caption = fmt.Sprintf("%s: no choice of reads yields these values", p.test.DecisiveText())
		return
	}
	p.execution, p.cycle = n.Execution, n.Forbidden.Cycle
	p.caption = fmt.Sprintf("%s: forbidden by %s, axiom \u201c%s\u201d", p.test.DecisiveText(), m, n.Forbidden.Axiom)
}

// picture places the events of an execution: a column for each thread, with the
// initial writes in a row above.
type picture struct {
	test      *litmus.Test
	execution *litmus.Execution
	cycle     []axioms.Step
	caption   string

	x, y    []int // of the middle of each event's box
	shown   []bool
	columns int
	bottom  int
	b       strings.Builder
}

const (
	boxWidth, boxHeight = 190, 30
	columnWidth         = 290
	rowHeight           = 66
	left, top           = 40, 64
)

var colours = map[string]string{
	"po": "#9aa0a6", "rf": "#188038", "co": "#8a5a00", "fr": "#c5221f",
	"sync": "#7b1fa2", "barrier": "#7b1fa2", "fence order": "#1a56db", "dep": "#00838f",
}

func colourOf(relation string) string {
	switch relation {
	case "po-loc", "rmw":
		relation = "po"
	}
	if c, known := colours[relation]; known {
		return c
	}
	return "#202124"
}

func (p *picture) svg() string {
	p.columns = max(len(p.test.Threads), 2)
	var edges []axioms.Step
	if p.execution != nil {
		edges = p.edges()
		p.place(edges)
	} else {
		p.bottom = top + 3*rowHeight
	}
	width, height := 2*left+p.columns*columnWidth, p.bottom+110
	fmt.Fprintf(&p.b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="sans-serif" font-size="13">`+"\n", width, height, width, height)
	fmt.Fprintf(&p.b, `<rect width="%d" height="%d" fill="white"/>`+"\n", width, height)
	p.write(left, 26, `font-size="16" font-weight="bold"`, p.test.Name)
	p.write(left, 46, `fill="#444"`, p.caption)
	if p.execution != nil {
		for _, e := range edges {
			p.edge(e)
		}
		p.events()
		for _, e := range edges {
			p.edgeName(e)
		}
		p.finals()
		p.legend(edges)
	}
	p.b.WriteString("</svg>\n")
	return p.b.String()
}

// edges are the arrows to draw: program order and reads-from; of coherence,
// from-reads and synchronization what no other arrow implies; the cycle.
func (p *picture) edges() []axioms.Step {
	r := p.execution.Relations()
	var all []axioms.Step
	add := func(name string, pairs []axioms.Pair) {
		for _, q := range pairs {
			s := axioms.Step{From: q.From, To: q.To, Relation: name}
			if !p.inCycle(s) {
				all = append(all, s)
			}
		}
	}
	add("po", immediate(r.Relation("po")))
	add("rf", p.execution.Graph.RF)
	co := r.Relation("co")
	add("co", p.betweenThreads(immediate(co)))
	add("fr", p.firstOverwrites(co))
	add("sync", p.betweenThreads(p.patterns(r.Relation("sync").Pairs())))
	add("fence order", p.execution.Graph.FenceOrder)
	add("barrier", r.Relation("barrier").Pairs())
	return append(all, p.cycle...)
}

// patterns leaves out the order of sc fences, which has arrows of its own.
func (p *picture) patterns(sync []axioms.Pair) []axioms.Pair {
	return slices.DeleteFunc(sync, func(q axioms.Pair) bool { return slices.Contains(p.execution.Graph.FenceOrder, q) })
}

func (p *picture) inCycle(s axioms.Step) bool {
	for _, c := range p.cycle {
		if c.From == s.From && c.To == s.To && (c.Relation == s.Relation || colourOf(c.Relation) == colourOf(s.Relation)) {
			return true
		}
	}
	return false
}

// immediate leaves out the pairs between which there is another event.
func immediate(r axioms.Rel) []axioms.Pair {
	var all []axioms.Pair
	pairs := r.Pairs()
	for _, p := range pairs {
		implied := false
		for _, q := range pairs {
			implied = implied || q.From == p.From && q.To != p.To && r.Has(q.To, p.To) && !r.Has(p.To, q.To)
		}
		if !implied {
			all = append(all, p)
		}
	}
	return all
}

// betweenThreads leaves out what program order shows, and initial writes.
func (p *picture) betweenThreads(pairs []axioms.Pair) []axioms.Pair {
	var all []axioms.Pair
	for _, q := range pairs {
		if a, b := p.thread(q.From), p.thread(q.To); a != b && a != axioms.Initial {
			all = append(all, q)
		}
	}
	return all
}

func (p *picture) thread(event int) int { return p.execution.Graph.Events[event].Thread }

// firstOverwrites are the from-reads to the first writes after the one read.
func (p *picture) firstOverwrites(co axioms.Rel) []axioms.Pair {
	var all []axioms.Pair
	for _, rf := range p.execution.Graph.RF {
		for _, next := range immediate(co) {
			if next.From == rf.From && p.thread(next.To) != p.thread(rf.To) {
				all = append(all, axioms.Pair{From: rf.To, To: next.To})
			}
		}
	}
	return all
}

// place gives each event its box. Initial writes are shown if an arrow needs
// them.
func (p *picture) place(edges []axioms.Step) {
	events := p.execution.Graph.Events
	p.x, p.y, p.shown = make([]int, len(events)), make([]int, len(events)), make([]bool, len(events))
	for _, e := range edges {
		p.shown[e.From], p.shown[e.To] = true, true
	}
	initial, used := 0, make([]int, len(p.test.Threads))
	for i := range events {
		if th := events[i].Thread; th != axioms.Initial {
			p.shown[i] = true
			p.x[i] = left + th*columnWidth + columnWidth/2
			p.y[i] = top + 2*rowHeight + used[th]*rowHeight
			used[th]++
			p.bottom = max(p.bottom, p.y[i]+boxHeight)
		} else if p.shown[i] {
			p.x[i] = left + boxWidth/2 + initial*(boxWidth+20)
			p.y[i] = top + 20
			initial++
			p.columns = max(p.columns, (p.x[i]+boxWidth)/columnWidth)
		}
	}
}
