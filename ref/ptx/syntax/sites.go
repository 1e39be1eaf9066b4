package syntax

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// SiteOf names the place of an instruction: the line of the text that the PTX was made
// of, else the name behind "// site", else the line of the PTX. One that a patch has
// moved keeps the name of the place that it came from.
func (m *Module) SiteOf(in *Instruction) string {
	if at := in.Place(); at != nil {
		return at.Short()
	}
	if in.Site != "" {
		return in.Site
	}
	return m.LineOf(in)
}

// toolkit are the folders of the headers that come with CUDA or with a compiler.
var toolkit = regexp.MustCompile(`/(cuda(-[0-9.]+)?|nvidia/[a-z0-9_]+|lib/clang/[0-9.]+)/(targets/[^/]+/)?include/|/include/(cuda|nv)/`)

// Place is the place after which an instruction is named, nil if .loc says none: of
// functions that were inlined the innermost that is not in a header of the toolkit,
// which the author of the queue does not know.
func (in *Instruction) Place() *Source {
	if in.moved {
		return nil
	}
	for at := in.Source; at != nil; at = at.From {
		if at.Line > 0 && !toolkit.MatchString(at.File) {
			return at
		}
	}
	if in.Source != nil && in.Source.Line > 0 {
		return in.Source
	}
	return nil
}

// Short is "ring.h:12".
func (s *Source) Short() string { return fmt.Sprintf("%s:%d", path.Base(s.File), s.Line) }

// LineOf names an instruction by its line in the PTX.
func (m *Module) LineOf(in *Instruction) string {
	return fmt.Sprintf("%s:%d", path.Base(m.File), in.Line)
}

// Arguments are the registers of a kernel that only ever hold addresses of what the
// thread is told: made of the kernel's parameters and of numbers alone.
type Arguments []bool

// Accesses says whether an access is surely one to what the thread is told.
func (a Arguments) Accesses(in *Instruction) bool {
	for i := range in.Operands {
		if o := &in.Operands[i]; o.Kind == IsAddress {
			return o.Base == IsRegister && a != nil && a[o.Register]
		}
	}
	return false
}

// mostPasses bounds how long addresses are followed; compilers pass them on once or
// twice.
const mostPasses = 20

// Arguments finds the registers that only ever hold such addresses.
func (f *Function) Arguments() Arguments {
	told := make(Arguments, len(f.Registers))
	for i := range told {
		told[i] = f.Entry
	}
	keeps := func(in *Instruction) bool {
		if len(in.Operands) < 2 {
			return false
		}
		of := &in.Operands[1]
		name, _, _ := strings.Cut(in.Op, ".")
		switch name {
		case "ld":
			return of.Kind == IsAddress && of.Base == IsSymbol && slices.Contains(f.Params, of.Variable)
		case "mov", "cvta":
			return of.Kind == IsRegister && told[of.Register]
		case "add":
			return of.Kind == IsRegister && told[of.Register] && len(in.Operands) > 2 && in.Operands[2].Kind == IsInteger
		}
		return false
	}
	for pass, changed := 0, true; changed; pass++ {
		if pass == mostPasses {
			return nil // a text that no compiler made: nothing is known
		}
		changed = false
		for i := range f.Code {
			in := &f.Code[i]
			if len(in.Operands) > 0 && !keeps(in) {
				changed = told.spoil(&in.Operands[0]) || changed
			}
		}
	}
	return told
}

// spoil takes the registers of an instruction's first operand, where its results go,
// out of those that hold such addresses.
func (a Arguments) spoil(o *Operand) (changed bool) {
	if o.Kind == IsRegister && a[o.Register] {
		a[o.Register], changed = false, true
	}
	for i := range o.Elements {
		changed = a.spoil(&o.Elements[i]) || changed
	}
	return changed
}
