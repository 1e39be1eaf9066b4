package exhaust

import (
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"
)

// Checkpoint is where a search stopped, with all that it needs to go on: to the
// same sums as if it had not stopped.
type Checkpoint struct {
	// what it is a search of
	identity identity
	// next is the program to begin with when the tasks are done; complete and
	// histories are sums over programs that are done.
	next, complete, histories int
	tasks                     []*task // with the index of their program
	programs                  map[int]*savedProgram
	// walks are all there is on a weak memory.
	walks map[int]*savedWalk
}

// identity is what must be the same for a search to go on.
type identity struct {
	structure, memory, programs, histories string
	accesses, part                         int
}

type savedProgram struct {
	undecided bool
	keys      []HistoryKey
}

// searchVersion changes when the same search would go another way.
const searchVersion = 3

func (x *Search) identity(part int) identity {
	id := identity{
		structure: x.Subject.Spec().String(), memory: x.Subject.Memory().String(), histories: "strictest",
		accesses: x.accesses(), part: part,
	}
	if v := x.Subject.Version(); v != "" {
		id.structure += " with the text " + v
	}
	if id.memory == "" {
		id.memory = "sc"
	}
	if x.AllHistories {
		id.histories = "all"
	}
	if x.everyRound {
		id.histories += everyRound
	}
	h := fnv.New64a()
	for i := range x.Programs {
		fmt.Fprintln(h, x.Programs[i].String())
	}
	id.programs = fmt.Sprintf("%d, %016x", len(x.Programs), h.Sum64())
	return id
}

// everyRound stands behind what an identity says of histories if failed rounds are
// not left out.
const everyRound = " with failed rounds"

func (id identity) everyRound() bool { return strings.HasSuffix(id.histories, everyRound) }

// differs names the first difference.
func (id identity) differs(from identity) error {
	for _, f := range []struct{ what, is, was string }{
		{"structure", id.structure, from.structure},
		{"memory", id.memory, from.memory},
		{"programs", id.programs, from.programs},
		{"histories", id.histories, from.histories},
		{"limit of accesses", fmt.Sprint(id.accesses), fmt.Sprint(from.accesses)},
		{"size of parts", fmt.Sprint(id.part), fmt.Sprint(from.part)},
	} {
		if f.is != f.was {
			return fmt.Errorf("the checkpoint is of another search: its %s is %s, not %s", f.what, f.was, f.is)
		}
	}
	return nil
}

// checkpoint takes what is left on the board.
func (x *Search) checkpoint(b *board) *Checkpoint {
	c := &Checkpoint{identity: x.identity(b.part), next: b.next(), complete: b.complete, programs: map[int]*savedProgram{}}
	open := 0
	for t := b.head.next; t != nil; t = t.next {
		c.tasks = append(c.tasks, t)
		p := t.program
		if c.programs[p.index] != nil {
			continue
		}
		s := &savedProgram{undecided: p.undecided.Load()}
		c.programs[p.index] = s
		if p.seen != nil {
			p.seen.each(func(k HistoryKey) { s.keys = append(s.keys, k) })
			slices.SortFunc(s.keys, func(a, b HistoryKey) int { return slices.Compare(a[:], b[:]) })
			open += len(s.keys)
		}
	}
	c.histories = b.histories - open
	return c
}

// Left says whether anything is left to execute, at a limit or an interruption.
func (c *Checkpoint) Left() bool {
	if c.walks != nil {
		return slices.ContainsFunc(slices.Collect(maps.Values(c.walks)), func(w *savedWalk) bool { return !w.done })
	}
	return c.next < c.count() || slices.ContainsFunc(c.tasks, func(t *task) bool { return t.state != taskDone })
}

func (c *Checkpoint) count() int {
	n := 0
	fmt.Sscanf(c.identity.programs, "%d", &n)
	return n
}

// restore puts a checkpoint on the board and returns the next program.
func (x *Search) restore(b *board) (int, error) {
	c := x.Resume
	if err := x.fits(b.part); err != nil {
		return 0, err
	}
	b.complete, b.histories = c.complete, c.histories
	known := map[int]*exhausting{}
	last := &b.head
	for _, saved := range c.tasks {
		i := saved.program.index
		if known[i] == nil {
			p, err := x.prepare(i)
			if err != nil {
				return 0, err
			}
			if s := c.programs[i]; s != nil {
				p.undecided.Store(s.undecided)
				for _, k := range s.keys {
					p.seen.add(k)
				}
			}
			known[i] = p
		}
		t := saved.again(known[i])
		b.insert(last, t)
		last = t
	}
	for _, p := range known {
		if p.open == 0 {
			p.seen = nil
		}
	}
	return c.next, nil
}

// again is the task as somebody can take it.
func (t *task) again(p *exhausting) *task {
	n := &task{program: p, choices: t.choices, saved: t.saved, root: t.root, base: t.base, executed: t.executed, cut: t.cut, since: t.since}
	if t.state == taskDone {
		n.state = taskDone
	}
	return n
}
