package monitor

import (
	"fmt"
	"slices"

	"stealproof/linearize/internal/finding"
	"stealproof/model"
)

// A push that found the range full says that what it brings did not fit: with a
// declared capacity, that the high end was above some index. Steals move that
// end down, so it says that the first steal which leaves less came later, and
// with it all after that one. These are further least places for the steals;
// what is then the least solution respects every full, and no merge that does
// has a steal earlier. So chains decides as before.

// keptForFulls copies what solve overwrites.
func (r *rangeCase) keptForFulls() (empties []uint64, vacant []uint32) {
	if !r.refused {
		return nil, nil
	}
	return slices.Clone(r.empties), slices.Clone(r.vacant)
}

// solveWithFulls moves steals behind the pushes that they would have made room
// for, and solves the merge again.
func (r *rangeCase) solveWithFulls(empties []uint64, vacant []uint32) *finding.Finding {
	r.empties, r.vacant = empties, vacant
	if op := r.respectFulls(); op != absent {
		return r.neverRefused(fmt.Sprintf("push [%d,%d) was refused, and it would have fitted", r.ops[op].Value, r.ops[op].To))
	}
	if !r.moveSteals() || r.solve() != nil {
		return r.neverRefused(fmt.Sprintf("no order of these operations leaves too little room, with a capacity of %d, for what was refused", r.history.Params.Capacity))
	}
	return nil
}

// respectFulls raises what the steals are ready for. It returns a push that fits
// whatever the steals did.
func (r *rangeCase) respectFulls() uint32 {
	run, low, steal := -1, uint64(0), 0
	for i, op := range r.own {
		o := &r.ops[op]
		switch {
		case o.PutsIn():
			low = o.Value
			if run+1 < len(r.runs) && r.own[r.pushes[r.runs[run+1].first].own-1] == op {
				run++
				for steal < len(r.steals) && r.runAt(steal) < run {
					steal++
				}
			}
		case o.TakesOut():
			low = o.To
		case o.Result == model.Full && o.Value != model.NoValue && o.Len() <= r.history.Params.Capacity:
			most := low // the high end was above this
			if o.To == low {
				most = low + r.history.Params.Capacity - o.Len()
			}
			if run < 0 || r.runs[run].top <= most {
				return op
			}
			if j := r.firstDownTo(run, steal, most); j < len(r.ready) {
				r.ready[j] = max(r.ready[j], uint32(i)+1)
			}
		}
	}
	return absent
}

// runAt is the run that a steal took from.
func (r *rangeCase) runAt(steal int) int {
	end := r.ops[r.steals[steal]].To
	at := r.runOf(end, 0)
	if r.byIndex != nil {
		return int(r.byIndex[at])
	}
	return at
}

// firstDownTo is the first steal of a run, from a given one on, that left the
// high end at most there; behind all if none did.
func (r *rangeCase) firstDownTo(run, first int, most uint64) int {
	if r.runs[run].floor > most {
		return len(r.ready)
	}
	low, high := first, first
	for high < len(r.floors) && r.runAt(high) == run && r.floors[high] > most {
		low = high + 1
		high = low + (low - first)
	}
	high = min(high, len(r.floors)-1)
	for low < high {
		if mid := (low + high) / 2; r.runAt(mid) == run && r.floors[mid] > most {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// moveSteals computes the least places anew, and says whether all are possible.
func (r *rangeCase) moveSteals() bool {
	var w window
	for j, op := range r.steals {
		o := &r.ops[op]
		r.at[j] = max(r.at[j], r.ready[j])
		if j > 0 {
			r.at[j] = max(r.at[j], r.at[j-1])
		}
		r.look(op, r.Of(o.Call), r.Of(o.Return), &w)
		if r.at[j] > uint32(w.to) {
			return false
		}
	}
	return true
}

// neverRefused is the violation of all that claims anything, since all that was
// inside counts.
func (r *rangeCase) neverRefused(text string) *finding.Finding {
	set := slices.Clone(r.lostOps)
	for i := range r.ops {
		if o := &r.ops[i]; o.Result != model.Abort && o.Result != model.Unknown || o.PutsIn() {
			set = append(set, uint32(i))
		}
	}
	out := confirm(r.history, finding.FalseFull, text, set, len(r.lostOps) == 0)
	return &out
}
