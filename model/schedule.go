package model

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Schedule says how the processes of a program take turns: the name of a
// strategy with its settings, or the choices themselves. Its text is
//
//	random:seed=7
//	pct:depth=3,seed=7
//	choices:0*5,1/2,0*2
//
// In a list of choices each number is the process that makes the next access,
// and n*k stands for k times n. Behind a slash stands which outcome the access
// had where the memory left several open: 0, which is not written, is what a
// sequentially consistent memory would give. Behind an @ stand the access that will
// store what this one reads, and the value, where that comes later:
//
//	choices:0@4=1,0,1*2
//
// With such a choice the outcomes count all writes of a location, and all fences,
// that were made before: of a load, outcome k reads the k-th newest, and what a store
// writes comes before the k newest, as a fence before the k last. What an atomic writes
// comes right behind what it reads; where it does not, k is 256 times one more than the
// writes that it precedes, and beside that which it reads.
type Schedule struct {
	Strategy string
	Settings Settings
	// Choices are those of strategy "choices", run by run.
	Choices Choices
}

// ByChoices names the strategy that follows a list of choices.
const ByChoices = "choices"

// Choice is one decision of a schedule: who makes the next access, and which of
// its possible outcomes it has.
type Choice struct {
	Process uint16
	Pick    uint16
	// Later is the access, counted from 1, whose write is read though it comes later,
	// and Value what it writes; 0 if there is none.
	Later uint32
	Value uint64
}

// Choices is a list of decisions, run-length encoded.
type Choices []Repeat

// Repeat is the same choice made several times in a row.
type Repeat struct {
	Choice
	Times uint32
}

// Add appends one choice.
func (c *Choices) Add(choice Choice) {
	if n := len(*c); n > 0 && (*c)[n-1].Choice == choice {
		(*c)[n-1].Times++
		return
	}
	*c = append(*c, Repeat{choice, 1})
}

// Buffered says whether some access reads what comes later.
func (c Choices) Buffered() bool {
	return slices.ContainsFunc(c, func(r Repeat) bool { return r.Later > 0 })
}

// Len is the number of choices.
func (c Choices) Len() int {
	n := 0
	for _, r := range c {
		n += int(r.Times)
	}
	return n
}

func (c Choices) String() string {
	var b strings.Builder
	for i, r := range c {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(int(r.Process)))
		if r.Pick > 0 {
			b.WriteByte('/')
			b.WriteString(strconv.Itoa(int(r.Pick)))
		}
		if r.Later > 0 {
			fmt.Fprintf(&b, "@%d=%d", r.Later, r.Value)
		}
		if r.Times > 1 {
			b.WriteByte('*')
			b.WriteString(strconv.Itoa(int(r.Times)))
		}
	}
	return b.String()
}

// ParseChoices reads a list as Choices prints it.
func ParseChoices(s string) (Choices, error) {
	var c Choices
	if s == "" {
		return c, nil
	}
	for item := range strings.SplitSeq(s, ",") {
		r, err := parseRun(item)
		if err != nil {
			return nil, fmt.Errorf("choice %.40q: expected a process, process/outcome, or either *times", item)
		}
		c = append(c, r)
	}
	return c, nil
}

func parseRun(item string) (Repeat, error) {
	who, times, repeated := strings.Cut(item, "*")
	who, later, buffered := strings.Cut(who, "@")
	process, pick, picked := strings.Cut(who, "/")
	r := Repeat{Times: 1}
	p, err := strconv.ParseUint(process, 10, 16)
	r.Process = uint16(p)
	if err == nil && picked {
		p, err = strconv.ParseUint(pick, 10, 16)
		r.Pick = uint16(p)
	}
	if err == nil && buffered {
		err = r.parseLater(later)
	}
	if err == nil && repeated {
		p, err = strconv.ParseUint(times, 10, 31)
		r.Times = uint32(p)
	}
	if err == nil && r.Times == 0 {
		err = strconv.ErrRange
	}
	return r, err
}

func (r *Repeat) parseLater(text string) error {
	access, value, _ := strings.Cut(text, "=")
	n, err := strconv.ParseUint(access, 10, 32)
	if err == nil && n == 0 {
		err = strconv.ErrRange
	}
	if r.Later = uint32(n); err == nil {
		r.Value, err = strconv.ParseUint(value, 10, 64)
	}
	return err
}

// ParseSchedule reads the text of a schedule. Which strategies there are, and
// their settings, is known to those who run it.
func ParseSchedule(text string) (Schedule, error) {
	name, rest, _ := strings.Cut(strings.TrimSpace(text), ":")
	if name == ByChoices {
		c, err := ParseChoices(rest)
		return Schedule{Strategy: name, Choices: c}, err
	}
	settings, err := ParseSettings(rest)
	if err != nil {
		return Schedule{}, fmt.Errorf("schedule %.40q: %w", text, err)
	}
	if !isWord(name) {
		return Schedule{}, fmt.Errorf("schedule %.40q: expected a strategy's name, then settings as in \"random:seed=7\"", text)
	}
	return Schedule{Strategy: name, Settings: settings}, nil
}

func (s Schedule) String() string {
	if s.Strategy == ByChoices {
		return s.Strategy + ":" + s.Choices.String()
	}
	return withSettings(s.Strategy, s.Settings)
}
