package model

import (
	"fmt"
	"strings"
)

// Case is an execution worth keeping: what ran, in which order, and what was
// found. Its text has a version, a line per field, and the program at the end:
//
//	stealproof-case 1
//	note: a thief sleeps while the counter wraps
//	model: wsdeque
//	structure: abp:width=1
//	memory: ptx
//	schedule: choices:0*12,1*3
//	verdict: violation duplicate
//	program:
//	0: push pop
//	1: steal
type Case struct {
	Note string
	Kind Kind
	Spec Spec
	// Memory is what it ran on, as in "ptx:place=gpu"; without a name it is
	// sequentially consistent.
	Memory   Spec
	Schedule Schedule
	Verdict  Verdict
	// Found is the kind of the violation, one word; empty if there is none.
	Found   string
	Program Program
}

const (
	caseFormat  = "stealproof-case"
	caseVersion = 1
)

// ParseCase reads a case. Its errors carry the line, as "line 3: ...".
func ParseCase(text string) (Case, error) {
	lines := strings.Split(strings.TrimPrefix(text, byteOrderMark), "\n")
	if err := checkCaseVersion(strings.TrimSpace(lines[0])); err != nil {
		return Case{}, fmt.Errorf("line 1: %w", err)
	}
	var c Case
	seen := map[string]bool{}
	for i := 1; i < len(lines); i++ {
		line := strings.TrimSpace(lines[i])
		if line == "" || line[0] == '#' {
			continue
		}
		name, value, found := strings.Cut(line, ":")
		if !found {
			return Case{}, fmt.Errorf("line %d: expected a field, as in \"structure: abp\", found %.40q", i+1, line)
		}
		if seen[name] {
			return Case{}, fmt.Errorf("line %d: field %.40q is given twice", i+1, name)
		}
		seen[name] = true
		value = strings.TrimSpace(value)
		if name == "program" {
			return c.withProgram(value, lines[i+1:], i+1, seen)
		}
		if err := c.set(name, value); err != nil {
			return Case{}, fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	return Case{}, fmt.Errorf("line %d: the case ends without a program: expected \"program:\" and a line per process", len(lines))
}

func checkCaseVersion(line string) error {
	var version int
	if n, _ := fmt.Sscanf(line, caseFormat+" %d", &version); n != 1 {
		return fmt.Errorf("not a saved case: expected %q", fmt.Sprintf("%s %d", caseFormat, caseVersion))
	}
	if version != caseVersion {
		return fmt.Errorf("this is a case of version %d: expected version %d", version, caseVersion)
	}
	if want := fmt.Sprintf("%s %d", caseFormat, caseVersion); line != want {
		return fmt.Errorf("expected %q, found %.40q", want, line)
	}
	return nil
}

func (c *Case) set(name, value string) (err error) {
	switch name {
	case "note":
		c.Note = oneLine(value)
	case "model":
		c.Kind, err = ParseKind(value)
	case "structure":
		c.Spec, err = ParseSpec(value)
	case "memory":
		c.Memory, err = ParseSpec(value)
	case "schedule":
		c.Schedule, err = ParseSchedule(value)
	case "verdict":
		c.Verdict, c.Found, err = parseFound(value)
	default:
		err = fmt.Errorf("unknown field %.40q: expected one of note, model, structure, memory, schedule, verdict, program", name)
	}
	return err
}

// parseFound reads "linearizable", or "violation duplicate".
func parseFound(value string) (Verdict, string, error) {
	v, err := ParseVerdict(value)
	if err == nil {
		return v, "", nil
	}
	word, found, _ := strings.Cut(value, " ")
	v, err = ParseVerdict(word)
	if err == nil && !isWord(found) {
		err = fmt.Errorf("verdict %.40q: expected one word behind %q", value, word)
	}
	return v, found, err
}

// withProgram completes a case: value stands behind "program:", which is line
// at, and the rest are the lines below it.
func (c Case) withProgram(value string, rest []string, at int, seen map[string]bool) (Case, error) {
	for _, name := range []string{"model", "structure", "schedule"} {
		if !seen[name] {
			return Case{}, fmt.Errorf("line %d: the field %q is missing: expected it before the program", at, name)
		}
	}
	if value != "" {
		return Case{}, fmt.Errorf("line %d: expected the processes on lines of their own below \"program:\", found %.40q", at, value)
	}
	// blank lines keep the line numbers of errors true
	p, err := ParseProgram(c.Kind, strings.Repeat("\n", at)+strings.Join(rest, "\n"))
	if err != nil {
		return Case{}, err
	}
	c.Program = p
	return c, nil
}

// oneLine makes every run of white space a blank.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func (c Case) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %d\n", caseFormat, caseVersion)
	if c.Note != "" {
		fmt.Fprintf(&b, "note: %s\n", oneLine(c.Note))
	}
	verdict := c.Verdict.String()
	if c.Found != "" {
		verdict += " " + c.Found
	}
	fmt.Fprintf(&b, "model: %s\nstructure: %s\n", c.Kind, c.Spec)
	if c.Memory.Structure != "" {
		fmt.Fprintf(&b, "memory: %s\n", c.Memory)
	}
	fmt.Fprintf(&b, "schedule: %s\nverdict: %s\nprogram:\n%s", c.Schedule, verdict, c.Program)
	return b.String()
}
