package ptx

import (
	"regexp"
	"strconv"
	"strings"

	"stealproof/ref/ptx/machine"
)

// shortNames are what the variables of a module are called here: slot, and not
// _ZZN5Queue4toldEyE4slot, unless two of them would have the same name.
func shortNames(p *machine.Program) map[string]string {
	names, times := map[string]string{}, map[string]int{}
	for _, all := range [][]machine.Global{p.Globals, p.Block} {
		for _, g := range all {
			names[g.Name] = shortName(g.Name)
			times[names[g.Name]]++
		}
	}
	for long, short := range names {
		if times[short] > 1 {
			names[long] = long
		}
	}
	return names
}

var lengths = regexp.MustCompile(`[0-9]+`)

// shortName is the last part of a name that a C++ compiler has made, with the number that
// tells it from others of its function; any other name is as it is.
func shortName(name string) string {
	if !strings.HasPrefix(name, "_Z") {
		return name
	}
	short := name
	for at := 2; at < len(name); {
		digits := lengths.FindStringIndex(name[at:])
		if digits == nil {
			break
		}
		from := at + digits[1]
		length, err := strconv.Atoi(name[at+digits[0] : from])
		if err != nil || length == 0 || from+length > len(name) {
			at = from
			continue
		}
		short, at = name[from:from+length], from+length
		if rest := name[at:]; strings.HasPrefix(rest, "_") {
			short += strings.TrimSuffix(rest, "_")
		}
	}
	return short
}
