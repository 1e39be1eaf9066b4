package model

import (
	"fmt"
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
// sequentially consistent memory would give.
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
}

// Choices is a list of decisions, run-length encoded.
type Choices []Run

// Run is the same choice made several times in a row.
type Run struct {
	Choice
	Times uint32
}

// Add appends one choice.
func (c *Choices) Add(choice Choice) {
	if n := len(*c); n > 0 && (*c)[n-1].Choice == choice {
		(*c)[n-1].Times++
		return
	}
	*c = append(*c, Run{choice, 1})
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

func parseRun(item string) (Run, error) {
	who, times, repeated := strings.Cut(item, "*")
	process, pick, picked := strings.Cut(who, "/")
	r := Run{Times: 1}
	p, err := strconv.ParseUint(process, 10, 16)
	r.Process = uint16(p)
	if err == nil && picked {
		p, err = strconv.ParseUint(pick, 10, 16)
		r.Pick = uint16(p)
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
