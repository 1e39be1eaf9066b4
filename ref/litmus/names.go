package litmus

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

func threadName(id int) string { return fmt.Sprintf("P%d", id) }

func (p *parser) threadList() string {
	var names []string
	for _, th := range p.test.Threads {
		names = append(names, threadName(th.ID))
	}
	return strings.Join(names, ", ")
}

// expectedName lists what could stand in the place of a name that is not known.
func expectedName(whose, what string, names []string) string {
	if len(names) == 0 {
		return whose + " has no " + what
	}
	sorted := slices.Clone(names)
	slices.SortFunc(sorted, func(a, b string) int { // r2 before r10
		return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
	})
	return "expected one of " + strings.Join(sorted, ", ")
}

// threadNumber reads the name of a thread: P0, or 0 as others write it.
func threadNumber(t token) (int, bool) {
	digits := t.text
	if t.kind == word {
		if digits[0] != 'P' {
			return 0, false
		}
		digits = digits[1:]
	}
	if len(digits) > 6 || !allDigits(digits) {
		return 0, false
	}
	n, err := strconv.Atoi(digits)
	return n, err == nil
}

func allDigits(s string) bool {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return false
		}
	}
	return s != ""
}

func isRegister(s string) bool { return s[0] == 'r' && allDigits(s[1:]) }

func isLabel(s string) bool { return len(s) > 2 && s[:2] == "LC" && allDigits(s[2:]) }

func isLocation(s string) bool {
	return !strings.Contains(s, ".") && !isRegister(s) && !isLabel(s)
}

// address finds what a name stands for, or makes it a location.
func (p *parser) address(name string) address {
	a, known := p.places[name]
	if !known {
		a.location = len(p.test.Locations)
		p.places[name] = a
		p.test.Locations = append(p.test.Locations, name)
		p.test.Initial = append(p.test.Initial, 0)
		p.aliases = append(p.aliases, 0)
	}
	return a
}

// address is what the name of a location stands for.
type address struct {
	location, alias int
	declared        bool
}
