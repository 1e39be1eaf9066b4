package draw

import (
	"fmt"

	"stealproof/linearize/draw/page"
	"stealproof/linearize/internal/wording"
)

// charts are statistics as a part of a page. Each is a table with a bar in every row, so
// that it can be read aloud, copied and printed.
type charts struct {
	s    *Statistics
	from Origin
}

func (c *charts) heading() string { return c.from.of("Statistics") }

func (c *charts) write(w *page.Writer, _ int) {
	s := c.s
	w.Print("<p class=\"sentence\">%s by %s on %s, in time %s (%s): %s %s, %s under way on average, at most %d.</p>\n",
		wording.Counted(s.Operations, "operation"), wording.Counted(s.Processes, "process"), wording.Counted(s.Objects, "object"),
		s.spanText(), s.Unit, rateText(s.Rate), s.RateUnit, fmt.Sprintf("%.1f", s.MeanConcurrency), s.MaxConcurrency)
	w.Print("<p class=\"note\">Of the removals %s found nothing and %s aborted; of the puts %s found no room; %d operations never came back.</p>\n",
		percent(s.Empties), percent(s.Aborts), percent(s.Fulls), s.Pending)
	w.Print("<div class=\"charts\">\n")
	results := chart{title: "What operations said", what: "result", number: "operations"}
	for _, k := range s.Counts {
		results.add(k.Op+" "+k.Result, share(k.Count, s.Operations), fmt.Sprint(k.Count))
	}
	results.write(w)
	levels := chart{title: "How many were under way", what: "operations"}
	for _, l := range s.Concurrency {
		levels.add(rangeText(uint64(l.From), uint64(l.To)), l.Share, "")
	}
	levels.write(w)
	for _, l := range s.Latencies {
		c := chart{title: fmt.Sprintf("How long %s %s took", l.Op, l.Result), what: s.Unit, number: "operations",
			note: fmt.Sprintf("median %d, 90%% within %d, 99%% within %d, longest %d %s", l.Median, l.P90, l.P99, l.Longest, s.Unit)}
		for _, b := range l.Buckets {
			c.add(rangeText(b.From, b.To), share(b.Count, l.Count), fmt.Sprint(b.Count))
		}
		c.write(w)
	}
	w.Print("</div>\n")
}

// chart is one table with bars.
type chart struct {
	title, note, what string
	number            string // what the last column counts, if there is one
	rows              []chartRow
}

type chartRow struct {
	what   string
	share  float64
	number string
}

func (c *chart) add(what string, share float64, number string) {
	c.rows = append(c.rows, chartRow{what, share, number})
}

const chartWidth = 220 // of a bar, in pixels

func (c *chart) write(w *page.Writer) {
	if len(c.rows) == 0 {
		return
	}
	w.Print("<div class=\"chart\">\n<h3>%s</h3>\n", c.title)
	if c.note != "" {
		w.Print("<p class=\"note\">%s</p>\n", c.note)
	}
	w.Print("<table>\n<tr><th class=\"number\">%s</th><th></th><th class=\"number\">share</th>", c.what)
	if c.number != "" {
		w.Print("<th class=\"number\">%s</th>", c.number)
	}
	w.Print("</tr>\n")
	most := 0.0
	for _, r := range c.rows {
		most = max(most, r.share)
	}
	for _, r := range c.rows {
		length := 0
		if r.share > 0 {
			length = max(1, int(r.share/most*chartWidth))
		}
		w.Print("<tr><td class=\"number\">%s</td><td><svg width=\"%d\" height=\"12\" aria-hidden=\"true\"><rect class=\"share\" width=\"%d\" height=\"12\"/></svg></td><td class=\"number\">%s</td>",
			r.what, chartWidth, length, percent(r.share))
		if c.number != "" {
			w.Print("<td class=\"number\">%s</td>", r.number)
		}
		w.Print("</tr>\n")
	}
	w.Print("</table>\n</div>\n")
}

func percent(share float64) string { return fmt.Sprintf("%.1f%%", 100*share) }
