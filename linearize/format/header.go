package format

import (
	"math"
	"slices"

	"stealproof/model"
)

// headerParser reads the first line of a history.
type headerParser struct {
	scanner
	h    *model.History
	seen fields
}

const (
	hasFormat = 1 << iota
	hasVersion
	hasModel
	hasParams
	hasClock
	hasMeta
	hasCapacity
	hasShared
	hasSource
	hasUnit
	hasResolution
)

func (p *headerParser) parse(line []byte) bool {
	p.reset(line)
	if !p.object("a header in braces", p.field) || !p.end() {
		return false
	}
	for _, f := range []struct {
		bit  uint
		name string
	}{{hasFormat, "format"}, {hasVersion, "version"}, {hasModel, "model"}} {
		if !p.seen.has(f.bit) {
			return p.fail("the field %q is missing", f.name)
		}
	}
	return true
}

func (p *headerParser) field(key []byte) bool {
	switch string(key) {
	case "format":
		return p.once(hasFormat, key) && p.format()
	case "version":
		return p.once(hasVersion, key) && p.version()
	case "model":
		return p.once(hasModel, key) && p.model()
	case "params":
		return p.once(hasParams, key) && p.members("params", p.param)
	case "clock":
		return p.once(hasClock, key) && p.members("clock", p.clock)
	case "meta":
		return p.once(hasMeta, key) && p.meta()
	}
	return p.ignore(&p.seen, key)
}

func (p *headerParser) once(bit uint, key []byte) bool {
	return p.seen.first(bit) || p.fail("the field %q is given twice", key)
}

// ignore passes over a field that the format does not know.
func (s *scanner) ignore(seen *fields, key []byte) bool {
	if !seen.firstUnknown(key) {
		return s.fail("the field %q is given twice", key)
	}
	_, ok := s.skip()
	return ok
}

func (p *headerParser) format() bool {
	text, ok := p.str("\"" + formatName + "\"")
	if ok && string(text) != formatName {
		return p.fail("format: expected %q, found %.40q", formatName, text)
	}
	return ok
}

func (p *headerParser) version() bool {
	v, ok := p.uint("version", math.MaxUint32)
	if ok && v != formatVersion {
		return p.fail("version: expected %d, found %d", formatVersion, v)
	}
	return ok
}

func (p *headerParser) model() bool {
	text, ok := p.str("the name of a model")
	if !ok {
		return false
	}
	kind, err := model.ParseKind(string(text))
	p.h.Kind = kind
	return err == nil || p.fail("%v", err)
}

// members reads an object inside the header; each has unknown fields of its own.
func (p *headerParser) members(name string, field func(key []byte, seen *fields) bool) bool {
	var seen fields
	return p.object(name+" in braces", func(key []byte) bool { return field(key, &seen) })
}

func (p *headerParser) param(key []byte, seen *fields) (ok bool) {
	switch string(key) {
	case "capacity":
		if !p.once(hasCapacity, key) {
			return false
		}
		p.h.Params.Capacity, ok = p.uint("params.capacity", math.MaxInt64)
		if ok && p.h.Params.Capacity == 0 {
			return p.fail("params.capacity: expected a positive integer, found 0")
		}
		return ok
	case "shared":
		if !p.once(hasShared, key) {
			return false
		}
		p.h.Params.Shared, ok = p.boolean("params.shared")
		return ok
	}
	return p.ignore(seen, key)
}

func (p *headerParser) clock(key []byte, seen *fields) (ok bool) {
	var text []byte
	switch string(key) {
	case "source":
		text, ok = p.str("clock.source in quotes")
		p.h.Clock.Source = string(text)
		return ok && p.once(hasSource, key)
	case "unit":
		text, ok = p.str("clock.unit in quotes")
		p.h.Clock.Unit = string(text)
		return ok && p.once(hasUnit, key)
	case "resolution":
		p.h.Clock.Resolution, ok = p.uint("clock.resolution", math.MaxInt64)
		return ok && p.once(hasResolution, key)
	}
	return p.ignore(seen, key)
}

// meta is kept as it is written, for it belongs to whoever wrote it.
func (p *headerParser) meta() bool {
	text, ok := p.skip()
	p.h.Meta = slices.Clone(text)
	return ok
}
