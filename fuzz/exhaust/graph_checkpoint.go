package exhaust

import (
	"fmt"
	"io"
	"strconv"

	"stealproof/fuzz/exhaust/internal/graph"
	"stealproof/ref"
)

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
