package draw

import (
	"bufio"
	_ "embed"
	"fmt"
	"html"
	"io"
	"strings"
)

// The page is written by hand and not by a template, so that packages of tests,
// which can draw a timeline too, do not all link the engine of templates.

//go:embed timeline.css
var timelineStyle string

// htmlWriter writes HTML: every text that it is given is escaped, the format is
// not.
type htmlWriter struct{ *bufio.Writer }

func (w htmlWriter) print(format string, values ...any) {
	for i, v := range values {
		if text, ok := v.(string); ok {
			values[i] = html.EscapeString(strings.ToValidUTF8(text, "\uFFFD"))
		}
	}
	fmt.Fprintf(w, format, values...)
}

func (p *page) write(to io.Writer) error {
	w := htmlWriter{bufio.NewWriter(to)}
	p.writeHead(w)
	w.print("<div class=\"picture\">\n")
	p.writeNames(w)
	p.writeBars(w)
	w.print("</div>\n")
	for _, note := range p.Notes {
		w.print("<p class=\"note\">%s</p>\n", note)
	}
	p.writeTable(w)
	w.print("</body>\n</html>\n")
	return w.Flush() // which reports the first error of any write
}

func (p *page) writeHead(w htmlWriter) {
	title := p.Title
	if p.File != "" {
		title += " of " + p.File
	}
	w.print(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>%s</title>
<style>
`, title)
	w.WriteString(timelineStyle)
	w.print("</style>\n</head>\n<body>\n<h1>%s</h1>\n", p.Title)
	if p.File != "" {
		w.print("<p class=\"note\">%s</p>\n", p.File)
	}
	w.print("<p class=\"sentence\">%s</p>\n", p.Sentence)
}

// writeNames writes the column of the processes, which stays where it is when one
// scrolls.
func (p *page) writeNames(w htmlWriter) {
	w.print("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%[1]d\" height=\"%[2]d\" viewBox=\"0 0 %[1]d %[2]d\" aria-hidden=\"true\">\n", p.NameWidth, p.Height)
	for _, row := range p.Rows {
		row.writeBand(w, 0, p.NameWidth)
		w.print("<text class=\"name\" x=\"%d\" y=\"%d\">%s</text>\n", p.NameX, row.Line, row.Name)
	}
	w.print("</svg>\n")
}

func (p *page) writeBars(w htmlWriter) {
	w.print("<div class=\"bars\" tabindex=\"0\" role=\"group\" aria-label=\"timeline\">\n")
	w.print("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%[1]d\" height=\"%[2]d\" viewBox=\"%[3]d 0 %[1]d %[2]d\" role=\"img\" aria-label=\"%[4]s\">\n",
		p.Width, p.Height, p.NameWidth, p.Sentence)
	for _, row := range p.Rows {
		row.writeBand(w, p.NameWidth, p.Width)
	}
	for _, t := range p.Ticks {
		w.print("<line class=\"tick\" x1=\"%[1]d\" x2=\"%[1]d\" y1=\"%[2]d\" y2=\"%[3]d\"/>", t.X, t.Y1, t.Y2)
		if t.Label != "" {
			w.print("<text class=\"when\" x=\"%d\" y=\"%d\">%s</text>", t.X, t.LabelY, t.Label)
		}
		w.print("\n")
	}
	for _, b := range p.Bars {
		class := b.Class
		if b.Pending {
			class += " pending"
		}
		w.print("<g class=\"%s\"><title>%s</title><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"4\"/><text x=\"%d\" y=\"%d\">%s</text></g>\n",
			class, b.Title, b.X, b.Y, b.Width, b.Height, b.TextX, b.TextY, b.Label)
	}
	w.print("</svg>\n</div>\n")
}

// writeBand writes the background of every other row.
func (r pageRow) writeBand(w htmlWriter, x, width int) {
	if r.Odd {
		w.print("<rect class=\"band\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", x, r.Y, width, r.Alt)
	}
}

func (p *page) writeTable(w htmlWriter) {
	w.print("<h2>The operations that contradict one another</h2>\n<div class=\"table\">\n<table>\n")
	w.print("<tr><th class=\"number\">%s</th><th class=\"number\">process</th><th>operation</th><th class=\"number\">call</th><th class=\"number\">return</th></tr>\n", p.Numbered)
	for _, o := range p.Operations {
		w.print("<tr><td class=\"number\">")
		if o.Line > 0 {
			w.print("%d", o.Line)
		}
		w.print("</td><td class=\"number\">%d</td><td>%s</td><td class=\"number\">%s</td><td class=\"number\">%s</td></tr>\n", o.Process, o.Label, o.Call, o.Return)
	}
	w.print("</table>\n</div>\n")
}
