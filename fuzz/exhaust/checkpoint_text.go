package exhaust

import (
	"bufio"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"stealproof/model"
	"stealproof/ref"
)

const checkpointFormat = "stealproof-checkpoint"

// Write writes the checkpoint as text. A checksum ends it.
func (c *Checkpoint) Write(w io.Writer) error {
	sum := crc32.NewIEEE()
	b := bufio.NewWriter(io.MultiWriter(w, sum))
	id := c.identity
	fmt.Fprintf(b, "%s %d\nstructure %s\nmemory %s\nprograms %s\nhistories %s\naccesses %d\npart %d\n",
		checkpointFormat, searchVersion, id.structure, id.memory, id.programs, id.histories, id.accesses, id.part)
	fmt.Fprintf(b, "sums next=%d complete=%d histories=%d\n", c.next, c.complete, c.histories)
	for _, t := range c.tasks {
		t.write(b)
	}
	for _, i := range slices.Sorted(maps.Keys(c.programs)) {
		p := c.programs[i]
		fmt.Fprintf(b, "program %d undecided=%t histories=%d\n", i, p.undecided, len(p.keys))
		writeKeys(b, p.keys)
	}
	for _, i := range slices.Sorted(maps.Keys(c.walks)) {
		c.walks[i].write(b, i)
	}
	if err := b.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "end %08x\n", sum.Sum32())
	return err
}

func writeKeys(w io.Writer, keys []HistoryKey) {
	for _, k := range keys {
		fmt.Fprintf(w, "%016x%016x\n", k[0], k[1])
	}
}

func (t *task) write(w io.Writer) {
	if t.state == taskDone {
		fmt.Fprintf(w, "done program=%d executed=%d cut=%d\n", t.program.index, t.executed, t.cut)
		return
	}
	var choices model.Choices
	for _, c := range t.choices {
		choices.Add(c)
	}
	fmt.Fprintf(w, "task program=%d executed=%d cut=%d since=%d root=%d base=%d nodes=%d choices:%s\n", t.program.index, t.executed, t.cut, t.since, t.root, t.base, len(t.saved), choices)
	for _, n := range t.saved {
		var todo, sleep []string
		for _, c := range n.todo {
			todo = append(todo, model.Choices{{Choice: c, Times: 1}}.String())
		}
		for _, s := range n.sleep {
			sleep = append(sleep, s.String())
		}
		fmt.Fprintf(w, "node todo=%s sleep=%s\n", strings.Join(todo, ","), strings.Join(sleep, ","))
	}
}

// String is the choice and its access, as in 1@5w: process 1 writes location 5.
func (s sleeper) String() string {
	text := model.Choices{{Choice: s.choice, Times: 1}}.String() + "@" + strconv.Itoa(int(s.event.location))
	if s.event.writes {
		text += "w"
	}
	if s.event.none {
		text += "n"
	}
	if s.event.guard != 0 {
		text += "g" + strconv.FormatUint(s.event.guard, 16)
	}
	return text
}

func parseSleeper(text string) (s sleeper, err error) {
	who, what, _ := strings.Cut(text, "@")
	if s.choice, err = parseChoice(who); err != nil {
		return s, err
	}
	s.event.process = int(s.choice.Process)
	if what, guard, found := strings.Cut(what, "g"); found {
		if s.event.guard, err = strconv.ParseUint(guard, 16, 64); err != nil {
			return s, err
		}
		return s.located(what)
	}
	return s.located(what)
}

func (s sleeper) located(what string) (sleeper, error) {
	what, s.event.none = strings.CutSuffix(what, "n")
	what, s.event.writes = strings.CutSuffix(what, "w")
	l, err := strconv.ParseUint(what, 10, 32)
	s.event.location = ref.Location(l)
	return s, err
}

func parseChoice(text string) (model.Choice, error) {
	c, err := model.ParseChoices(text)
	if err == nil && c.Len() != 1 {
		err = fmt.Errorf("choice %q: expected one", text)
	}
	if err != nil {
		return model.Choice{}, err
	}
	return c[0].Choice, nil
}
