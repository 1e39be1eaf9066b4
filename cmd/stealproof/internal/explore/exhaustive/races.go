package exhaustive

import (
	"fmt"
	"slices"

	"stealproof/cmd/stealproof/internal/console"
	"stealproof/cmd/stealproof/internal/report"
	"stealproof/cmd/stealproof/internal/words"
	"stealproof/fuzz/exhaust"
	"stealproof/ref"
)

// races are the data races that a search meets, by the lines that make them, with the
// first execution in which each was met.
type races struct{ first map[string]string }

// watch lets a search look for races, if they are asked for.
func (f *Flags) watch(x *exhaust.Search) *races {
	r := &races{first: map[string]string{}}
	if f.races {
		x.Races = true
		x.Each = r.note
	}
	return r
}

func (r *races) note(e *ref.Execution) {
	for _, race := range e.Races {
		a, b := eventAt(e, race.Earlier), eventAt(e, race.Later)
		if line(e, b) < line(e, a) {
			a, b = b, a
		}
		key := line(e, a) + " and " + line(e, b)
		if r.first[key] == "" {
			r.first[key] = fmt.Sprintf("%s at %s, steps %d of %s and %d of %s of\n%sschedule: choices:%s",
				key, e.Setup.Space.Name(a.Location), a.Step, e.Setup.ThreadName(a.Process), b.Step, e.Setup.ThreadName(b.Process), e.Setup.Program, e.Choices())
		}
	}
}

func eventAt(e *ref.Execution, step int) *ref.Event {
	i := slices.IndexFunc(e.Trace, func(ev ref.Event) bool { return ev.Step == step && !ev.Silent })
	return &e.Trace[i]
}

// line is an access as it stands in the text.
func line(e *ref.Execution, ev *ref.Event) string {
	site := ""
	if sites := e.Setup.Config.Design.Sites; int(ev.Access.Site) < len(sites) {
		site = " \"" + sites[ev.Access.Site] + "\""
	}
	return fmt.Sprintf("the %s %s%s", ev.Access.Order, ev.Kind, site)
}

// print names the races, and says whether there are any.
func (r *races) print(con *console.Console) bool {
	keys := make([]string, 0, len(r.first))
	for key := range r.first {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		con.Print("data race: %s\n", r.first[key])
		con.Report.Find(report.Finding{Kind: "data-race", Message: r.first[key], Site: key})
	}
	if len(keys) > 0 {
		con.Print("%s\n", words.Plural(len(keys), "data race"))
	}
	return len(keys) > 0
}
