package trace

import (
	"fmt"
	"io"
	"regexp"
	"unicode/utf8"

	"stealproof/linearize/draw/page"
	"stealproof/model"
	"stealproof/ref"
)

// Picture is an execution in space and time: processes are columns, accesses rows, and
// arrows say who read from whom. It is shortened as [WriteColumns] shortens it.
type Picture struct {
	Execution *ref.Execution
	Matter    []model.Operation
	Fatal     int
	// Title says what it is an execution of, About what is to be said of it.
	Title string
	About []string
}

// The measures of the picture, in pixels.
const (
	letter     = 7.3 // of an access
	rowHeight  = 24
	boxHeight  = 20
	inner      = 10  // from the edge of a column to its boxes
	between    = 120 // columns, for the arrows
	fewColumns = 6   // of which there is so much room between
	narrow     = 50
	stepsWidth = 64
	headHeight = 28
	bow        = 40 // of an arrow within a column
)

// WriteHTML writes it as a page, with a table of the accesses.
func (p Picture) WriteHTML(to io.Writer) error {
	d := p.layOut()
	w := page.Begin(to, p.Title)
	for _, text := range p.About {
		w.Print("<p class=\"sentence\">%s</p>\n", text)
	}
	d.writeParts(w)
	d.writeLegend(w)
	d.writeTable(w)
	return w.End()
}

// WriteSVG writes the picture alone.
func (p Picture) WriteSVG(to io.Writer) error {
	d := p.layOut()
	w := page.BeginSVG(to, stepsWidth+d.width, headHeight+d.height(), p.Title)
	w.Print("<g transform=\"translate(%d,0)\">\n", stepsWidth)
	d.writeHead(w)
	w.Print("</g>\n<g transform=\"translate(0,%d)\">\n", headHeight)
	d.writeSteps(w)
	w.Print("</g>\n<g transform=\"translate(%d,%d)\">\n", stepsWidth, headHeight)
	d.writeField(w, false)
	w.Print("</g>\n")
	return w.EndSVG()
}

// drawing is the picture while it is drawn.
type drawing struct {
	Picture
	rows    []columnRow // those that are shown, and a row of no thread for each gap
	columns []int       // of each thread, where it begins; -1 if it has none
	width   int
	at      map[int]int // the row of each step that is shown
	events  []*ref.Event
	arrows  []arrow
	bands   []band
}

// noThread marks a row that stands for those that are left out.
const noThread = -1

func (p Picture) layOut() *drawing {
	t := columnTable{execution: p.Execution, fatal: p.Fatal}
	t.shorten(p.Matter)
	d := &drawing{Picture: p, at: map[int]int{}}
	for i := range p.Execution.Trace {
		if ev := &p.Execution.Trace[i]; !ev.Silent {
			d.events = append(d.events, ev)
		}
	}
	hidden := 0
	for i, r := range t.rows {
		if r.hidden {
			hidden++
		}
		if hidden > 0 && (!r.hidden || i == len(t.rows)-1) {
			d.rows = append(d.rows, columnRow{thread: noThread, text: fmt.Sprintf("⋯ %d rows left out", hidden)})
			hidden = 0
		}
		if r.hidden {
			continue
		}
		if r.step > 0 {
			d.at[r.step] = len(d.rows)
		}
		d.rows = append(d.rows, r)
	}
	d.placeColumns()
	d.findBands()
	d.findArrows()
	return d
}

// placeColumns gives every thread that does something a column as wide as its texts.
func (d *drawing) placeColumns() {
	setup := d.Execution.Setup
	widths := make([]int, setup.Threads())
	for _, r := range d.rows {
		if r.thread != noThread {
			widths[r.thread] = max(widths[r.thread], d.breadth(&r), textWidth(setup.ThreadName(r.thread)))
		}
	}
	d.columns = make([]int, len(widths))
	gap := between
	if len(widths) > fewColumns {
		gap = narrow
	}
	x := inner
	for i, width := range widths {
		d.columns[i] = -1
		if width > 0 {
			d.columns[i] = x
			x += width + 2*inner + gap
		}
	}
	d.width = max(x-gap+bow+inner, 300)
}

func textWidth(s string) int { return int(letter*float64(utf8.RuneCountInString(s))) + 12 }

func (d *drawing) height() int { return len(d.rows)*rowHeight + inner }

// breadth is that of an access, with its place in a file behind.
func (d *drawing) breadth(r *columnRow) int {
	if place := d.place(r); place != "" {
		return textWidth(r.text) + textWidth(place)
	}
	return textWidth(r.text)
}

// place is where an access stands in a file, if that is what its site says: the file and
// the line of "queue.cu:31: read".
func (d *drawing) place(r *columnRow) string {
	if r.step == 0 {
		return ""
	}
	return placeInFile.FindString(d.site(d.events[r.step-1]))
}

var placeInFile = regexp.MustCompile(`[^ ()]+\.[a-z]+:[0-9]+`)

// top is where a row begins.
func (d *drawing) top(row int) int { return row*rowHeight + inner/2 }

// box is where an access stands, with its place in a file.
func (d *drawing) box(row int) (left, right, middle int) {
	r := &d.rows[row]
	left = d.columns[r.thread] + inner
	return left, left + d.breadth(r), d.top(row) + boxHeight/2
}

// band is an operation: the rows of one thread from its first to its last.
type band struct {
	thread, from, to int
	matters          bool
}

// findBands finds the operations by the accesses that are shown. Its call stands before
// the first, and its result behind the last.
func (d *drawing) findBands() {
	type going struct {
		band int
		of   *model.Operation
	}
	open := map[int]going{} // of each thread, the band that goes on
	for i, r := range d.rows {
		if r.thread == noThread {
			continue
		}
		process, _ := d.Execution.Setup.ProcessOf(r.thread)
		o := d.operation(process, r.at)
		if o == nil {
			continue
		}
		g := open[r.thread]
		if g.of != o {
			g = going{len(d.bands), o}
			open[r.thread] = g
			d.bands = append(d.bands, band{thread: r.thread, from: i, to: i, matters: d.matters(o)})
		}
		d.bands[g.band].to = i
	}
}

// operation is the one of a process that a step belongs to.
func (d *drawing) operation(process, step int) *model.Operation {
	for i := range d.Execution.History.Ops {
		if o := &d.Execution.History.Ops[i]; int(o.Process) == process && o.Call <= uint64(step) && uint64(step) <= o.Return {
			return o
		}
	}
	return nil
}

func (d *drawing) matters(o *model.Operation) bool {
	for i := range d.Matter {
		if d.Matter[i].Process == o.Process && d.Matter[i].Call == o.Call {
			return true
		}
	}
	return false
}
