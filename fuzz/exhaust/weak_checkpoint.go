package exhaust

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"stealproof/fuzz/exhaust/internal/graph"
	"stealproof/model"
	"stealproof/ref"
)

// savedWalk is what a checkpoint keeps of a program on a weak memory: how far
// the walk has come, and the writes that it reckons with.
type savedWalk struct {
	executed, cut, histories int
	undecided, done          bool
	decisions, options       []int
	most                     [][]int
	graphs                   []graph.Graph // or, instead of decisions, the graphs that are left
	keys                     []HistoryKey
}

// checkpointWeak takes what is left of the walks.
func (x *Search) checkpointWeak(walks []*weakWalk) *Checkpoint {
	c := &Checkpoint{identity: x.identity(splitAfter), walks: map[int]*savedWalk{}}
	for i, w := range walks {
		s := &savedWalk{executed: w.Executions, cut: w.DeadEnds, histories: w.Histories, undecided: w.Verdict == model.Undecided, done: w.Complete}
		if !s.done {
			if w.graphs != nil {
				s.graphs = w.graphs.left
			} else {
				s.decisions, s.options, s.most = w.search.decisions, w.search.options, w.search.most
			}
			s.keys = slices.SortedFunc(maps.Keys(w.seen), func(a, b HistoryKey) int { return slices.Compare(a[:], b[:]) })
			s.histories = len(s.keys)
		}
		c.walks[i] = s
	}
	return c
}

// fits says whether the search is the one that the checkpoint is of.
func (x *Search) fits(part int) error {
	if x.Resume == nil {
		return nil
	}
	return x.identity(part).differs(x.Resume.identity)
}

func (x *Search) savedWalk(i int) *savedWalk {
	if x.Resume == nil {
		return nil
	}
	return x.Resume.walks[i]
}

// restore goes on where a walk was saved.
func (w *weakWalk) restore(s *savedWalk) error {
	if s.undecided {
		w.Verdict = model.Undecided
	}
	if !s.done && (s.graphs == nil || w.graphs == nil) {
		w.graphs, w.search = nil, &weakSearch{}
	}
	w.Executions, w.DeadEnds, w.Histories, w.Complete = s.executed, s.cut, s.histories, s.done
	if s.done {
		return nil
	}
	if w.buffering != nil { // of what was made before it is not known what may come of it
		w.buffering.Begin()
	}
	for _, k := range s.keys {
		w.seen[k] = true
	}
	if w.graphs != nil {
		w.graphs.left = slices.Clone(s.graphs)
		return w.graphs.fits(w.setup)
	}
	if len(s.most) > 0 && (len(s.most) != w.setup.Threads() || len(s.most[0]) != w.setup.Space.Len()+1) {
		return fmt.Errorf("the checkpoint does not fit program %d: it counts writes of %d processes to %d locations", w.index+1, len(s.most), len(s.most[0])-1)
	}
	for _, row := range s.most {
		w.search.most, w.search.made = append(w.search.most, slices.Clone(row)), append(w.search.made, make([]int, len(row)))
	}
	w.search.decisions, w.search.options = slices.Clone(s.decisions), slices.Clone(s.options)
	return nil
}

func (s *savedWalk) write(to io.Writer, program int) {
	fmt.Fprintf(to, "walk %d executed=%d cut=%d histories=%d undecided=%t done=%t\n", program, s.executed, s.cut, s.histories, s.undecided, s.done)
	if s.done {
		return
	}
	if s.graphs != nil {
		writeGraphs(to, s.graphs)
		writeKeys(to, s.keys)
		return
	}
	decisions := make([]string, len(s.decisions))
	for i := range decisions {
		decisions[i] = fmt.Sprintf("%d/%d", s.decisions[i], s.options[i])
	}
	fmt.Fprintf(to, "decisions %s\n", strings.Join(decisions, ","))
	rows := make([]string, len(s.most))
	for p, row := range s.most {
		rows[p] = strings.Trim(strings.ReplaceAll(fmt.Sprint(row), " ", ","), "[]")
	}
	fmt.Fprintf(to, "writes %s\n", strings.Join(rows, ";"))
	writeKeys(to, s.keys)
}

func (p *checkpointReader) walk(text string) error {
	s := &savedWalk{}
	program := 0
	if err := scan(text, "%d executed=%d cut=%d histories=%d undecided=%t done=%t", &program, &s.executed, &s.cut, &s.histories, &s.undecided, &s.done); err != nil {
		return err
	}
	if p.c.walks == nil {
		p.c.walks = map[int]*savedWalk{}
	}
	p.c.walks[program] = s
	if s.done {
		return nil
	}
	line, err := p.next()
	if err != nil {
		return err
	}
	if text, graphs := strings.CutPrefix(line, "graphs "); graphs {
		err = p.graphs(s, text)
	} else if err = p.decisions(s, line); err == nil {
		err = p.writes(s)
	}
	if err != nil {
		return err
	}
	s.keys, err = p.keys(s.histories)
	return err
}

func (p *checkpointReader) decisions(s *savedWalk, line string) error {
	text, found := strings.CutPrefix(line, "decisions ")
	if !found {
		return fmt.Errorf("expected \"graphs\" or \"decisions\", found %.40q", line)
	}
	for item := range items(text) {
		d, n := 0, 0
		if err := scan(item, "%d/%d", &d, &n); err != nil {
			return err
		}
		if d < 0 || d >= n {
			return fmt.Errorf("decision %s: expected the number of an outcome and how many there are", item)
		}
		s.decisions, s.options = append(s.decisions, d), append(s.options, n)
	}
	return nil
}

func (p *checkpointReader) writes(s *savedWalk) error {
	text, err := p.field("writes")
	if err != nil || text == "" {
		return err
	}
	for row := range strings.SplitSeq(text, ";") {
		var counts []int
		for item := range items(row) {
			n, err := strconv.Atoi(item)
			if err != nil {
				return fmt.Errorf("writes %.40q: expected numbers", row)
			}
			counts = append(counts, n)
		}
		if len(s.most) > 0 && len(counts) != len(s.most[0]) {
			return errors.New("writes: the processes do not count the same locations")
		}
		s.most = append(s.most, counts)
	}
	return nil
}

// writeGraphs writes the graphs that are left, one a line.
func writeGraphs(to io.Writer, graphs []graph.Graph) {
	fmt.Fprintf(to, "graphs %d\n", len(graphs))
	for _, g := range graphs {
		fmt.Fprintf(to, "graph %s\n", g)
	}
}

func (p *checkpointReader) graphs(s *savedWalk, count string) error {
	n, err := strconv.Atoi(count)
	if err != nil || n < 1 {
		return fmt.Errorf("graphs %.40q: expected how many there are", count)
	}
	for range n {
		text, err := p.field("graph")
		if err != nil {
			return err
		}
		g, err := graph.Parse(text)
		if err != nil {
			return err
		}
		s.graphs = append(s.graphs, g)
	}
	return nil
}

// fits says whether the graphs are of a program with these processes.
func (w *graphWalk) fits(setup *ref.Setup) error {
	for _, g := range w.left {
		if n := g.Processes(); n > setup.Threads() {
			return fmt.Errorf("the checkpoint does not fit: it has an event of process %d", n-1)
		}
	}
	return nil
}
