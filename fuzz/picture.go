package fuzz

import (
	"fmt"

	"stealproof/fuzz/trace"
)

// Picture is the execution for people: who read from whom, and what was missed.
func (r *Rerun) Picture() trace.Picture {
	p := trace.Picture{Execution: r.Execution, Matter: r.Matter, Fatal: r.Fatal}
	p.Title = fmt.Sprintf("Execution of %s", r.Case.Spec)
	if m := r.Case.Memory; m.Structure != "" {
		p.Title += fmt.Sprintf(" on memory %s", m)
	}
	p.Title += fmt.Sprintf(": %s", r.Finding.Verdict)
	if r.Finding.Kind != "" {
		p.Title += fmt.Sprintf(" (%s)", r.Finding.Kind)
	}
	if r.Case.Note != "" {
		p.About = append(p.About, r.Case.Note)
	}
	if r.Finding.Explanation != "" {
		p.About = append(p.About, r.Finding.Explanation)
	}
	for _, sentence := range trace.Reordered(r.Execution, r.Matter) {
		p.About = append(p.About, "Out of order: "+sentence+".")
	}
	return p
}
