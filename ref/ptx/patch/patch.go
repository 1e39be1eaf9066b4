package patch

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Patch is one change of a module: of an access, wherever the compiler has put it.
type Patch struct {
	// Site is the place: a line of the CUDA source, as in queue.cu:31, the name behind
	// "// site", or a line of the PTX, as in queue.ptx:214.
	Site string
	// Part says which of several accesses of the place is meant, from 1; 0 is all that
	// the operator fits.
	Part     int
	Operator *Operator
	Argument string
}

// String is what Parse reads.
func (p Patch) String() string {
	text := p.Site
	if p.Part > 0 {
		text += "#" + strconv.Itoa(p.Part)
	}
	text += "." + p.Operator.Name
	if p.Argument != "" {
		text += "=" + p.Argument
	}
	return text
}

// separator stands between patches.
const separator = "+"

// Parse reads patches, as in "a.drop+b.weaker".
func Parse(text string) ([]Patch, error) {
	var all []Patch
	for item := range strings.SplitSeq(text, separator) {
		p, err := parse(item)
		if err != nil {
			return nil, fmt.Errorf("patch %q: %w", item, err)
		}
		all = append(all, p)
	}
	return all, nil
}

// String is the text of several patches.
func String(patches []Patch) string {
	var texts []string
	for _, p := range patches {
		texts = append(texts, p.String())
	}
	return strings.Join(texts, separator)
}

func parse(text string) (p Patch, err error) {
	place, argument, hasArgument := strings.Cut(text, "=")
	dot := strings.LastIndexByte(place, '.')
	if dot <= 0 {
		return p, errors.New("expected a place and what becomes of it, as in queue.cu:31.drop")
	}
	name := place[dot+1:]
	i := slices.IndexFunc(Operators, func(o Operator) bool { return o.Name == name })
	if i < 0 {
		return p, fmt.Errorf("unknown operator %q: expected one of %s", name, strings.Join(names(), ", "))
	}
	p = Patch{Site: place[:dot], Operator: &Operators[i], Argument: argument}
	if site, part, found := strings.Cut(p.Site, "#"); found {
		p.Site = site
		if p.Part, err = strconv.Atoi(part); err != nil || p.Part < 1 {
			return p, fmt.Errorf("#%s: expected the number of an access, from 1", part)
		}
	}
	switch {
	case p.Operator.takes == nothing && hasArgument:
		return p, fmt.Errorf("%s takes nothing behind =", name)
	case p.Operator.takes == someNumber || p.Operator.takes == maybeNumber && hasArgument:
		_, err = p.number()
	case p.Operator.takes == someSite && argument == "":
		err = fmt.Errorf("%s: expected another place behind =", name)
	}
	return p, err
}

// number is the argument of an operator that takes a number, 0 if there is none.
func (p *Patch) number() (uint64, error) {
	if p.Argument == "" && p.Operator.takes == maybeNumber {
		return 0, nil
	}
	if n, err := strconv.ParseUint(p.Argument, 0, 64); err == nil {
		return n, nil
	}
	n, err := strconv.ParseInt(p.Argument, 0, 64)
	if err != nil {
		return 0, fmt.Errorf("%s=%s: expected a number", p.Operator.Name, p.Argument)
	}
	return uint64(n), nil
}

// other is the argument of an operator that takes a place.
func (p *Patch) other() (site string, part int, err error) {
	site, number, found := strings.Cut(p.Argument, "#")
	if found {
		if part, err = strconv.Atoi(number); err != nil || part < 1 {
			return "", 0, fmt.Errorf("#%s: expected the number of an access, from 1", number)
		}
	}
	return site, part, nil
}

// Written is the name of a place as patches write it, without what has a meaning there.
func Written(name string) string {
	return strings.Map(func(r rune) rune {
		if r <= ' ' || r == 0x7f || strings.ContainsRune("+=,#*/", r) {
			return '-'
		}
		return r
	}, name)
}
