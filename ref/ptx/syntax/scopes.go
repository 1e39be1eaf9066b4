package syntax

import "strings"

// scopes knows what the names of a function stand for. A name that is declared in
// a block hides the same name outside, until the block ends.
type scopes struct {
	registers []Register
	names     map[string]meaning
	ranges    map[string]*registerRange // by what stands before their numbers
	hidden    []hidden
	open      []openBlock
	parents   []int // of each block, -1 for the outermost
}

// meaning is what a name stands for.
type meaning struct {
	register int // -1 for a variable
	variable *Variable
}

// registerRange is a declaration as in %r<9>. A register gets its number when it
// is first used, so that a range costs nothing.
type registerRange struct {
	count   uint64
	kind    Type
	numbers map[uint64]int // of the registers that were used
}

// hidden is what a name meant before it was declared anew.
type hidden struct {
	name     string
	isRange  bool
	meant    meaning
	had      bool
	hadRange *registerRange
}

// openBlock is a pair of braces whose end has not come.
type openBlock struct {
	id     int
	hidden int // how many names were hidden when it began
}

func newScopes() *scopes {
	s := &scopes{names: map[string]meaning{}, ranges: map[string]*registerRange{}}
	s.enter()
	return s
}

// block is the innermost block.
func (s *scopes) block() int { return s.open[len(s.open)-1].id }

func (s *scopes) enter() {
	parent := -1
	if len(s.open) > 0 {
		parent = s.block()
	}
	s.open = append(s.open, openBlock{len(s.parents), len(s.hidden)})
	s.parents = append(s.parents, parent)
}

func (s *scopes) leave() {
	last := len(s.open) - 1
	for i := len(s.hidden) - 1; i >= s.open[last].hidden; i-- {
		switch h := s.hidden[i]; {
		case h.isRange && h.hadRange == nil:
			delete(s.ranges, h.name)
		case h.isRange:
			s.ranges[h.name] = h.hadRange
		case h.had:
			s.names[h.name] = h.meant
		default:
			delete(s.names, h.name)
		}
	}
	s.hidden = s.hidden[:s.open[last].hidden]
	s.open = s.open[:last]
}

func (s *scopes) addRegister(name string, t Type) int {
	s.registers = append(s.registers, Register{name, t})
	return len(s.registers) - 1
}

func (s *scopes) declareRegister(name string, t Type) int {
	n := s.addRegister(name, t)
	s.declare(name, meaning{register: n})
	return n
}

func (s *scopes) declareVariable(v *Variable) { s.declare(v.Name, meaning{-1, v}) }

func (s *scopes) declare(name string, m meaning) {
	meant, had := s.names[name]
	s.hidden = append(s.hidden, hidden{name: name, meant: meant, had: had})
	s.names[name] = m
}

func (s *scopes) declareRange(prefix string, t Type, count uint64) {
	s.hidden = append(s.hidden, hidden{name: prefix, isRange: true, hadRange: s.ranges[prefix]})
	s.ranges[prefix] = &registerRange{count, t, map[uint64]int{}}
}

// find says what a name stands for.
func (s *scopes) find(name string) (meaning, bool) {
	if m, known := s.names[name]; known {
		return m, true
	}
	prefix := strings.TrimRight(name, "0123456789")
	digits := name[len(prefix):]
	r := s.ranges[prefix]
	if r == nil || digits == "" || len(digits) > 9 || len(digits) > 1 && digits[0] == '0' {
		return meaning{}, false
	}
	n := uint64(0)
	for _, d := range []byte(digits) {
		n = n*10 + uint64(d-'0')
	}
	if n >= r.count {
		return meaning{}, false
	}
	number, used := r.numbers[n]
	if !used {
		number = s.addRegister(name, r.kind)
		r.numbers[n] = number
	}
	return meaning{register: number}, true
}
