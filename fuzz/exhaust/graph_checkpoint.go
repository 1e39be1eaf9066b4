package exhaust

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"stealproof/ref"
)

// writeGraphs writes the graphs that are left, one a line: of each event its
// process, what it reads, its place, and when it and its write were added.
func writeGraphs(to io.Writer, graphs []graph) {
	fmt.Fprintf(to, "graphs %d\n", len(graphs))
	for _, g := range graphs {
		events := make([]string, len(g))
		for i, e := range g {
			events[i] = fmt.Sprintf("%d:%d:%d:%d:%d", e.process, e.source, e.place, e.added, e.written)
		}
		fmt.Fprintf(to, "graph %s\n", strings.Join(events, ","))
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
		g := graph{}
		for item := range items(text) {
			var e graphEvent
			if err := scan(item, "%d:%d:%d:%d:%d", &e.process, &e.source, &e.place, &e.added, &e.written); err != nil {
				return err
			}
			if i := int16(len(g)); e.process < 0 || e.source < fromStart || e.source >= i || e.place < anyPlace || e.place >= i || e.added < 0 || e.written < 0 || i > mostEvents {
				return fmt.Errorf("event %q: expected a process, and events before this one", item)
			}
			g = append(g, e)
		}
		s.graphs = append(s.graphs, g)
	}
	return nil
}

// fits says whether the graphs are of a program with these processes.
func (w *graphWalk) fits(setup *ref.Setup) error {
	for _, g := range w.left {
		for _, e := range g {
			if int(e.process) >= setup.Processes() {
				return fmt.Errorf("the checkpoint does not fit: it has an event of process %d", e.process)
			}
		}
	}
	return nil
}
