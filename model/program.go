package model

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Program says what each process does, one operation after the other. Its text
// has a line per process:
//
//	0: push push(7) pop [push pop]*3
//	1: steal steal@1
//
// A put without a value gets one of its own (see Expand). An operation on
// another object than 0 carries it behind an '@'. On a range, push[8,16)
// brings in an interval, push(last) the one that this process removed last,
// and pop(4), steal(2) ask for that many indices. '|' ends a phase: every
// process waits there for all others. signal:a lets those go on that wait:a; see
// Sync. '#' starts a comment.
type Program struct {
	Processes [][]Step
}

// Step is a call, or a group of steps to be repeated.
type Step struct {
	Call  Call
	Times int // of the group; 0 for a call
	Group []Step
}

// Call is one operation that a program asks for.
type Call struct {
	Op     Op
	Object uint32
	// Value is what a put brings, or NoValue for one of its own; for a range
	// the lower end.
	Value uint64
	To    uint64 // upper end of a range
	Size  uint64 // how much a removal from a range asks for
	Last  bool   // push to a range what this process removed last
	Sync  Sync   // of a signal or a wait
}

const maxExpanded = 1 << 24

// byteOrderMark stands at the beginning of texts that some editors wrote, and says
// nothing.
const byteOrderMark = "\ufeff"

// ParseProgram reads the text of a program for objects of kind k.
func ParseProgram(k Kind, text string) (Program, error) {
	var p Program
	for i, line := range strings.Split(strings.TrimPrefix(text, byteOrderMark), "\n") {
		line, _, _ = strings.Cut(line, "#")
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		steps, err := parseProcess(k, len(p.Processes), line)
		if err != nil {
			return Program{}, fmt.Errorf("line %d: %w", i+1, err)
		}
		p.Processes = append(p.Processes, steps)
	}
	if len(p.Processes) == 0 {
		return Program{}, fmt.Errorf("the program has no process: expected lines like \"0: %s\"", k.Ops()[0])
	}
	if p.Len() > maxExpanded {
		return Program{}, fmt.Errorf("the program has more than %d operations: at most that many are supported", maxExpanded)
	}
	return p, nil
}

func parseProcess(k Kind, want int, line string) ([]Step, error) {
	name, rest, found := strings.Cut(line, ":")
	id, err := strconv.Atoi(strings.TrimSpace(name))
	if !found || err != nil {
		return nil, fmt.Errorf("expected \"%d: operations\", found %.40q", want, line)
	}
	if id != want {
		return nil, fmt.Errorf("processes are numbered in order: expected %d, found %d", want, id)
	}
	p := programParser{kind: k, rest: rest}
	steps, err := p.steps(0)
	if err == nil && p.rest != "" {
		err = fmt.Errorf("expected an operation, found %.40q", p.rest)
	}
	return steps, err
}

type programParser struct {
	kind Kind
	rest string
}

const maxNesting = 8

// steps reads until the end of the line or of the group.
func (p *programParser) steps(depth int) ([]Step, error) {
	if depth > maxNesting {
		return nil, fmt.Errorf("groups are nested more than %d deep", maxNesting)
	}
	var steps []Step
	for {
		p.rest = strings.TrimLeft(p.rest, " \t")
		switch {
		case p.rest == "" || p.rest[0] == ']':
			return steps, nil
		case p.rest[0] == '[':
			g, err := p.group(depth)
			if err != nil {
				return nil, err
			}
			steps = append(steps, g)
		default:
			c, err := p.call()
			if err != nil {
				return nil, err
			}
			steps = append(steps, Step{Call: c})
		}
	}
}

func (p *programParser) group(depth int) (Step, error) {
	p.rest = p.rest[1:]
	steps, err := p.steps(depth + 1)
	if err != nil {
		return Step{}, err
	}
	if !strings.HasPrefix(p.rest, "]*") {
		return Step{}, fmt.Errorf("expected \"]*\" and a number at %.40q", p.rest)
	}
	p.rest = p.rest[2:]
	n, err := p.number()
	if err != nil {
		return Step{}, err
	}
	if n == 0 || n > maxExpanded || len(steps) == 0 {
		return Step{}, fmt.Errorf("a group needs an operation and 1 to %d repetitions", maxExpanded)
	}
	return Step{Times: int(n), Group: steps}, nil
}

