package patch

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"stealproof/ref/ptx/syntax"
)

// Text is a module that can be patched. It is never changed: Apply makes another one.
type Text struct {
	source    string
	module    *syntax.Module
	functions []*function
	kernels   []string
	changed   map[string]bool // functions
}

// function is a function of the module, with its accesses.
type function struct {
	*syntax.Function
	flow
	reached bool // by one of the kernels
	places  []place
}

// place is an instruction that a patch can name.
type place struct {
	function *function
	index    int // in the code
	in       *syntax.Instruction
	site     string // as patches write it
	part     int    // of several accesses of the site, from 1
	access   bool   // to memory that threads share, or a fence
	barrier  bool   // lanes wait there for one another
}

// Site is a place with its accesses.
type Site struct {
	Name  string
	Parts int
}

// Read reads a module. Places are listed, and mutants made, of what the kernels reach.
func Read(file, source string, kernels ...string) (*Text, error) {
	m, err := syntax.Parse(file, source)
	if err != nil {
		return nil, err
	}
	return New(m, source, kernels...), nil
}

// New is the same for a module that was read from this source.
func New(m *syntax.Module, source string, kernels ...string) *Text {
	t := &Text{source: source, module: m, kernels: kernels, changed: map[string]bool{}}
	for _, f := range m.Functions {
		if f.Body {
			t.functions = append(t.functions, &function{Function: f})
		}
	}
	for _, name := range kernels {
		t.reach(name)
	}
	t.find()
	return t
}

// String is the text.
func (t *Text) String() string { return t.source }

