package draw

import (
	"cmp"
	"fmt"

	"stealproof/linearize/internal/wording"
	"stealproof/model"
)

// Statistics describe a history, whatever its verdict.
type Statistics struct {
	Operations int `json:"operations"`
	Objects    int `json:"objects"`
	Processes  int `json:"processes"`
	// Counts are the operations by name and result, as "steal empty".
	Counts []Count `json:"counts"`
	// First and Last are the first call and the last call or return.
	First uint64 `json:"first"`
	Last  uint64 `json:"last"`
	// Rate is operations per second, or per unit of the clock where the
	// history does not say what a second is; 0 if no time went by.
	Rate     float64 `json:"rate"`
	RateUnit string  `json:"rate_unit"`
	// MeanConcurrency and MaxConcurrency are how many operations were under
	// way at a time. Of one that returned as another was called, only one was.
	MeanConcurrency float64 `json:"mean_concurrency"`
	MaxConcurrency  int     `json:"max_concurrency"`
	// Aborts and Empties are shares of the removals that came back, Fulls of
	// the puts that did.
	Aborts  float64 `json:"abort_share"`
	Empties float64 `json:"empty_share"`
	Fulls   float64 `json:"full_share"`
	// Pending operations never came back.
	Pending int      `json:"pending"`
	Longest *Longest `json:"longest,omitempty"`
	// Latencies are how long operations took, by name and result; Concurrency how
	// much of the time so many operations were under way.
	Latencies   []Latency `json:"latencies,omitempty"`
	Concurrency []Level   `json:"concurrency,omitempty"`
	// Unit is that of the clock.
	Unit string `json:"unit,omitempty"`
}

// Count is how often an operation came back with a result.
type Count struct {
	Op     string `json:"op"`
	Result string `json:"result"`
	Count  int    `json:"count"`
}

// Longest is the operation that took longest among those that came back.
type Longest struct {
	Duration uint64 `json:"duration"`
	Line     uint32 `json:"line,omitempty"`
	Process  uint32 `json:"process"`
	What     string `json:"operation"`
}

// Describe counts and measures a history.
func Describe(h *model.History) *Statistics {
	s := &Statistics{Operations: len(h.Ops), Counts: []Count{}, Unit: clockUnit(h)}
	if len(h.Ops) == 0 {
		return s
	}
	s.count(h)
	s.measure(h)
	s.Latencies = latencies(h, s.Counts)
	s.MaxConcurrency, s.Concurrency = concurrency(h, s.First, s.Last)
	return s
}

func (s *Statistics) count(h *model.History) {
	var by [model.Phase][model.Abort + 1]int
	var objects, processes numbers
	for i := range h.Ops {
		o := &h.Ops[i]
		by[o.Op][o.Result]++
		objects.add(o.Object)
		processes.add(o.Process)
		if o.Pending() {
			s.Pending++
		}
	}
	s.Objects, s.Processes = objects.n, processes.n
	removals, puts, aborts, empties, fulls := 0, 0, 0, 0, 0
	for _, op := range h.Kind.Ops() {
		for _, r := range []model.Result{model.OK, model.Full, model.Empty, model.Abort, model.Unknown} {
			n := by[op][r]
			if n == 0 {
				continue
			}
			s.Counts = append(s.Counts, Count{op.String(), r.String(), n})
			switch {
			case r == model.Unknown:
			case op.Puts():
				puts += n
			default:
				removals += n
			}
		}
		aborts += by[op][model.Abort]
		empties += by[op][model.Empty]
		fulls += by[op][model.Full]
	}
	s.Aborts, s.Empties, s.Fulls = share(aborts, removals), share(empties, removals), share(fulls, puts)
}

// numbers counts different numbers; most are small.
type numbers struct {
	n     int
	small [1 << 12]bool
	large map[uint32]bool
}

func (c *numbers) add(x uint32) {
	switch {
	case x < uint32(len(c.small)):
		if !c.small[x] {
			c.small[x] = true
			c.n++
		}
	case !c.large[x]:
		if c.large == nil {
			c.large = map[uint32]bool{}
		}
		c.large[x] = true
		c.n++
	}
}

func share(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// measure finds what time has to do with.
func (s *Statistics) measure(h *model.History) {
	s.First = model.Never
	var longest *model.Operation
	for i := range h.Ops {
		o := &h.Ops[i]
		s.First, s.Last = min(s.First, o.Call), max(s.Last, o.Call)
		if o.Pending() {
			continue
		}
		s.Last = max(s.Last, o.Return)
		if longest == nil || o.Return-o.Call > longest.Return-longest.Call {
			longest = o
		}
	}
	if longest != nil {
		s.Longest = &Longest{longest.Return - longest.Call, longest.Line, longest.Process, wording.Phrase(longest)}
	}
	perSecond := map[string]float64{"ns": 1e9, "us": 1e6, "µs": 1e6, "ms": 1e3, "s": 1}[h.Clock.Unit]
	s.RateUnit = "operations/s"
	if perSecond == 0 {
		perSecond, s.RateUnit = 1, "operations/"+cmp.Or(h.Clock.Unit, "tick")
	}
	span := float64(s.Last - s.First)
	if span == 0 {
		return
	}
	busy := 0.0
	for i := range h.Ops {
		busy += float64(min(h.Ops[i].Return, s.Last) - h.Ops[i].Call)
	}
	s.Rate = float64(len(h.Ops)) / span * perSecond
	s.MeanConcurrency = busy / span
}

func rateText(rate float64) string {
	switch {
	case rate >= 1e9:
		return fmt.Sprintf("%.2f billion", rate/1e9)
	case rate >= 1e6:
		return fmt.Sprintf("%.2f million", rate/1e6)
	case rate >= 100:
		return fmt.Sprintf("%.0f", rate)
	}
	return fmt.Sprintf("%.3g", rate)
}
