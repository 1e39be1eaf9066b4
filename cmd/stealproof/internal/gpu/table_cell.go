package gpu

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"stealproof/gpu"
	"stealproof/linearize"
	"stealproof/model"
)

// tableCell is what was seen of one structure under one kind of stress.
type tableCell struct {
	kind   model.Kind
	enough int

	launches, operations, objects int
	violating, undecided, hangs   int
	taken                         int // values that reached somebody, see reached
	dropped                       uint64
	elapsed, first                time.Duration // on the device; until the first violation
	held, trapped                 bool          // a kernel did not end, or was ended by the device
	failed                        string
}

// decideWithin bounds the decision of a launch: one that is not near-linear would
// hold up the table.
const decideWithin = 10 * time.Second

// measure launches until the time is up or enough was seen, and decides each
// launch while the next one runs.
func (c *tableCell) measure(whole context.Context, share time.Duration, r launcher, o gpu.Options, f *tableFlags) {
	ctx, cancel := context.WithTimeout(whole, share)
	defer cancel()
	launches := make(chan *gpu.Launch)
	failed := make(chan error, 1)
	go func() {
		defer close(launches)
		failed <- launchAll(ctx, r, f, launches)
	}()
	for l := range launches {
		c.take(whole, l, o)
		if c.violating >= c.enough || c.hangs >= 3 || c.failed != "" {
			cancel()
		}
	}
	if err := <-failed; err != nil {
		c.failed = err.Error()
	}
}

// launchAll launches at least once.
func launchAll(ctx context.Context, r launcher, f *tableFlags, launches chan<- *gpu.Launch) error {
	for i := range f.launches {
		if i > 0 && ctx.Err() != nil {
			return nil
		}
		// not ctx: a launch that began is let finish
		l, err := r.Launch(context.WithoutCancel(ctx), f.seed+uint64(i))
		if err != nil {
			return err
		}
		launches <- l
		if l.Partial || l.Trap != "" {
			return nil
		}
	}
	return nil
}

func (c *tableCell) take(ctx context.Context, l *gpu.Launch, o gpu.Options) {
	before := c.elapsed
	c.launches++
	c.operations += l.Operations
	c.objects += o.Objects
	c.elapsed += l.Elapsed
	c.dropped += l.Dropped
	if l.Hang != "" {
		c.hangs++
	}
	if l.Trap != "" {
		c.failed, c.trapped = "trap: "+l.Trap, true
		return
	}
	if l.Partial {
		c.held = true
		return
	}
	if l.Dropped > 0 || l.History == nil || len(l.History.Ops) == 0 {
		c.undecided += o.Objects
		return
	}
	report := linearize.Check(ctx, l.History, linearize.Options{Timeout: decideWithin})
	if report.Invalid != nil {
		c.failed = cmp.Or(c.failed, noHistory(l, report.Invalid).Error())
		c.undecided += o.Objects
		return
	}
	c.taken += reached(l.History)
	c.undecided += len(report.Undecided)
	if c.violating == 0 && len(report.Violations) > 0 {
		c.first = before + timeToFirst(l.History, report)
	}
	violating := map[uint32]bool{}
	for i := range report.Violations {
		violating[report.Violations[i].Object] = true
	}
	c.violating += len(violating)
}

// reached counts the values that reached another process than their owner, or
// anybody where there is no owner: without any, nothing was tested.
func reached(h *model.History) int {
	n := 0
	for i := range h.Ops {
		o := &h.Ops[i]
		if o.TakesOut() && (o.Op == model.Steal || h.Kind != model.WSDeque && (h.Kind != model.Range || h.Params.Shared)) {
			n++
		}
	}
	return n
}

// timeToFirst is how long after the first call of a launch its first violation
// was complete.
func timeToFirst(h *model.History, r *linearize.Report) time.Duration {
	start, first := h.Ops[0].Call, uint64(model.Never)
	for i := range h.Ops {
		start = min(start, h.Ops[i].Call)
	}
	for i := range r.Violations {
		complete := uint64(0)
		for _, op := range r.Violations[i].Ops {
			if o := &h.Ops[op]; o.Return != model.Never {
				complete = max(complete, o.Return)
			} else {
				complete = max(complete, o.Call)
			}
		}
		first = min(first, complete)
	}
	return time.Duration(max(first, start) - start)
}

func (c tableCell) verdict() model.Verdict {
	switch {
	case c.violating > 0:
		return model.Violation
	case c.failed != "" && c.launches == 0:
		return model.NotRun
	case c.failed != "" || c.undecided > 0 || c.hangs > 0:
		return model.Undecided
	}
	return model.Linearizable
}

// String is the text of the cell.
func (c tableCell) String() string {
	if c.launches == 0 {
		return "not run: " + strings.ReplaceAll(c.failed, "|", "/")
	}
	parts := []string{"not observed in " + millions(c.operations)}
	if c.violating > 0 {
		parts = []string{fmt.Sprintf("**%d of %d**", c.violating, c.objects), perMillion(c.violating, c.operations) + " per million", short(c.first)}
	}
	if c.taken == 0 && !c.held && !c.trapped {
		what := "nothing came out"
		if c.kind == model.WSDeque || c.kind == model.Range {
			what = "nothing was stolen"
		}
		parts = append(parts, what)
	}
	if c.undecided > 0 {
		parts = append(parts, fmt.Sprintf("%d undecided", c.undecided))
	}
	if c.dropped > 0 {
		parts = append(parts, fmt.Sprintf("%d operations without room", c.dropped))
	}
	if c.hangs > 0 {
		parts = append(parts, fmt.Sprintf("hang in %d of %d launches", c.hangs, c.launches))
	}
	if c.failed != "" {
		parts = append(parts, strings.ReplaceAll(c.failed, "|", "/"))
	}
	return strings.Join(parts, "; ")
}

func millions(n int) string {
	switch m := float64(n) / 1e6; {
	case m >= 10:
		return fmt.Sprintf("%.0f million", m)
	case m >= 1:
		return fmt.Sprintf("%.1f million", m)
	}
	return fmt.Sprint(n)
}

func perMillion(n, operations int) string {
	rate := 1e6 * float64(n) / float64(operations)
	if rate >= 100 {
		return fmt.Sprintf("%.0f", rate)
	}
	return fmt.Sprintf("%.2g", rate)
}

// short is a duration with three digits.
func short(d time.Duration) string {
	unit := time.Duration(1)
	for d/unit >= 1000 {
		unit *= 10
	}
	return d.Round(unit).String()
}
