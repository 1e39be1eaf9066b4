// Package draw shows histories to people: timelines as a page of HTML, or one as SVG,
// and statistics. The histories are such as model.History.Validate accepts.
package draw

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"stealproof/linearize"
	"stealproof/linearize/draw/page"
	"stealproof/model"
)

// Page is a page with timelines: processes are rows, operations bars, and those that
// contradict one another are marked. Around them stand operations of the same object
// that were under way meanwhile; a few hundred bars in all, and the page says what is
// not drawn. The zero value is empty.
type Page struct {
	violations, wholes []*timeline
	statistics         []*charts
	left               int // timelines that are not drawn
}

// section is a part of a page: a timeline, or statistics.
type section interface {
	heading() string
	write(w *page.Writer, number int)
}

// mostPictures bounds what one page shows; of more, nobody reads the rest.
const mostPictures = 24

// Origin says where a history came from, for people; it may be empty.
type Origin struct {
	File string
	// Records says that operations are numbered as records, not lines.
	Records bool
}

// Add draws what was decided about a history: every violation, as far as there is room;
// or, if there is none, the history.
func (p *Page) Add(h *model.History, r *linearize.Report, from Origin) {
	for _, v := range r.Violations {
		p.AddViolation(h, v, from)
	}
	if len(r.Violations) == 0 && len(h.Ops) > 0 {
		p.add(&p.wholes, func() *timeline { return newWhole(h, r, from) })
	}
}

// AddViolation draws a violation.
func (p *Page) AddViolation(h *model.History, v linearize.Violation, from Origin) {
	p.add(&p.violations, func() *timeline { return newTimeline(h, v, from) })
}

func (p *Page) add(to *[]*timeline, make func() *timeline) {
	if len(*to) == mostPictures {
		p.left++
		return
	}
	t := make()
	t.layOut()
	t.h = nil // the page keeps what it draws, and not the histories
	*to = append(*to, t)
}

// AddStatistics adds what describes a history, in charts.
func (p *Page) AddStatistics(s *Statistics, from Origin) {
	if len(p.statistics) == mostPictures {
		p.left++
		return
	}
	p.statistics = append(p.statistics, &charts{s, from})
}

// Empty says that there is nothing to show.
func (p *Page) Empty() bool {
	return len(p.violations)+len(p.wholes)+len(p.statistics) == 0
}

// sections are the parts of the page: what is wrong comes first.
func (p *Page) sections() (all []section, timelines, left int) {
	for _, t := range slices.Concat(p.violations, p.wholes) {
		all = append(all, t)
	}
	timelines = min(len(all), mostPictures)
	left = p.left + len(all) - timelines
	all = all[:timelines]
	for _, c := range p.statistics {
		all = append(all, c)
	}
	return all, timelines, left
}

// Write writes the page.
func (p *Page) Write(to io.Writer) error {
	sections, timelines, left := p.sections()
	title := "Nothing"
	if len(sections) > 0 {
		title = sections[0].heading()
	}
	if timelines+left > 1 {
		title = fmt.Sprintf("%s, and %d more", title, timelines+left-1)
	}
	w := page.Begin(to, title)
	if len(sections) > 1 {
		writeContents(w, sections, left)
	}
	for i, s := range sections {
		w.Print("<section id=\"part%d\">\n", i+1)
		if len(sections) > 1 {
			w.Print("<h2>%s</h2>\n", s.heading())
		}
		s.write(w, i+1)
		w.Print("</section>\n")
	}
	return w.End()
}

// writeContents lists the parts of a page that has several.
func writeContents(w *page.Writer, sections []section, left int) {
	w.Print("<nav aria-label=\"parts of this page\">\n<ul class=\"pages\">\n")
	for i, s := range sections {
		w.Print("<li><a href=\"#part%d\">%s</a></li>\n", i+1, s.heading())
	}
	w.Print("</ul>\n</nav>\n")
	if left > 0 {
		w.Print("<p class=\"note\">%d more are not drawn: a page has at most %d timelines, and statistics of as many files.</p>\n", left, mostPictures)
	}
}

// of is a heading with the file that it is about.
func (o Origin) of(heading string) string {
	if o.File == "" {
		return heading
	}
	return heading + " of " + o.File
}

// numbered says what the numbers of operations count.
func (o Origin) numbered() string {
	if o.Records {
		return "record"
	}
	return "line"
}

// WriteSVG writes the picture of a violation alone, for documents.
func WriteSVG(to io.Writer, h *model.History, v linearize.Violation, from Origin) error {
	t := newTimeline(h, v, from)
	t.layOut()
	return t.writeSVG(to)
}

// clockUnit names the unit of times, where the history says it.
func clockUnit(h *model.History) string { return cmp.Or(h.Clock.Unit, "ticks") }
