package cases

import (
	"stealproof/cmd/stealproof/internal/files"
	"stealproof/fuzz"
	"stealproof/linearize/format"
	"stealproof/model"
)

// Pictures are the files into which an execution is drawn; empty names are none.
type Pictures struct{ HTML, SVG string }

// Check says why they could not be written, before there is anything to draw.
func (p Pictures) Check() error { return files.CanWrite(p.HTML, p.SVG) }

// Asked says whether anything is to be drawn.
func (p Pictures) Asked() bool { return p.HTML != "" || p.SVG != "" }

// Draw draws an execution.
func (p Pictures) Draw(r *fuzz.Rerun) error {
	drawn := r.Picture()
	if p.HTML != "" {
		if err := format.Replace(p.HTML, drawn.WriteHTML); err != nil {
			return err
		}
	}
	if p.SVG != "" {
		return format.Replace(p.SVG, drawn.WriteSVG)
	}
	return nil
}

// OnMemory names a memory that is not the usual one.
func OnMemory(m model.Spec) string {
	if m.Structure == "" {
		return ""
	}
	return " on memory " + m.String()
}
