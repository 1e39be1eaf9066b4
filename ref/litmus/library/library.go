// Package library writes litmus tests of its own: every shape that the literature
// names, with every way to keep accesses in order, every scope and every placement
// of the threads. Each has its verdict under PTX, derived by hand.
package library

import (
	"fmt"
	"strings"
)

// Test is a litmus test that was made from a shape.
type Test struct {
	Shape, Mechanism, Scope, Placement string
	Name, Text                         string
	// Allowed is the verdict under PTX, derived by hand and not by the search:
	// whether some execution reaches what the test asks for.
	Allowed bool
}

// shape is the skeleton of a family of tests: the accesses of each thread, as
// in "Wx1" and "Rx=0", and what must hold of locations in the end.
type shape struct {
	name    string
	threads []string
	finals  string
}

// shapes carry the names that the literature gives them. All ask for what no
// interleaving of the threads shows.
var shapes = []shape{
	{"MP", []string{"Wx1 Wy1", "Ry=1 Rx=0"}, ""},
	{"SB", []string{"Wx1 Ry=0", "Wy1 Rx=0"}, ""},
	{"LB", []string{"Rx=1 Wy1", "Ry=1 Wx1"}, ""},
	{"S", []string{"Wx2 Wy1", "Ry=1 Wx1"}, "x=2"},
	{"R", []string{"Wx1 Wy1", "Wy2 Rx=0"}, "y=2"},
	{"2+2W", []string{"Wx1 Wy2", "Wy1 Wx2"}, "x=1 y=1"},
	{"WRC", []string{"Wx1", "Rx=1 Wy1", "Ry=1 Rx=0"}, ""},
	{"RWC", []string{"Wx1", "Rx=1 Ry=0", "Wy1 Rx=0"}, ""},
	{"W+RWC", []string{"Wx1 Wy1", "Ry=1 Rz=0", "Wz1 Rx=0"}, ""},
	{"ISA2", []string{"Wx1 Wy1", "Ry=1 Wz1", "Rz=1 Rx=0"}, ""},
	{"3.SB", []string{"Wx1 Ry=0", "Wy1 Rz=0", "Wz1 Rx=0"}, ""},
	{"3.LB", []string{"Rx=1 Wy1", "Ry=1 Wz1", "Rz=1 Wx1"}, ""},
	{"IRIW", []string{"Wx1", "Wy1", "Rx=1 Ry=0", "Ry=1 Rx=0"}, ""},
	{"CoWW", []string{"Wx1 Wx2"}, "x=1"},
	{"CoWR0", []string{"Wx1 Rx=0"}, ""},
	{"CoRW1", []string{"Rx=1 Wx1"}, ""},
	{"CoRR", []string{"Wx1", "Rx=1 Rx=0"}, ""},
	{"CoWR", []string{"Wx1 Rx=2", "Wx2"}, "x=1"},
	{"CoRW2", []string{"Wx1", "Rx=1 Wx2"}, "x=1"},
	{"CoRR2", []string{"Wx1", "Wx2", "Rx=1 Rx=2", "Rx=2 Rx=1"}, ""},
}

// mechanism is how the accesses of a thread are made and kept in order.
type mechanism struct {
	name        string
	read, write string // % is the scope
	between     string // an instruction between two accesses
	depends     string // data or ctrl: a write depends on the read before it
	atomic      bool   // reads and writes are atomics
}

var mechanisms = []mechanism{
	{name: "weak", read: "weak", write: "weak"},
	{name: "relaxed", read: "relaxed.%", write: "relaxed.%"},
	{name: "data", read: "relaxed.%", write: "relaxed.%", depends: "data"},
	{name: "ctrl", read: "relaxed.%", write: "relaxed.%", depends: "ctrl"},
	{name: "weak-data", read: "weak", write: "weak", depends: "data"},
	{name: "rel-acq", read: "acquire.%", write: "release.%"},
	{name: "fence.acq_rel", read: "relaxed.%", write: "relaxed.%", between: "fence.acq_rel.%"},
	{name: "fence.sc", read: "relaxed.%", write: "relaxed.%", between: "fence.sc.%"},
	{name: "weak-fence.acq_rel", read: "weak", write: "weak", between: "fence.acq_rel.%"},
	{name: "weak-fence.sc", read: "weak", write: "weak", between: "fence.sc.%"},
	{name: "atomics", read: "acq_rel.%", write: "acq_rel.%", atomic: true},
}

