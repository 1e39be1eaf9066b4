package exhaust

import (
	"bufio"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strconv"
	"strings"

	"stealproof/model"
)

// ReadCheckpoint reads what Write has written. Errors name the line.
func ReadCheckpoint(r io.Reader) (*Checkpoint, error) {
	p := &checkpointReader{in: bufio.NewReader(r), c: &Checkpoint{programs: map[int]*savedProgram{}}}
	if mark, _ := p.in.Peek(len(byteOrderMark)); string(mark) == byteOrderMark {
		p.in.Discard(len(byteOrderMark))
	}
	if err := p.read(); err != nil {
		return nil, fmt.Errorf("line %d: %w", p.line, err)
	}
	return p.c, nil
}

// byteOrderMark stands at the beginning of texts that some editors wrote, and says
// nothing.
const byteOrderMark = "\ufeff"

type checkpointReader struct {
	in   *bufio.Reader
	line int
	sum  uint32
	c    *Checkpoint
}

// next returns the next line, and takes it into the checksum.
func (p *checkpointReader) next() (string, error) {
	text, err := p.in.ReadString('\n')
	p.line++
	if errors.Is(err, io.EOF) {
		return "", errors.New("the checkpoint ends too early: was it written to its end?")
	}
	if err != nil {
		return "", err
	}
	if !strings.HasPrefix(text, "end ") {
		p.sum = crc32.Update(p.sum, crc32.IEEETable, []byte(text))
	}
	return strings.TrimSuffix(text, "\n"), nil
}

func (p *checkpointReader) read() error {
	first, err := p.next()
	if err != nil {
		return err
	}
	version, found := strings.CutPrefix(first, checkpointFormat+" ")
	if !found {
		return fmt.Errorf("expected %q, found %.40q", checkpointFormat+" "+strconv.Itoa(searchVersion), first)
	}
	if version != strconv.Itoa(searchVersion) {
		return fmt.Errorf("a checkpoint of version %s: this program searches in another way and reads version %d", version, searchVersion)
	}
	if err := p.identity(); err != nil {
		return err
	}
	for {
		text, err := p.next()
		if err != nil {
			return err
		}
		what, rest, _ := strings.Cut(text, " ")
		switch what {
		case "done", "task":
			err = p.task(what, rest)
		case "program":
			err = p.program(rest)
		case "walk":
			err = p.walk(rest)
		case "end":
			if rest != fmt.Sprintf("%08x", p.sum) {
				return errors.New("the checksum does not match: the checkpoint was changed or damaged")
			}
			return nil
		default:
			err = fmt.Errorf("expected done, task, program, walk or end, found %.40q", text)
		}
		if err != nil {
			return err
		}
	}
}

func (p *checkpointReader) identity() error {
	id := &p.c.identity
	for _, field := range []struct {
		name string
		text *string
		n    *int
	}{
		{"structure", &id.structure, nil},
		{"memory", &id.memory, nil},
		{"programs", &id.programs, nil},
		{"histories", &id.histories, nil},
		{"accesses", nil, &id.accesses},
		{"part", nil, &id.part},
	} {
		v, err := p.field(field.name)
		if err != nil {
			return err
		}
		if field.text != nil {
			*field.text = v
		} else if *field.n, err = strconv.Atoi(v); err != nil {
			return fmt.Errorf("%s %.40q: expected a number", field.name, v)
		}
	}
	line, err := p.next()
	if err != nil {
		return err
	}
	return scan(line, "sums next=%d complete=%d histories=%d", &p.c.next, &p.c.complete, &p.c.histories)
}

// field reads a line that begins with a name, and returns the rest of it.
func (p *checkpointReader) field(name string) (string, error) {
	line, err := p.next()
	if err != nil {
		return "", err
	}
	v, found := strings.CutPrefix(line, name+" ")
	if !found {
		return "", fmt.Errorf("expected %q, found %.40q", name, line)
	}
	return v, nil
}

// scan reads a line of a fixed form.
func scan(text, form string, into ...any) error {
	if n, err := fmt.Sscanf(text, form, into...); err != nil || n != len(into) {
		return fmt.Errorf("expected a line as in %q, found %.60q", form, text)
	}
	return nil
}

func (p *checkpointReader) task(what, text string) error {
	t := &task{program: &exhausting{}}
	p.c.tasks = append(p.c.tasks, t)
	if what == "done" {
		t.state = taskDone
		return scan(text, "program=%d executed=%d cut=%d", &t.program.index, &t.executed, &t.cut)
	}
	text, choices, _ := strings.Cut(text, " choices:")
	nodes := 0
	if err := scan(text, "program=%d executed=%d cut=%d since=%d root=%d base=%d nodes=%d",
		&t.program.index, &t.executed, &t.cut, &t.since, &t.root, &t.base, &nodes); err != nil {
		return err
	}
	runs, err := model.ParseChoices(choices)
	if err != nil {
		return err
	}
	for _, r := range runs {
		for range r.Times {
			t.choices = append(t.choices, r.Choice)
		}
	}
	if t.root+nodes != len(t.choices) || t.root < 0 || t.base < t.root {
		return fmt.Errorf("root %d, base %d, %d nodes and %d choices do not go together", t.root, t.base, nodes, len(t.choices))
	}
	for range nodes {
		if err := p.node(t); err != nil {
			return err
		}
	}
	return nil
}

func (p *checkpointReader) node(t *task) error {
	line, err := p.next()
	if err != nil {
		return err
	}
	rest, isNode := strings.CutPrefix(line, "node todo=")
	todo, sleep, found := strings.Cut(rest, " sleep=")
	if !isNode || !found {
		return fmt.Errorf("expected a node, found %.40q", line)
	}
	var n savedNode
	for text := range items(todo) {
		c, err := parseChoice(text)
		if err != nil {
			return err
		}
		n.todo = append(n.todo, c)
	}
	for text := range items(sleep) {
		s, err := parseSleeper(text)
		if err != nil {
			return fmt.Errorf("%.40q: %w", text, err)
		}
		n.sleep = append(n.sleep, s)
	}
	t.saved = append(t.saved, n)
	return nil
}

// items are the parts between commas, none of an empty text.
func items(text string) func(func(string) bool) {
	if text == "" {
		return func(func(string) bool) {}
	}
	return strings.SplitSeq(text, ",")
}

func (p *checkpointReader) program(text string) error {
	index, keys := 0, 0
	s := &savedProgram{}
	if err := scan(text, "%d undecided=%t histories=%d", &index, &s.undecided, &keys); err != nil {
		return err
	}
	p.c.programs[index] = s
	var err error
	s.keys, err = p.keys(keys)
	return err
}

func (p *checkpointReader) keys(n int) ([]HistoryKey, error) {
	var keys []HistoryKey
	for range n {
		line, err := p.next()
		if err != nil {
			return nil, err
		}
		var k HistoryKey
		if err := scan(line, "%16x%16x", &k[0], &k[1]); err != nil {
			return nil, err
		}
		keys = append(keys, k)
	}
	return keys, nil
}
