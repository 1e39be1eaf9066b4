package ref

import (
	"fmt"
	"path"
	"runtime"
	"strings"
)

// Location is a word of shared memory.
type Location uint32

// Array is a row of words. Its bounds are checked: an access outside of it is
// a fault of the algorithm.
type Array struct {
	name string
	base Location
	len  uint64
}

// At returns the i-th word, or faults.
func (a Array) At(i uint64) Location {
	if i >= a.len {
		panic(&Fault{Msg: fmt.Sprintf("%s[%d] is outside of the array, which has %d words", a.name, i, a.len)})
	}
	return a.base + Location(i)
}

// Space lays out the shared memory of a structure while it is being built. All of it
// is laid out then: what grows takes its parts from an array that is large enough,
// and keeps in a word how much of it is used.
type Space struct {
	// Weak says whether the memory is weaker than a sequentially consistent one.
	Weak bool
	// Sized says whether it matters to the memory how much of a word an access needs: see
	// Access.Part.
	Sized   bool
	prefix  string
	regions []Array
	initial []uint64
	sealed  bool // the structure is built
}

// Word adds a word.
func (s *Space) Word(name string, initial uint64) Location {
	return s.Array(name, 1, initial).base
}

// Array adds a row of n words.
func (s *Space) Array(name string, n int, initial uint64) Array {
	s.refuseLate(name)
	a := Array{s.prefix + name, Location(len(s.initial)), uint64(n)}
	s.regions = append(s.regions, a)
	for range n {
		s.initial = append(s.initial, initial)
	}
	return a
}

// Set gives a word another initial value.
func (s *Space) Set(l Location, initial uint64) {
	s.refuseLate(s.Name(l))
	s.initial[l] = initial
}

// Name returns the name that the algorithm gave the location.
func (s *Space) Name(l Location) string {
	for _, a := range s.regions {
		if l < a.base || uint64(l-a.base) >= a.len {
			continue
		}
		if a.len == 1 {
			return a.name
		}
		return fmt.Sprintf("%s[%d]", a.name, l-a.base)
	}
	return fmt.Sprintf("word %d", l)
}

// word is a word or an array of the structure that is being laid out.
func (s *Space) word(name string) Location {
	for _, a := range s.regions {
		if a.name == s.prefix+name {
			return a.base
		}
	}
	panic(fmt.Sprintf("ref: no word %q", name))
}

// Find returns the location of a name, as in "head" or "tasks[3]".
func (s *Space) Find(name string) (Location, bool) {
	for l := range s.initial {
		if s.Name(Location(l)) == name {
			return Location(l), true
		}
	}
	return 0, false
}

// Len is the number of words.
func (s *Space) Len() int { return len(s.initial) }

// Names lists the words and arrays.
func (s *Space) Names() []string {
	names := make([]string, len(s.regions))
	for i, a := range s.regions {
		names[i] = a.name
		if a.len > 1 {
			names[i] = fmt.Sprintf("%s[0..%d]", a.name, a.len-1)
		}
	}
	return names
}

// Fault is an access that no correct program makes, or a panic of an
// algorithm.
type Fault struct{ Msg string }

func (f *Fault) Error() string { return f.Msg }

// misuse is what an algorithm asks for and cannot have of any memory: a mistake in
// how it is written down, which says nothing of the algorithm. It names the line.
type misuse struct{ msg string }

func isMisuse(r any) bool {
	_, is := r.(*misuse)
	return is
}

// refuseOrder ends an operation that makes an access with an order that such an
// access cannot have.
func refuseOrder(s *Space, k AccessKind, l Location, a Access) { refuseOrderAt(askedAt(), s, k, l, a) }

// refuseOrderAt says who has asked for it.
func refuseOrderAt(who string, s *Space, k AccessKind, l Location, a Access) {
	what := "a " + k.String()
	if k != Fence {
		what += " of " + s.Name(l)
	}
	panic(&misuse{fmt.Sprintf("%s: %s cannot be %s: expected one of %s", who, what, a.Order, k.orders(Order.Fits))})
}

// orders lists those that may be given to an access of a kind.
func (k AccessKind) orders(may func(Order, AccessKind) bool) string {
	var names []string
	for has := Weak; has <= SC; has++ {
		if may(has, k) {
			names = append(names, has.String())
		}
	}
	return strings.Join(names, ", ")
}

// refuseLate ends an operation that lays out memory.
func (s *Space) refuseLate(name string) {
	if s.sealed {
		panic(&misuse{fmt.Sprintf("%s: %s is laid out by an operation, and all memory is laid out before the first one: let Build lay out as much as the largest program needs, and take parts of it", askedAt(), name)})
	}
}

// askedAt is the line of the algorithm that makes an access or lays out memory,
// whatever stands between it and the memory.
func askedAt() string {
	var pcs [32]uintptr
	// not this, who refuses, and who asks for that
	frames := runtime.CallersFrames(pcs[:runtime.Callers(4, pcs[:])])
	for {
		frame, more := frames.Next()
		if !between[frame.Function[strings.LastIndexByte(frame.Function, '.')+1:]] || !more {
			return fmt.Sprintf("%s:%d", path.Base(frame.File), frame.Line)
		}
	}
}

// between are the functions of memories, which may stand around one another.
var between = map[string]bool{
	"Load": true, "Store": true, "CompareAndSwap": true, "FetchAdd": true, "Modify": true, "Fence": true, "Word": true,
}