// placements are where the threads of a generated test run: all in one block,
// each in a block of its own, each on a GPU of its own.
var placements = []struct {
	name  string
	place func(thread int) string
}{
	{"one-cta", func(int) string { return "cta 0,gpu 0" }},
	{"ctas", func(t int) string { return fmt.Sprintf("cta %d,gpu 0", t) }},
	{"gpus", func(t int) string { return fmt.Sprintf("cta 0,gpu %d", t) }},
}

// Tests makes all of them.
func Tests() []Test {
	var all []Test
	for _, s := range shapes {
		for _, m := range mechanisms {
			for _, scope := range []string{"cta", "gpu", "sys"} {
				if !strings.Contains(m.read+m.between, "%") && scope != "cta" {
					continue // nothing has a scope
				}
				for _, p := range placements {
					g := Test{Shape: s.name, Mechanism: m.name, Scope: scope, Placement: p.name}
					g.Name = fmt.Sprintf("%s+%s+%s+%s", s.name, m.name, scope, p.name)
					g.Text = strings.ReplaceAll(s.text(g.Name, m, p.place), "%", scope)
					g.Allowed = !g.forbidden()
					all = append(all, g)
				}
			}
		}
	}
	return all
}

func (s *shape) text(name string, m mechanism, place func(int) string) string {
	var places, conditions []string
	var columns [][]string
	rows := 0
	for t, accesses := range s.threads {
		places = append(places, fmt.Sprintf("P%d@%s", t, place(t)))
		column, seen := m.column(t, strings.Fields(accesses))
		columns, conditions, rows = append(columns, column), append(conditions, seen...), max(rows, len(column))
	}
	conditions = append(conditions, strings.Fields(s.finals)...)
	var b strings.Builder
	fmt.Fprintf(&b, "PTX %s\n{\n}\n %s ;\n", name, strings.Join(places, " | "))
	for row := range rows {
		cells := make([]string, len(columns))
		for t, column := range columns {
			if row < len(column) {
				cells[t] = column[row]
			}
		}
		fmt.Fprintf(&b, " %s ;\n", strings.Join(cells, " | "))
	}
	fmt.Fprintf(&b, "exists\n(%s)\n", strings.Join(conditions, ` /\ `))
	return b.String()
}

// column writes the code of a thread, and what its registers are to hold.
func (m *mechanism) column(thread int, accesses []string) (rows, seen []string) {
	register, last := 0, ""
	for i, a := range accesses {
		if i > 0 && m.between != "" {
			rows = append(rows, m.between)
		}
		if a[0] == 'W' {
			rows = append(rows, m.store(a[1:2], a[2:], last)...)
			continue
		}
		last = fmt.Sprintf("r%d", register)
		register++
		if m.atomic {
			rows = append(rows, fmt.Sprintf("atom.%s.or %s, %s, 0", m.read, last, a[1:2]))
		} else {
			rows = append(rows, fmt.Sprintf("ld.%s %s, %s", m.read, last, a[1:2]))
		}
		seen = append(seen, fmt.Sprintf("P%d:%s=%s", thread, last, a[3:]))
	}
	return rows, seen
}

func (m *mechanism) store(location, value, last string) []string {
	store := fmt.Sprintf("st.%s %s, ", m.write, location)
	switch {
	case m.atomic:
		return []string{fmt.Sprintf("atom.%s.exch r9, %s, %s", m.write, location, value)}
	case m.depends == "data" && last != "":
		return []string{fmt.Sprintf("sub r8, %s, %s", last, last), "add r8, r8, " + value, store + "r8"}
	case m.depends == "ctrl" && last != "":
		return []string{fmt.Sprintf("bne %s, %s, LC0", last, last), "LC0:", store + value}
	}
	return []string{store + value}
}