func (p *programParser) call() (Call, error) {
	if p.rest[0] == '|' {
		p.rest = p.rest[1:]
		return Call{Op: Phase, Value: NoValue}, nil
	}
	word := p.rest
	if i := strings.IndexAny(word, " \t[](),@*|"); i >= 0 {
		word = word[:i]
	}
	if c, is, err := parseSync(word); is {
		p.rest = p.rest[len(word):]
		return c, err
	}
	op, err := ParseOp(word)
	if word == "" {
		return Call{}, fmt.Errorf("expected an operation, found %.40q", p.rest)
	}
	if err != nil || !p.kind.Has(op) {
		return Call{}, fmt.Errorf("model %s has no operation %.40q: expected one of %s", p.kind, word, list(p.kind.Ops()))
	}
	p.rest = p.rest[len(word):]
	c := Call{Op: op, Value: NoValue}
	if err := p.arguments(&c); err != nil {
		return Call{}, fmt.Errorf("%s: %w", word, err)
	}
	if p.take('@') {
		n, err := p.number()
		if err != nil || n > 1<<16 {
			return Call{}, fmt.Errorf("%s: expected an object number up to 65536 behind '@'", word)
		}
		c.Object = uint32(n)
	}
	return c, nil
}

func (p *programParser) arguments(c *Call) (err error) {
	switch {
	case p.kind == Range && c.Op == Push && strings.HasPrefix(p.rest, "(last)"):
		p.rest = p.rest[len("(last)"):]
		c.Last = true
		return nil
	case p.kind == Range && c.Op == Push:
		return p.interval(c)
	case p.kind == Range:
		c.Size, err = p.inParens("a size, as in (4)")
		if err == nil && c.Size == 0 {
			err = fmt.Errorf("the size must be at least 1")
		}
	case c.Op.Puts() && strings.HasPrefix(p.rest, "("):
		c.Value, err = p.inParens("a value, as in (7)")
	}
	return err
}

func (p *programParser) interval(c *Call) (err error) {
	form := fmt.Errorf("expected an interval, as in [8,16), or (last)")
	if !p.take('[') {
		return form
	}
	if c.Value, err = p.number(); err != nil || !p.take(',') {
		return form
	}
	if c.To, err = p.number(); err != nil || !p.take(')') {
		return form
	}
	if c.Value >= c.To {
		return fmt.Errorf("the interval [%d,%d) is empty", c.Value, c.To)
	}
	return nil
}

func (p *programParser) inParens(what string) (uint64, error) {
	if !p.take('(') {
		return 0, fmt.Errorf("expected %s", what)
	}
	n, err := p.number()
	if err != nil || !p.take(')') {
		return 0, fmt.Errorf("expected %s", what)
	}
	return n, nil
}

func (p *programParser) take(c byte) bool {
	if p.rest == "" || p.rest[0] != c {
		return false
	}
	p.rest = p.rest[1:]
	return true
}

func (p *programParser) number() (uint64, error) {
	end := 0
	for end < len(p.rest) && p.rest[end] >= '0' && p.rest[end] <= '9' {
		end++
	}
	n, err := strconv.ParseUint(p.rest[:end], 10, 63)
	if err != nil {
		return 0, fmt.Errorf("expected a number below 2^63 at %.40q", p.rest)
	}
	p.rest = p.rest[end:]
	return n, nil
}

// String prints the program as ParseProgram reads it.
func (p Program) String() string {
	var b strings.Builder
	for i, steps := range p.Processes {
		fmt.Fprintf(&b, "%d:", i)
		printSteps(&b, steps, " ")
		b.WriteByte('\n')
	}
	return b.String()
}

func printSteps(b *strings.Builder, steps []Step, before string) {
	for _, s := range steps {
		b.WriteString(before)
		before = " "
		if s.Times == 0 {
			b.WriteString(s.Call.String())
			continue
		}
		b.WriteByte('[')
		printSteps(b, s.Group, "")
		fmt.Fprintf(b, "]*%d", s.Times)
	}
}

func (c Call) String() string {
	s := c.Op.String()
	switch {
	case c.Op.Synchronizes():
		s += ":" + c.Sync.textOf(c.Op)
	case c.Last:
		s += "(last)"
	case c.To > 0:
		s += fmt.Sprintf("[%d,%d)", c.Value, c.To)
	case c.Size > 0:
		s += fmt.Sprintf("(%d)", c.Size)
	case c.Value != NoValue:
		s += fmt.Sprintf("(%d)", c.Value)
	}
	if c.Object > 0 {
		s += fmt.Sprintf("@%d", c.Object)
	}
	return s
}

