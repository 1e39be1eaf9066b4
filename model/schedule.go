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
//	choices:0*5,1,0*2
//
// In a list of choices each number is the process that makes the next access,
// and n*k stands for k times n.
type Schedule struct {
	Strategy string
	Settings Settings
	// Choices are those of strategy "choices", run by run.
	Choices Choices
}

// ByChoices names the strategy that follows a list of choices.
const ByChoices = "choices"

// Choices is a list of processes, run-length encoded.
type Choices []Run

// Run is the same process chosen several times in a row.
type Run struct {
	Process uint16
	Times   uint32
}

// Add appends one choice.
func (c *Choices) Add(process int) {
	if n := len(*c); n > 0 && (*c)[n-1].Process == uint16(process) {
		(*c)[n-1].Times++
		return
	}
	*c = append(*c, Run{uint16(process), 1})
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
		p, n, repeated := strings.Cut(item, "*")
		process, err := strconv.ParseUint(p, 10, 16)
		times := uint64(1)
		if err == nil && repeated {
			times, err = strconv.ParseUint(n, 10, 31)
		}
		if err != nil || times == 0 {
			return nil, fmt.Errorf("choice %.40q: expected a process, or process*times", item)
		}
		c = append(c, Run{uint16(process), uint32(times)})
	}
	return c, nil
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
