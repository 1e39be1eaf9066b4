package explore

import (
	"fmt"
	"strings"

	"stealproof/cmd/stealproof/internal/console"
	"stealproof/cmd/stealproof/internal/report"
	"stealproof/ref"
)

func list(con *console.Console) {
	note(&con.Report)
	for _, d := range ref.Designs() {
		con.Print("%s (%s): %s\n", d.Name, d.Kind, d.Source)
		for _, s := range d.Settings {
			values := strings.Join(s.Values, "|")
			if len(s.Values) == 0 {
				values = fmt.Sprintf("%d..%d", s.Min, s.Max)
			}
			con.Print("  %s=%s (default %s)\n      %s\n", s.Name, values, s.Default, s.Doc)
		}
		con.Print("  orders=ACCESS.ORDER+... gives accesses another order on --memory ptx, rc11 and tso: weak, relaxed, acquire, release, acq_rel or sc (a weak fence is none):\n")
		for i := range d.Sites {
			con.Print("      %s\n", d.SiteSlug(i))
		}
		con.Print("  defect=NAME plants one of\n")
		for _, df := range d.Defects {
			con.Print("      %-24s %s\n", df.Name, df.Doc)
		}
	}
	fmt.Fprint(con.Out, strategyList)
}

// note puts the structures into the report, an item for each.
func note(to *report.Report) {
	type setting struct {
		Name    string   `json:"name"`
		Default string   `json:"default"`
		Doc     string   `json:"doc"`
		Values  []string `json:"values,omitempty"`
		Min     int      `json:"min,omitempty"`
		Max     int      `json:"max,omitempty"`
	}
	type defect struct {
		Name string `json:"name"`
		Doc  string `json:"doc"`
	}
	for _, d := range ref.Designs() {
		settings, defects, accesses := []setting{}, []defect{}, []string{}
		for _, s := range d.Settings {
			settings = append(settings, setting{s.Name, s.Default, s.Doc, s.Values, s.Min, s.Max})
		}
		for _, df := range d.Defects {
			defects = append(defects, defect{df.Name, df.Doc})
		}
		for i := range d.Sites {
			accesses = append(accesses, d.SiteSlug(i))
		}
		to.Add(report.Item{Name: d.Name, Verdict: report.Holds, Details: map[string]any{
			"model": d.Kind.String(), "source": d.Source, "settings": settings, "defects": defects, "accesses": accesses}})
	}
}

const strategyList = `
strategies, given as in --strategy pct:depth=2
  mix          takes turns between random, pct and round-robin: the default
  random       every choice is a throw of dice
  pct          priorities that change at random accesses
                 depth=1..100 (default 3): how many ordering constraints a defect may need
                 steps=N: length of an execution (default: measured)
  round-robin  one process after the other, but for a few preemptions
                 preemptions=0..1000 (default 2)
                 steps=N: length of an execution (default: measured)
  directed     a process sleeps just before an access while the others run
                 process=P (default 1): who sleeps
                 at=LOCATION#N: before its N-th access to a location, as in at=head#2
                 until=same (default): until the location holds again what the process saw there,
                       writes-N: until it has changed N times, others: until all others are done
                 after=N (default 0): the process begins when the others have made N accesses
  bytes        a byte per choice, for fuzzers
                 hex=BYTES: the bytes, as in hex=00ff01
  choices      a list of processes, as in choices:0*5,1/2,0*2: the form that cases are saved in
`
