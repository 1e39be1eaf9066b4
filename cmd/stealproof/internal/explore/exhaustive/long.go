package exhaustive

import (
	"context"
	"fmt"
	"time"

	"stealproof/cmd/stealproof/internal/console"
	"stealproof/cmd/stealproof/internal/words"
	"stealproof/fuzz/exhaust"
)

// longSearch is the number of executions from which on a search must be wanted:
// some ten minutes on two cores.
const longSearch = 50_000_000

// weakSlower is how many times longer an execution takes on a weak memory.
const weakSlower = 5

// announce estimates a search, and asks before a long one. Where nobody can be
// asked it does not begin. One of limited time is neither asked about nor estimated,
// which would take of that.
func (f *Flags) announce(ctx context.Context, con *console.Console, x *exhaust.Search, limit time.Duration) (exhaust.Estimate, bool, error) {
	limited := x.Limit > 0 || f.yes
	if limit > 0 || f.resume != "" || limited && !con.Attended() {
		return exhaust.Estimate{}, true, nil
	}
	e, err := x.EstimateAll(ctx, 1)
	long := float64(longSearch)
	if x.Subject.Weak() {
		long /= weakSlower
	}
	if err != nil || x.Limit > 0 || e.Executions < long {
		return e, true, err
	}
	text := fmt.Sprintf("about %s executions, some %s", words.Roughly(e.Executions), words.RoughTime(e.Time(x.Workers())))
	switch {
	case f.yes:
		fmt.Fprintln(con.Err, text)
		return e, true, nil
	case con.Attended() && con.Asked(text+": go on? [y/N] "):
		return e, true, nil
	}
	con.SayLimit("%s: --yes to go on (--checkpoint FILE keeps what is left where it is interrupted)", text)
	return e, false, nil
}
