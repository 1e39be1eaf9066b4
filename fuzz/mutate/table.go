package mutate

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"stealproof/fuzz/internal/lines"
)

// WriteScores prints a line per structure: how many mutants its checks kill.
func WriteScores(w io.Writer, scores []*Score) error {
	out := bufio.NewWriter(w)
	width := 10
	for _, s := range scores {
		width = max(width, len(s.Subject.Spec().String()))
	}
	fmt.Fprintf(out, "%-*s %8s %8s %11s %13s %10s %7s %12s\n", width, "structure", "mutants", "killed", "equivalent", "same results", "survivors", "score", "orders only")
	for _, s := range scores {
		killed, survivors := s.Count(Killed), s.Count(Survivor)
		equivalent, same := s.Count(Equivalent), s.Count(SameResults)
		fmt.Fprintf(out, "%-*s %8d %8d %11d %13d %10d %7s %12d\n", width, s.Subject.Spec(),
			killed+survivors+equivalent+same, killed, equivalent, same, survivors, percent(killed, killed+survivors), s.Count(OrdersOnly))
	}
	return out.Flush()
}

func percent(part, whole int) string {
	if whole == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f%%", 100*float64(part)/float64(whole))
}

// Write prints what became of each mutant: the survivors with their reasons,
// then those that make no difference; and with all of it, what killed the
// others and after how many executions.
func (s *Score) Write(w io.Writer, all bool) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s: up to %d programs exhausted for each mutant that random programs did not kill\n", s.Subject.Spec(), s.Programs)
	s.writeSurvivors(out)
	s.writeNames(out, SameResults)
	s.writeNames(out, Equivalent)
	if all {
		s.writeNames(out, OrdersOnly)
		s.writeKilled(out)
	}
	s.writeNames(out, NotJudged)
	return out.Flush()
}

func (s *Score) writeSurvivors(w io.Writer) {
	if s.Count(Survivor) == 0 {
		return
	}
	fmt.Fprintln(w, "  survivor")
	for _, m := range s.Mutants {
		if m.Outcome != Survivor {
			continue
		}
		reason := s.Reason(m.Mutant)
		if reason == "" {
			reason = "UNEXPLAINED: " + m.unknown()
		}
		fmt.Fprintf(w, "    %s\n", m.Mutant)
		for _, line := range lines.Fill(strings.Fields(reason), " ", 76) {
			fmt.Fprintf(w, "        %s\n", line)
		}
	}
}

// unknown says what is known of a survivor that nobody has explained.
func (m *Mutant) unknown() string {
	switch {
	case m.Missed:
		return "no program of the bounds comes to this line"
	case m.Open:
		return "holds in random programs; there are too many executions to make all"
	}
	return "holds in all executions of the bounds, with other results than the original"
}

func (s *Score) writeNames(w io.Writer, o Outcome) {
	var names []string
	for _, m := range s.Mutants {
		if m.Outcome == o {
			names = append(names, m.Mutant.String())
		}
	}
	if len(names) == 0 {
		return
	}
	fmt.Fprintf(w, "  %s\n", o)
	for _, line := range lines.Fill(names, ", ", 80) {
		fmt.Fprintf(w, "    %s\n", line)
	}
}

func (s *Score) writeKilled(w io.Writer) {
	fmt.Fprintln(w, "  killed")
	for _, m := range s.Mutants {
		if m.Outcome != Killed {
			continue
		}
		how := ""
		if m.Exhaustive {
			how = ", exhaustive"
		}
		fmt.Fprintf(w, "    %-40s %s (%d%s)\n", m.Mutant, m.Failure.Finding.Kind, m.Executions, how)
	}
}
