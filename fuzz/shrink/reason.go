package shrink

import (
	"fmt"
	"strings"

	"stealproof/fuzz"
	"stealproof/model"
)

// reason is what two failures must share to be the same one: the kind of the
// violation, and of a fault what it says, numbers left out, for an index or an
// address is another one in a smaller program.
type reason string

func reasonOf(f fuzz.Finding) reason {
	if f.Kind != fuzz.KindFault {
		return reason(f.Kind)
	}
	line, _, _ := strings.Cut(f.Explanation, "\n")
	return reason(f.Kind + " " + strings.Map(withoutDigits, line))
}

func withoutDigits(r rune) rune {
	if r >= '0' && r <= '9' {
		return -1
	}
	return r
}

// Size says how much there is to understand about a case. Of two cases the one
// is smaller whose first figure that differs is.
type Size struct {
	Operations, Processes, Phases int
	// Signals counts signals, and waits for them.
	Signals int
	// Amount adds up what a program asks of a range: sizes and lengths of
	// intervals; Numbers adds up the bounds of its intervals.
	Amount, Numbers uint64
	// Preemptions are changes to another process though the one before could
	// have gone on, and was not just waiting.
	Preemptions int
	// Inside are those that interrupt an operation.
	Inside int
	// Weak adds up the outcomes that a sequentially consistent memory would not
	// have given.
	Weak     int
	Accesses int
}

// sizeOfProgram leaves out what only an execution has.
func sizeOfProgram(p model.Program) Size {
	s := Size{Processes: len(p.Processes)}
	for id, calls := range p.Expand() {
		for i := range calls {
			c := &calls[i]
			switch {
			case c.Op == model.Phase && id == 0:
				s.Phases++
			case c.Op == model.Phase:
			case c.Op.Synchronizes():
				s.Signals++
			default:
				s.Operations++
			}
			s.Amount += c.Size
			if c.To > 0 {
				s.Amount += c.To - c.Value
				s.Numbers += c.Value + c.To
			}
		}
	}
	return s
}

// Less says whether s is the smaller one.
func (s Size) Less(t Size) bool {
	a, b := s.figures(), t.figures()
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}

func (s Size) figures() [10]uint64 {
	return [...]uint64{
		uint64(s.Operations), uint64(s.Processes), uint64(s.Phases), uint64(s.Signals), s.Amount, s.Numbers,
		uint64(s.Preemptions), uint64(s.Inside), uint64(s.Weak), uint64(s.Accesses),
	}
}

// String says it in words, as in "3 operations of 2 processes, 1 preemption".
func (s Size) String() string {
	text := counted(s.Operations, "operation", "operations") + " of " + counted(s.Processes, "process", "processes")
	if s.Phases > 0 {
		text += ", " + counted(s.Phases+1, "phase", "phases")
	}
	if s.Signals > 0 {
		text += ", " + counted(s.Signals, "signal or wait", "signals and waits")
	}
	text += ", " + counted(s.Preemptions, "preemption", "preemptions")
	if s.Weak > 0 {
		text += ", " + counted(s.Weak, "weak outcome", "weak outcomes")
	}
	return text
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
