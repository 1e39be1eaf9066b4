// Package sites gives the accesses of somebody else's structure the names that
// orders and mutants are asked for by, from the lines of code that make them.
package sites

import (
	"cmp"
	"fmt"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unicode"

	"stealproof/fuzz/choice"
	"stealproof/fuzz/programs"
	"stealproof/fuzz/schedule"
	"stealproof/model"
	"stealproof/ref"
)

// Name returns the structure with a name for every access, as in "pop: read top":
// the function that makes it, what it does, and where. Accesses that look alike
// are numbered in the order of their lines. They are found by running random
// programs of the default shape; what these never come to stays without a name.
func Name(f ref.Foreign) (ref.Foreign, error) {
	if len(f.Sites) > 0 {
		return f, nil // it has names
	}
	build := f.Build
	if build == nil {
		return f, fmt.Errorf("structure %s: nothing builds it", f.Name)
	}
	n := &namer{found: map[line]uint8{}, lines: map[call]line{}}
	f.Build = func(s *ref.Space, processes int) ref.Structure {
		inner := build(s, processes)
		if inner == nil {
			return nil
		}
		named := named{inner: inner, namer: n, space: s}
		if p, ok := inner.(ref.Phased); ok {
			return phased{named, p}
		}
		return named
	}
	if err := n.explore(f); err != nil {
		return f, err
	}
	return n.name(f)
}

// line is a line of code that makes one kind of access in one place.
type line struct {
	file     string
	number   int
	function string
	kind     ref.AccessKind
	region   string
}

// call is an access as it is made: what tells two lines apart, without the time
// that it takes to name them.
type call struct {
	pc       uintptr
	kind     ref.AccessKind
	location ref.Location
}

// unnamed is the site of a line that has no name.
const unnamed = 255

// namer knows the lines of a structure.
type namer struct {
	mu    sync.RWMutex
	lines map[call]line
	found map[line]uint8 // the site of each line, unnamed until all are found
}

// runs and most bound how long lines are looked for.
const (
	runs = 300
	most = 10_000
)

// explore finds the lines.
func (n *namer) explore(f ref.Foreign) error {
	s, err := f.Subject(model.Spec{})
	if err != nil {
		return err
	}
	for seed := range uint64(runs) {
		setup, err := s.Prepare(programs.New(s, programs.DefaultShape, choice.NewRandom(seed)))
		if err != nil {
			return err
		}
		st, _, err := schedule.New(model.Schedule{Strategy: "random"}, setup)
		if err != nil {
			return err
		}
		sim := ref.NewSim(setup)
		sim.Limit = most
		st.Begin(seed)
		sim.Run(st)
		sim.Close()
	}
	return nil
}

// name gives the lines that were found their sites, in the order of the code.
func (n *namer) name(f ref.Foreign) (ref.Foreign, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	all := make([]line, 0, len(n.found))
	for l := range n.found {
		all = append(all, l)
	}
	if len(all) > unnamed {
		return f, fmt.Errorf("structure %s: it has accesses on %d lines: expected at most %d", f.Name, len(all), unnamed)
	}
	slices.SortFunc(all, func(a, b line) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.number, b.number), cmp.Compare(a.kind, b.kind), cmp.Compare(a.region, b.region), cmp.Compare(a.function, b.function))
	})
	alike := map[string]int{}
	f.Sites = nil
	for i, l := range all {
		n.found[l] = uint8(i)
		text := l.String()
		if alike[text]++; alike[text] > 1 {
			text = fmt.Sprintf("%s %d", text, alike[text])
		}
		f.Sites = append(f.Sites, text)
	}
	return f, nil
}

var verbs = map[ref.AccessKind]string{ref.Load: "read", ref.Store: "write", ref.CompareAndSwap: "swap", ref.FetchAdd: "add", ref.Modify: "modify", ref.Fence: "fence"}

func (l line) String() string {
	if l.kind == ref.Fence {
		return l.function + ": fence"
	}
	return l.function + ": " + verbs[l.kind] + " " + l.region
}

// site is that of the line which makes an access.
func (n *namer) site(s *ref.Space, kind ref.AccessKind, at ref.Location) uint8 {
	var pc [1]uintptr
	runtime.Callers(3, pc[:]) // this, the access of the memory, and its caller
	c := call{pc[0], kind, at}
	n.mu.RLock()
	l, known := n.lines[c]
	site, placed := n.found[l]
	n.mu.RUnlock()
	if known && placed {
		return site
	}
	l = lineOf(c, s)
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lines[c] = l
	if _, placed := n.found[l]; !placed {
		n.found[l] = unnamed
	}
	return n.found[l]
}

func lineOf(c call, s *ref.Space) line {
	frame, _ := runtime.CallersFrames([]uintptr{c.pc}).Next()
	l := line{file: frame.File, number: frame.Line, function: short(frame.Function), kind: c.kind}
	if c.kind != ref.Fence {
		l.region, _, _ = strings.Cut(s.Name(c.location), "[")
		if object, behind, found := strings.Cut(l.region, "."); found && strings.Trim(object, "0123456789") == "" {
			l.region = behind // whichever object it is
		}
		l.region = word(l.region)
	}
	return l
}

// short is the name of a function without package, receiver and the numbers of
// functions inside it, beginning with a small letter.
func short(function string) string {
	parts := strings.Split(path.Base(function), ".")
	for len(parts) > 1 && (strings.HasPrefix(parts[len(parts)-1], "func") && strings.ContainsAny(parts[len(parts)-1], "0123456789") || strings.Trim(parts[len(parts)-1], "0123456789") == "") {
		parts = parts[:len(parts)-1]
	}
	name, _, _ := strings.Cut(strings.Trim(parts[len(parts)-1], "()*"), "[") // without parameters of types
	last := []rune(word(name))
	if len(last) > 0 {
		last[0] = unicode.ToLower(last[0])
	}
	return string(last)
}

// word is a name as specs can have it.
func word(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '-' {
			return r
		}
		return '-'
	}, name)
}
