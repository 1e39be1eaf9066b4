package draw

import (
	"fmt"
	"io"
	"strings"

	"stealproof/linearize/internal/wording"
)

// Print writes the statistics for people.
func (s *Statistics) Print(w io.Writer) {
	fmt.Fprintf(w, "  operations   %d by %s on %s\n", s.Operations, wording.Counted(s.Processes, "process"), wording.Counted(s.Objects, "object"))
	for _, c := range s.Counts {
		printBar(w, c.Op+" "+c.Result, fmt.Sprint(c.Count), share(c.Count, s.Operations))
	}
	fmt.Fprintf(w, "  removals     %.1f%% found nothing, %.1f%% aborted\n", 100*s.Empties, 100*s.Aborts)
	fmt.Fprintf(w, "  puts         %.1f%% found no room\n", 100*s.Fulls)
	if s.Pending > 0 {
		fmt.Fprintf(w, "  pending      %d never came back\n", s.Pending)
	}
	fmt.Fprintf(w, "  time         %s, %s %s\n", s.spanText(), rateText(s.Rate), s.RateUnit)
	if s.Longest != nil {
		where := ""
		if s.Longest.Line > 0 {
			where = fmt.Sprintf(", line %d", s.Longest.Line)
		}
		fmt.Fprintf(w, "  longest      %s of process %d%s: %d %s\n", s.Longest.What, s.Longest.Process, where, s.Longest.Duration, s.Unit)
	}
	s.printLatencies(w)
	fmt.Fprintf(w, "  concurrency  %.1f on average, at most %d; share of the time with so many under way:\n", s.MeanConcurrency, s.MaxConcurrency)
	for _, l := range s.Concurrency {
		printBar(w, rangeText(uint64(l.From), uint64(l.To)), "", l.Share)
	}
}

// spanText is from when to when the history goes. Stamps that nobody can read count
// from the first.
func (s *Statistics) spanText() string {
	if zero := wording.ZeroOf(s.First, s.Last); zero > 0 {
		return fmt.Sprintf("0 to %d from stamp %d on", s.Last-zero, zero)
	}
	return fmt.Sprintf("%d to %d", s.First, s.Last)
}

func (s *Statistics) printLatencies(w io.Writer) {
	if len(s.Latencies) == 0 {
		return
	}
	fmt.Fprintf(w, "  latency           %10s %10s %10s %10s\n", "median", "p90", "p99", "longest")
	n := 0
	for _, l := range s.Latencies {
		fmt.Fprintf(w, "    %-15s %10d %10d %10d %10d %s\n", l.Op+" "+l.Result, l.Median, l.P90, l.P99, l.Longest, s.Unit)
		n += l.Count
	}
	for _, b := range together(s.Latencies) {
		printBar(w, rangeText(b.From, b.To), fmt.Sprint(b.Count), share(b.Count, n))
	}
}

// barLength is that of a bar for everything.
const barLength = 32

// printBar prints a line with a share of something as a bar.
func printBar(w io.Writer, what, number string, part float64) {
	bar := strings.Repeat("█", int(part*barLength))
	if rest := part*barLength - float64(int(part*barLength)); rest > 0 {
		bar += string([]rune("▏▎▍▌▋▊▉█")[int(rest*8)])
	}
	fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("    %-18s %10s %6.1f%%  %s", what, number, 100*part, bar), " "))
}

func rangeText(from, to uint64) string {
	if from == to {
		return fmt.Sprint(from)
	}
	return fmt.Sprintf("%d to %d", from, to)
}
