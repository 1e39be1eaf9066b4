package explain

import (
	"cmp"
	"fmt"
	"slices"

	"stealproof/linearize/internal/finding"
	"stealproof/linearize/internal/timing"
	"stealproof/linearize/internal/wording"
	"stealproof/model"
)

// contradiction is what one pass over an object's operations finds: values
// that no order whatever can explain.
type contradiction struct {
	Violation *finding.Violation // the first found, by time; ops are places in the history
	// Duplicates says which value was put in more than once: no violation, but
	// nothing for a monitor.
	Duplicates string
}

// Find looks for a value that left more often than it came in, that
// never came in, or that left before it came in. It costs one look at every
// operation, or for ranges a sort.
func Find(h *model.History) contradiction { return find(h, wording.Zero) }

// zeroOf says what the times of some operations are counted from.
type zeroOf func([]model.Operation) uint64

// asTheyAre is for operations whose times are counted from what they should be.
func asTheyAre([]model.Operation) uint64 { return 0 }

func find(h *model.History, zero zeroOf) contradiction {
	if h.Kind == model.Range {
		return rangeContradictions(h, zero)
	}
	tallies := tally(h)
	var found contradiction
	var first *valueTally
	doubled, example := 0, uint64(0)
	for i := range tallies {
		t := &tallies[i]
		if t.puts > 1 {
			if doubled == 0 || t.value < example {
				example = t.value
			}
			doubled++
		}
		if t.impossible() && (first == nil || t.firstOut < first.firstOut) {
			first = t
		}
	}
	if doubled > 0 {
		found.Duplicates = fmt.Sprintf("value %d is put in more than once (%s)", example, wording.Counted(doubled, "such value"))
	}
	if first != nil {
		found.Violation = contradictionOn(h, operationsOn(h, first.value), fmt.Sprintf("value %d", first.value), zero)
	}
	return found
}

// valueTally counts what happened to one value.
type valueTally struct {
	value      uint64
	puts, outs int
	firstIn    uint64 // the earliest call of a put
	firstOut   uint64 // the earliest return of a removal
}

func (t *valueTally) impossible() bool {
	return t.outs > t.puts || t.outs > 0 && t.firstOut < t.firstIn
}

func tally(h *model.History) []valueTally {
	moving, low, high := 0, uint64(model.NoValue), uint64(0)
	for i := range h.Ops {
		if o := &h.Ops[i]; o.PutsIn() || o.TakesOut() {
			moving++
			low, high = min(low, o.Value), max(high, o.Value)
		}
	}
	slots := timing.NewNumbering(moving, low, high)
	tallies := make([]valueTally, 0, moving)
	for i := range h.Ops {
		o := &h.Ops[i]
		in, out := o.PutsIn(), o.TakesOut()
		if !in && !out {
			continue
		}
		slot := slots.Add(o.Value, uint32(len(tallies)))
		if slot == timing.Absent {
			slot = uint32(len(tallies))
			tallies = append(tallies, valueTally{value: o.Value, firstIn: model.Never, firstOut: model.Never})
		}
		t := &tallies[slot]
		if in {
			t.puts++
			t.firstIn = min(t.firstIn, o.Call)
		} else {
			t.outs++
			t.firstOut = min(t.firstOut, o.Return)
		}
	}
	return tallies
}

// operationsOn lists the places of the operations that move a value.
func operationsOn(h *model.History, v uint64) []int {
	var places []int
	for i := range h.Ops {
		if o := &h.Ops[i]; o.Value == v && (o.PutsIn() || o.TakesOut()) {
			places = append(places, i)
		}
	}
	return places
}

// contradictionOn puts into words what the operations on one thing (a value,
// or indices of a range) contradict; nil if nothing.
func contradictionOn(h *model.History, places []int, what string, zeroOf zeroOf) *finding.Violation {
	var puts, outs []*model.Operation
	slices.SortStableFunc(places, func(i, j int) int { return cmp.Compare(h.Ops[i].Call, h.Ops[j].Call) })
	ops := h.Part(places).Ops
	zero := zeroOf(ops)
	ops = wording.Shifted(ops, zero)
	for i := range ops {
		if ops[i].Op.Puts() {
			puts = append(puts, &ops[i])
		} else {
			outs = append(outs, &ops[i])
		}
	}
	v := &finding.Violation{Ops: slices.Sorted(slices.Values(places))}
	early := earlyRemoval(puts, outs)
	switch {
	case len(outs) == 0:
		return nil
	case len(puts) == 0:
		v.Kind = finding.Invented
		v.Explanation = fmt.Sprintf("%s came out%s but was never put in: %s", what, wording.Times(len(outs)), wording.List(outs))
	case len(outs) > len(puts):
		v.Kind = finding.Duplicate
		v.Explanation = fmt.Sprintf("%s left %s: %s; %s", what, wording.Often(len(outs)), wording.List(outs), wording.PutOnly(puts))
	case early != nil:
		v.Kind = finding.TooEarly
		v.Explanation = fmt.Sprintf("%s came out before it was put in: %s, and only later %s", what, wording.Sentence(early), wording.List(puts))
	default:
		return nil
	}
	v.Explanation += wording.From(zero)
	return v
}

// earlyRemoval finds a removal that comes before every put.
func earlyRemoval(puts, outs []*model.Operation) *model.Operation {
	for _, out := range outs {
		if !slices.ContainsFunc(puts, func(in *model.Operation) bool { return !before(out, in) }) {
			return out
		}
	}
	return nil
}
