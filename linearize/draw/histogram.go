package draw

import (
	"math/bits"
	"slices"

	"stealproof/model"
)

// Latency is how long the operations of a name and result took, of those that came back.
type Latency struct {
	Op     string `json:"op"`
	Result string `json:"result"`
	Count  int    `json:"count"`
	// Median, P90 and P99 are times that so many did not exceed; Longest is that of all.
	Median  uint64   `json:"median"`
	P90     uint64   `json:"p90"`
	P99     uint64   `json:"p99"`
	Longest uint64   `json:"longest"`
	Buckets []Bucket `json:"buckets"`
}

// Bucket is how many took at least From and at most To. Each is twice as wide as the
// one before.
type Bucket struct {
	From  uint64 `json:"from"`
	To    uint64 `json:"to"`
	Count int    `json:"count"`
}

// Level is the share of the time in which at least From and at most To operations were
// under way.
type Level struct {
	From  int     `json:"from"`
	To    int     `json:"to"`
	Share float64 `json:"share"`
}

// latencies are in the order of the counts.
func latencies(h *model.History, counts []Count) []Latency {
	var took [model.Phase][model.Abort + 1][]uint64
	for i := range h.Ops {
		if o := &h.Ops[i]; !o.Pending() {
			took[o.Op][o.Result] = append(took[o.Op][o.Result], o.Return-o.Call)
		}
	}
	var all []Latency
	for _, c := range counts {
		for op := range took {
			for result, times := range took[op] {
				if len(times) > 0 && model.Op(op).String() == c.Op && model.Result(result).String() == c.Result {
					slices.Sort(times)
					all = append(all, latency(c, times))
				}
			}
		}
	}
	return all
}

// latency describes times that are sorted.
func latency(c Count, times []uint64) Latency {
	n := len(times)
	not := func(percent int) uint64 { return times[min(n-1, (n*percent+99)/100-1)] }
	return Latency{Op: c.Op, Result: c.Result, Count: n, Median: not(50), P90: not(90), P99: not(99), Longest: times[n-1], Buckets: bucketsOf(times)}
}

func bucketsOf(times []uint64) []Bucket {
	low, high := bits.Len64(times[0]), bits.Len64(times[len(times)-1])
	buckets := make([]Bucket, high-low+1)
	for k := range buckets {
		buckets[k].From, buckets[k].To = widthOf(low + k)
	}
	for _, t := range times {
		buckets[bits.Len64(t)-low].Count++
	}
	return buckets
}

// widthOf are the numbers of so many bits.
func widthOf(length int) (from, to uint64) {
	if length == 0 {
		return 0, 0
	}
	return 1 << (length - 1), 1<<length - 1
}

// together are the latencies of all operations in one histogram.
func together(all []Latency) []Bucket {
	sums := map[uint64]Bucket{}
	for _, l := range all {
		for _, b := range l.Buckets {
			b.Count += sums[b.From].Count
			sums[b.From] = b
		}
	}
	if len(sums) == 0 {
		return nil
	}
	least, most := bits.Len64(model.Never), 0
	for from := range sums {
		least, most = min(least, bits.Len64(from)), max(most, bits.Len64(from))
	}
	var buckets []Bucket
	for length := least; length <= most; length++ {
		from, to := widthOf(length)
		buckets = append(buckets, Bucket{from, to, sums[from].Count})
	}
	return buckets
}

// mostLevels bounds the levels of concurrency that are told apart.
const mostLevels = 16

// concurrency sweeps over the calls and returns, returns first where they tie; an
// operation that took no time counts while it is looked at.
func concurrency(h *model.History, first, last uint64) (most int, levels []Level) {
	var calls, returns []uint64
	instants := 0
	for i := range h.Ops {
		if o := &h.Ops[i]; o.Return == o.Call {
			instants = 1
		} else {
			calls, returns = append(calls, o.Call), append(returns, o.Return)
		}
	}
	slices.Sort(calls)
	slices.Sort(returns)
	spent := []uint64{0} // how long so many were under way
	at, back := first, 0
	for k := 0; k < len(calls) || back < len(returns); {
		if back < len(returns) && (k == len(calls) || returns[back] <= calls[k]) {
			back++
			spent[k-back+1] += min(returns[back-1], last) - at // what never came back is under way to the end
			at = min(returns[back-1], last)
			continue
		}
		spent[k-back] += calls[k] - at
		at = calls[k]
		k++
		if k-back == len(spent) {
			spent = append(spent, 0)
		}
	}
	spent[0] += last - at
	return max(len(spent)-1, instants), levelsOf(spent, last-first)
}

// levelsOf puts what is too many to be read apart together.
func levelsOf(spent []uint64, span uint64) (levels []Level) {
	if span == 0 {
		return nil
	}
	width := (len(spent) + mostLevels - 1) / mostLevels
	for from := 0; from < len(spent); from += width {
		l := Level{From: from, To: min(from+width, len(spent)) - 1}
		for _, t := range spent[l.From : l.To+1] {
			l.Share += float64(t) / float64(span)
		}
		levels = append(levels, l)
	}
	return levels
}
