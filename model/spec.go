package model

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// Spec names a structure and what is to be varied of it. Its text is
//
//	abp
//	abp:variant=book,width=2
type Spec struct {
	Structure string
	Settings  Settings
}

// ParseSpec reads the text of a spec. Which structures there are, and their
// settings, is known to those who build them.
func ParseSpec(text string) (Spec, error) {
	name, rest, _ := strings.Cut(strings.TrimSpace(text), ":")
	if !isWord(name) {
		return Spec{}, fmt.Errorf("structure %.40q: expected a name, then settings as in \"abp:width=2\"", text)
	}
	settings, err := ParseSettings(rest)
	if err != nil {
		return Spec{}, fmt.Errorf("structure %.40q: %w", text, err)
	}
	return Spec{name, settings}, nil
}

func (s Spec) String() string { return withSettings(s.Structure, s.Settings) }

// With returns the spec with one setting more.
func (s Spec) With(key, value string) Spec {
	c := Spec{s.Structure, maps.Clone(s.Settings)}
	if c.Settings == nil {
		c.Settings = Settings{}
	}
	c.Settings[key] = value
	return c
}

// Settings are named values in their text form, printed in the order of the
// names.
type Settings map[string]string

// ParseSettings reads "a=1,b=2".
func ParseSettings(s string) (Settings, error) {
	set := Settings{}
	if s == "" {
		return set, nil
	}
	for item := range strings.SplitSeq(s, ",") {
		key, value, found := strings.Cut(item, "=")
		if !found || !isWord(key) || value == "" || strings.ContainsFunc(value, unicode.IsSpace) {
			return nil, fmt.Errorf("setting %.40q: expected name=value", item)
		}
		if _, twice := set[key]; twice {
			return nil, fmt.Errorf("setting %.40q is given twice", key)
		}
		set[key] = value
	}
	return set, nil
}

func (s Settings) String() string {
	var b strings.Builder
	for i, key := range slices.Sorted(maps.Keys(s)) {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(key + "=" + s[key])
	}
	return b.String()
}

func withSettings(name string, s Settings) string {
	if len(s) == 0 {
		return name
	}
	return name + ":" + s.String()
}

// isWord accepts lower-case letters, digits and dashes.
func isWord(s string) bool {
	for _, r := range s {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' {
			return false
		}
	}
	return s != ""
}