// Len counts the operations, signals and waits among them, groups expanded. Of each process it counts one
// more than ParseProgram allows at most.
func (p Program) Len() int {
	n := 0
	for _, steps := range p.Processes {
		n += countSteps(steps)
	}
	return n
}

// Calls counts the operations on objects, groups expanded.
func (p Program) Calls() int {
	n := 0
	for _, calls := range p.Expand() {
		for _, c := range calls {
			if c.Op.OnObject() {
				n++
			}
		}
	}
	return n
}

func countSteps(steps []Step) int {
	n := 0
	for _, s := range steps {
		if s.Times == 0 {
			n++
		} else {
			n += s.Times * countSteps(s.Group)
		}
		// a bound on every level: the product of the next cannot overflow
		n = min(n, maxExpanded+1)
	}
	return n
}

// Objects is the number of objects that the program needs.
func (p Program) Objects() int {
	most := uint32(0)
	p.eachCall(func(c *Call) { most = max(most, c.Object) })
	return int(most) + 1
}

func (p Program) eachCall(f func(*Call)) {
	var walk func([]Step)
	walk = func(steps []Step) {
		for i := range steps {
			if steps[i].Times == 0 {
				f(&steps[i].Call)
			} else {
				walk(steps[i].Group)
			}
		}
	}
	for _, steps := range p.Processes {
		walk(steps)
	}
}

// Expand returns the calls of each process, groups repeated and values filled
// in: a put without a value gets the next number that no put names, counted
// over the processes in order from 1, so that the values of a program are
// distinct unless it says otherwise.
func (p Program) Expand() [][]Call {
	named := map[uint64]bool{}
	p.eachCall(func(c *Call) {
		if c.Op.Puts() && c.Value != NoValue && c.To == 0 {
			named[c.Value] = true
		}
	})
	next := uint64(0)
	all := make([][]Call, len(p.Processes))
	for i, steps := range p.Processes {
		all[i] = expandSteps(make([]Call, 0, countSteps(steps)), steps)
		for j := range all[i] {
			if c := &all[i][j]; c.Op.Puts() && c.Value == NoValue && !c.Last {
				for next++; named[next]; next++ {
				}
				c.Value = next
			}
		}
	}
	return all
}

func expandSteps(calls []Call, steps []Step) []Call {
	for _, s := range steps {
		if s.Times == 0 {
			calls = append(calls, s.Call)
			continue
		}
		for range s.Times {
			calls = expandSteps(calls, s.Group)
		}
	}
	return calls
}

// Validate says whether the program suits objects of kind k: its operations,
// one owner per object, phases that all processes share, and waits that pass.
func (p Program) Validate(k Kind, params Params) error {
	owner := map[uint32]int{}
	phases := -1
	for id, calls := range p.Expand() {
		ends := 0
		for _, c := range calls {
			if c.Op == Phase {
				ends++
				continue
			}
			if c.Op.Synchronizes() {
				continue
			}
			if !k.Has(c.Op) {
				return fmt.Errorf("process %d: model %s has no operation %q: expected one of %s", id, k, c.Op, list(k.Ops()))
			}
			if !k.OwnerOnly(c.Op, params) {
				continue
			}
			if first, seen := owner[c.Object]; seen && first != id {
				return fmt.Errorf("process %d calls %s on object %d, whose owner is process %d: only the owner may", id, c.Op, c.Object, first)
			}
			owner[c.Object] = id
		}
		if phases < 0 {
			phases = ends
		}
		if ends != phases {
			return fmt.Errorf("process %d has %d ends of phases, process 0 has %d: all must have the same", id, ends, phases)
		}
	}
	return p.checkSyncs()
}

// Calls makes the steps of a process out of its calls.
func Calls(calls ...Call) []Step {
	steps := make([]Step, len(calls))
	for i, c := range calls {
		steps[i] = Step{Call: c}
	}
	return steps
}

// Clone returns a copy that shares nothing with p.
func (p Program) Clone() Program {
	var cloneSteps func([]Step) []Step
	cloneSteps = func(steps []Step) []Step {
		c := slices.Clone(steps)
		for i := range c {
			c[i].Group = cloneSteps(c[i].Group)
		}
		return c
	}
	c := Program{Processes: make([][]Step, len(p.Processes))}
	for i := range p.Processes {
		c.Processes[i] = cloneSteps(p.Processes[i])
	}
	return c
}
