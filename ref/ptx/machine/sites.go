package machine

import (
	"fmt"

	"stealproof/ref/ptx/syntax"
)

// MostSites is how many sites are told apart.
const MostSites = 256

// sited is an access to shared memory, and the instruction that makes it.
type sited struct {
	access *Access
	in     *syntax.Instruction
}

// nameSites numbers the accesses and names the numbers, as in "queue.cu:12: read": the
// line of the text that the PTX was made of, else the name behind "// site", else the
// line of the PTX, and what is done there. What a compiler has made several copies of
// is one site, and what it has made of two calls of a function are two. Only where that
// would be too many are all accesses of a kind in a line one.
func nameSites(m *syntax.Module, all []sited) []string {
	for _, exact := range []bool{true, false} {
		if names := number(m, all, exact); len(names) <= MostSites || !exact {
			return names
		}
	}
	return nil
}

// site is what the accesses of one number have in common.
type site struct {
	place, verb string
	named       bool           // by "// site"
	from        *syntax.Source // who calls the function that it is in
}

func number(m *syntax.Module, all []sited, exact bool) []string {
	var sites []site
	numbers := map[string]int{}
	for _, s := range all {
		made := site{place: m.SiteOf(s.in), verb: s.access.verb()}
		key := made.place
		if at := s.in.Place(); at != nil {
			made.from = at.From
			if exact {
				key = at.String()
			}
		} else {
			made.named = s.in.Site != ""
		}
		key += "\n" + made.verb
		n, known := numbers[key]
		if !known {
			n = len(sites)
			numbers[key], sites = n, append(sites, made)
		}
		s.access.Site = n
	}
	return names(sites)
}

// names are the names of sites. What one line does several times is told apart by who
// calls the function that it is in, else by a number.
func names(sites []site) []string {
	all := make([]string, len(sites))
	verbs, times := map[string]string{}, map[string]int{}
	for _, s := range sites {
		if v, known := verbs[s.place]; known && v != s.verb {
			verbs[s.place] = "" // several
		} else if !known {
			verbs[s.place] = s.verb
		}
		times[s.place+s.verb]++
	}
	alike := map[string]int{}
	for i, s := range sites {
		all[i] = s.place
		if s.from != nil && times[s.place+s.verb] > 1 {
			all[i] += " from " + s.from.Short()
		}
		if !s.named || verbs[s.place] == "" {
			all[i] += ": " + s.verb
		}
		if alike[all[i]]++; alike[all[i]] > 1 {
			all[i] = fmt.Sprintf("%s %d", all[i], alike[all[i]])
		}
	}
	return all
}

// verb says what an access does, in the words of ref.Foreign.
func (a *Access) verb() string {
	switch a.Kind {
	case Load:
		return "read"
	case Store:
		return "write"
	case Fence:
		return "fence"
	}
	return [...]string{
		Exchange: "exchange", CompareAndSwap: "swap", Add: "add", And: "and", Or: "or", Xor: "xor",
		Increment: "increment", Decrement: "decrement", MinUnsigned: "min", MaxUnsigned: "max", MinSigned: "min", MaxSigned: "max",
	}[a.Atomic]
}
