package histories

import (
	"io"

	"stealproof/cmd/stealproof/internal/exit"
	"stealproof/linearize"
	"stealproof/linearize/draw"
	"stealproof/linearize/format"
	"stealproof/model"
)

// drawFirst draws the first violation of all files.
func (c *checking) drawFirst(file string, h *model.History, r *linearize.Report) error {
	if len(r.Violations) == 0 || c.drawn {
		return nil
	}
	c.drawn = true
	from := draw.Origin{File: file, Records: c.flags.recordWord(file) == "record"}
	var wrong error
	for _, picture := range []struct {
		path  string
		write func(io.Writer) error
	}{
		{c.flags.html, func(w io.Writer) error { return draw.WriteTimeline(w, h, r.Violations[0], from) }},
		{c.flags.porcupineHTML, func(w io.Writer) error { return linearize.WriteHTML(w, h, r.Violations[0]) }},
	} {
		if picture.path == "" {
			continue
		}
		if err := format.Replace(picture.path, picture.write); err != nil {
			c.con.Say("%v", err)
			wrong = exit.ErrReported
		}
	}
	return wrong
}

// sayNotDrawn keeps a picture of an earlier run from being taken for one of
// this run.
func (c *checking) sayNotDrawn() {
	for _, path := range []string{c.flags.html, c.flags.porcupineHTML} {
		if path != "" {
			c.con.Say("%s is not written: there is no violation to draw", path)
		}
	}
}