func (t *Text) function(name string) *function {
	i := slices.IndexFunc(t.functions, func(f *function) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return t.functions[i]
}

// reach marks a function and what it calls.
func (t *Text) reach(name string) {
	f := t.function(name)
	if f == nil || f.reached {
		return
	}
	f.reached = true
	for _, callee := range f.callees() {
		t.reach(callee)
	}
}

// callees are the names of the functions that it calls.
func (f *function) callees() (names []string) {
	for i := range f.Code {
		in := &f.Code[i]
		if name, _, _ := strings.Cut(in.Op, "."); name != "call" {
			continue
		}
		for k := range in.Operands {
			if o := &in.Operands[k]; o.Kind == syntax.IsSymbol {
				names = append(names, o.Name)
				break
			}
		}
	}
	return names
}

// Changed says whether a kernel executes something that was patched.
func (t *Text) Changed(kernel string) bool {
	seen := map[string]bool{}
	var look func(name string) bool
	look = func(name string) bool {
		f := t.function(name)
		if f == nil || seen[name] {
			return false
		}
		seen[name] = true
		return t.changed[name] || slices.ContainsFunc(f.callees(), look)
	}
	return look(kernel)
}

// find finds the accesses of all functions, and numbers those that have one name: two
// are copies of the same if they stand at one place of the source's line, or of the
// PTX's, and do the same.
func (t *Text) find() {
	type key struct {
		column int
		op     string
	}
	parts := map[string][]key{}
	for _, f := range t.functions {
		arguments := f.Arguments()
		inLine, line := 0, 0
		for i := range f.Code {
			in := &f.Code[i]
			if in.Line != line {
				inLine, line = 0, in.Line
			}
			access := isAccess(in) && !arguments.Accesses(in)
			barrier := isBarrier(in)
			if !access && !barrier && in.Site == "" {
				continue
			}
			inLine++
			p := place{function: f, index: i, in: in, access: access, barrier: barrier, site: Written(t.module.SiteOf(in))}
			if !access && !barrier {
				p.site = Written(in.Site)
			}
			k := key{inLine, in.Op}
			if at := in.Place(); at != nil && p.site != Written(in.Site) {
				k.column = at.Column
			}
			known := parts[p.site]
			if p.part = slices.Index(known, k) + 1; p.part == 0 {
				parts[p.site] = append(known, k)
				p.part = len(known) + 1
			}
			f.places = append(f.places, p)
		}
	}
}

// isAccess says whether an instruction accesses memory that threads may share, or is a
// fence.
func isAccess(in *syntax.Instruction) bool {
	parts := strings.Split(in.Op, ".")
	switch parts[0] {
	case "fence", "membar":
		return true
	case "ld", "ldu", "st", "atom", "red":
		return !slices.ContainsFunc(parts, func(p string) bool {
			return p == "local" || p == "const" || strings.HasPrefix(p, "param")
		})
	}
	return false
}

// isBarrier says whether an instruction is a barrier that gives nothing back.
func isBarrier(in *syntax.Instruction) bool {
	parts := strings.Split(in.Op, ".")
	return (parts[0] == "bar" || parts[0] == "barrier") && slices.Contains(parts, "sync")
}

// Sites are the accesses and barriers that the kernels reach, in the order of the text.
func (t *Text) Sites() []Site {
	var all []Site
	for _, f := range t.functions {
		for _, p := range f.places {
			if !f.reached || !p.access && !p.barrier {
				continue
			}
			i := slices.IndexFunc(all, func(s Site) bool { return s.Name == p.site })
			if i < 0 {
				all = append(all, Site{Name: p.site})
				i = len(all) - 1
			}
			all[i].Parts = max(all[i].Parts, p.part)
		}
	}
	return all
}

// Places are where the instructions that a patch names begin in the text, in bytes.
func (t *Text) Places(p Patch) (all []int) {
	found, _ := t.at(p.Site, p.Part) // none where there is no such place
	for _, place := range found {
		all = append(all, place.in.At)
	}
	return all
}

// Near are the accesses before and behind the instructions that a patch names, in the
// same way.
func (t *Text) Near(p Patch) (all []int) {
	found, _ := t.at(p.Site, p.Part)
	for _, place := range found {
		before, behind := -1, -1
		for _, other := range place.function.places {
			switch {
			case !other.access:
			case other.index < place.index:
				before = other.in.At
			case behind < 0:
				behind = other.in.At
			}
		}
		for _, at := range []int{before, behind} {
			if at >= 0 {
				all = append(all, at)
			}
		}
	}
	return all
}

// at finds the instructions that a patch names.
func (t *Text) at(site string, part int) ([]place, error) {
	var found []place
	most := 0
	take := func(p place) {
		most = max(most, p.part)
		if part == 0 || p.part == part {
			found = append(found, p)
		}
	}
	for _, access := range []bool{true, false} {
		for _, f := range t.functions {
			for _, p := range f.places {
				if p.site == site && (p.access || p.barrier) == access && most >= 0 {
					take(p)
				}
			}
		}
		if most > 0 {
			break
		}
	}
	if most == 0 {
		t.onLine(site, take)
	}
	switch {
	case most == 0:
		return nil, fmt.Errorf("%s has no access %s: there are %s", path.Base(t.module.File), site, t.list())
	case len(found) == 0 && most == 1:
		return nil, fmt.Errorf("%s#%d: only one access has this name", site, part)
	case len(found) == 0:
		return nil, fmt.Errorf("%s#%d: there are %d accesses of this name", site, part, most)
	}
	return found, nil
}

// onLine finds the instructions of a line of the PTX, whatever they are called.
func (t *Text) onLine(site string, take func(place)) {
	for _, f := range t.functions {
		part := 0
		for i := range f.Code {
			if in := &f.Code[i]; Written(t.module.LineOf(in)) == site {
				part++
				take(place{function: f, index: i, in: in, site: site, part: part, access: isAccess(in), barrier: isBarrier(in)})
			}
		}
	}
}

// mostListed bounds the places that an error names.
const mostListed = 60

func (t *Text) list() string {
	var names []string
	for _, s := range t.Sites() {
		if s.Parts > 1 {
			s.Name += fmt.Sprintf(" (#1 to #%d)", s.Parts)
		}
		names = append(names, s.Name)
	}
	if len(names) == 0 {
		return "none that operations reach"
	}
	if more := len(names) - mostListed; more > 0 {
		names = append(names[:mostListed], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}
