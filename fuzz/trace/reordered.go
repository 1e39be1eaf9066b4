package trace

import (
	"fmt"
	"slices"

	"stealproof/model"
	"stealproof/ref"
)

// Reordered says in words what took effect out of order in an execution on a
// weak memory: which two accesses of which process. It looks at the operations
// that matter, or at all if nothing is found there.
func Reordered(e *ref.Execution, matter []model.Operation) []string {
	if !e.Setup.Weak() {
		return nil
	}
	r := reordering{execution: e}
	for i := range e.Trace {
		if !e.Trace[i].Silent {
			r.events = append(r.events, &e.Trace[i])
		}
	}
	sentences := r.later()
	if len(sentences) == 0 {
		sentences = r.all(func(ev *ref.Event) bool { return inOperations(e.Setup, matter, ev) })
	}
	if len(sentences) == 0 {
		sentences = r.all(func(*ref.Event) bool { return true })
	}
	return sentences[:min(len(sentences), mostSentences)]
}

const mostSentences = 3

func inOperations(setup *ref.Setup, ops []model.Operation, ev *ref.Event) bool {
	process, _ := setup.ProcessOf(ev.Process)
	return slices.ContainsFunc(ops, func(o model.Operation) bool {
		return int(o.Process) == process && int(o.Call) <= ev.Step && ev.Step <= int(o.Return)
	})
}

// reordering has the events that are steps, in their order.
type reordering struct {
	execution *ref.Execution
	events    []*ref.Event
}

func (r *reordering) all(wanted func(*ref.Event) bool) []string {
	var sentences []string
	for _, ev := range r.events {
		if !wanted(ev) {
			continue
		}
		if ev.Overtaken > 0 {
			sentences = append(sentences, fmt.Sprintf("%s took effect before %s, which was made earlier", r.name(ev), r.name(r.at(ev.Overtaken))))
		}
		if ev.Missed > 0 {
			sentences = append(sentences, r.stale(ev))
		}
	}
	return sentences
}

// later says which reads read what was written only later: load buffering. That explains
// whatever else there is.
func (r *reordering) later() []string {
	var sentences []string
	for _, ev := range r.events {
		if ev.Source > ev.Step {
			sentences = append(sentences, fmt.Sprintf("%s took effect after %s, which comes later, and read what that wrote (load buffering)", r.name(ev), r.name(r.at(ev.Source))))
		}
	}
	return sentences
}

func (r *reordering) at(step int) *ref.Event { return r.events[step-1] }

// stale explains a read that missed a write.
func (r *reordering) stale(ev *ref.Event) string {
	missed := r.firstMissed(ev)
	if earlier := r.sawLater(ev, missed); earlier != nil {
		source := r.at(earlier.Source)
		if source.Process == missed.Process && r.acquired(earlier, ev) {
			return fmt.Sprintf("%s took effect before %s, its earlier one: %s saw the one and not the other",
				r.name(source), r.short(missed), r.name(ev))
		}
		return fmt.Sprintf("%s took effect before %s, its earlier one: that saw step %d already, this missed step %d, which was made before",
			r.name(ev), r.short(earlier), source.Step, missed.Step)
	}
	if a, b := r.crossed(ev, missed); a != nil {
		return r.crossing(crossing{own: a, load: ev, store: missed, theirs: b})
	}
	if store := r.ownStore(ev); store != nil && !r.fullFence(store, ev) {
		return fmt.Sprintf("%s took effect before %s, its earlier one: it missed step %d of %s", r.name(ev), r.short(store), missed.Step, r.who(missed))
	}
	return fmt.Sprintf("%s missed step %d of %s, which was made before: nothing orders the two", r.name(ev), missed.Step, r.who(missed))
}

// firstMissed is the first write to the location since the one that was read.
func (r *reordering) firstMissed(ev *ref.Event) *ref.Event {
	for _, w := range r.events[ev.Source:ev.Missed] {
		if w.Location == ev.Location && w.Writes() {
			return w
		}
	}
	return r.at(ev.Missed)
}

// sawLater is the last earlier read of the process, of another location, that
// saw a write of somebody else made after the one that was missed.
func (r *reordering) sawLater(ev, missed *ref.Event) *ref.Event {
	for i := ev.Step - 2; i >= 0; i-- {
		a := r.events[i]
		if a.Process == ev.Process && a.Kind != ref.Fence && a.Location != ev.Location && a.Source > missed.Step && r.at(a.Source).Process != ev.Process {
			return a
		}
	}
	return nil
}

// acquired says whether the process kept the order between two of its reads.
func (r *reordering) acquired(a, b *ref.Event) bool {
	if a.Access.Order == ref.Acquire || a.Access.Order == ref.AcqRel {
		return true
	}
	between := false
	for i := range r.execution.Trace {
		ev := &r.execution.Trace[i]
		if ev.Process != a.Process {
			continue
		}
		if ev.Step == b.Step && !ev.Silent {
			return false
		}
		between = between || ev.Step == a.Step && !ev.Silent
		if between && ev.Kind == ref.Fence {
			return true
		}
	}
	return false
}

// ownStore is the last store of the process before a read, if it stands in the
// same operation.
func (r *reordering) ownStore(ev *ref.Event) *ref.Event {
	for i := ev.Step - 2; i >= 0; i-- {
		if a := r.events[i]; a.Process == ev.Process && a.Op == ev.Op && a.Writes() && a.Location != ev.Location {
			return a
		}
	}
	return nil
}

// name is an access in words: "the load of tail by process 1 (step 29)".
func (r *reordering) name(ev *ref.Event) string {
	return fmt.Sprintf("the %s of %s by %s (step %d)", noun(ev.Kind), r.execution.Setup.Space.Name(ev.Location), r.who(ev), ev.Step)
}

func (r *reordering) who(ev *ref.Event) string { return r.execution.Setup.ThreadName(ev.Process) }

func (r *reordering) short(ev *ref.Event) string {
	return fmt.Sprintf("its %s of %s (step %d)", noun(ev.Kind), r.execution.Setup.Space.Name(ev.Location), ev.Step)
}

func noun(k ref.AccessKind) string {
	if k == ref.CompareAndSwap {
		return "swap"
	}
	return k.String()
}
