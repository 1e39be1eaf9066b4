package histories

import (
	"io"

	"stealproof/cmd/stealproof/internal/exit"
	"stealproof/linearize"
	"stealproof/linearize/draw"
	"stealproof/linearize/format"
	"stealproof/model"
)

// pictures are what is drawn of the histories that were decided.
type pictures struct {
	page  draw.Page // of all files
	first bool      // a violation was drawn by itself
}

// draw draws a file: onto the page, and if it has the first violation of all files, in
// the pictures that show only one.
func (c *checking) draw(file string, h *model.History, r *linearize.Report) error {
	from := draw.Origin{File: file, Records: c.flags.recordWord(file) == "record"}
	if c.flags.html != "" {
		c.pictures.page.Add(h, c.flags.shortened(r), from)
		if c.flags.stats && len(h.Ops) > 0 {
			c.pictures.page.AddStatistics(draw.Describe(h), from)
		}
	}
	if len(r.Violations) == 0 || c.pictures.first {
		return nil
	}
	c.pictures.first = true
	return c.replace([]picture{
		{c.flags.svg, func(w io.Writer) error { return draw.WriteSVG(w, h, r.Violations[0], from) }},
		{c.flags.porcupineHTML, func(w io.Writer) error { return linearize.WriteHTML(w, h, r.Violations[0]) }},
	})
}

// drawPage writes the page of all files.
func (c *checking) drawPage() error {
	if c.flags.html == "" || c.pictures.page.Empty() {
		return nil
	}
	return c.replace([]picture{{c.flags.html, c.pictures.page.Write}})
}

// picture is a file, and what writes it.
type picture struct {
	path  string
	write func(io.Writer) error
}

// replace writes the pictures that were asked for.
func (c *checking) replace(all []picture) error {
	var wrong error
	for _, p := range all {
		if p.path == "" {
			continue
		}
		if err := format.Replace(p.path, p.write); err != nil {
			c.con.Say("%v", err)
			wrong = exit.ErrReported
		}
	}
	return wrong
}

// sayNotDrawn keeps a picture of an earlier run from being taken for one of
// this run.
func (c *checking) sayNotDrawn() {
	if c.flags.html != "" && c.pictures.page.Empty() {
		c.con.Say("%s is not written: there is nothing to draw", c.flags.html)
	}
	for _, path := range []string{c.flags.svg, c.flags.porcupineHTML} {
		if path != "" && !c.pictures.first {
			c.con.Say("%s is not written: there is no violation to draw", path)
		}
	}
}
