package main

import (
	"fmt"
	"io"

	"stealproof/linearize"
	"stealproof/linearize/draw"
	"stealproof/linearize/format"
	"stealproof/model"
)

// drawFirst draws the first violation of all files.
func (a *app) drawFirst(f checkFlags, file string, h *model.History, r *linearize.Report) {
	if len(r.Violations) == 0 || a.drawn {
		return
	}
	a.drawn = true
	from := draw.Origin{File: file, Records: f.recordWord(file) == "record"}
	a.draw(f.html, func(w io.Writer) error { return draw.WriteTimelineOf(w, h, r.Violations[0], from) })
	a.draw(f.porcupineHTML, func(w io.Writer) error { return linearize.WriteHTML(w, h, r.Violations[0]) })
}

// sayNotDrawn keeps a picture of an earlier run from being taken for one of
// this run.
func (a *app) sayNotDrawn(paths ...string) {
	for _, path := range paths {
		if path != "" {
			fmt.Fprintf(a.err, "stealproof: %s is not written: there is no violation to draw\n", path)
		}
	}
}

// draw writes a picture to a file, if one is asked for.
func (a *app) draw(path string, write func(io.Writer) error) {
	if path == "" {
		return
	}
	if err := format.Replace(path, write); err != nil {
		a.broken = true
		fmt.Fprintf(a.err, "stealproof: %v\n", err)
	}
}
