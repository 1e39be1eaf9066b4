package trace

import "stealproof/ref"

// relation is what an arrow says.
type relation string

const (
	readsFrom relation = "reads"      // the value comes from there
	missed    relation = "missed"     // this write was newer, and was not read
	overtook  relation = "overtook"   // it took effect before this write, made earlier
	overwrote relation = "overwrites" // it took the place of what another process wrote
)

// arrow leads from one access to another; from 0 is what was there at the start.
type arrow struct {
	relation
	from, to int // steps
}

// findArrows finds who read from whom: among those that are shown, and of two processes
// unless something was not in order.
func (d *drawing) findArrows() {
	last := map[ref.Location]*ref.Event{} // the write before, in the order of the steps
	weak := d.Execution.Setup.Weak()
	for _, ev := range d.events {
		if ev.Kind == ref.Fence {
			continue
		}
		source := d.source(ev, last)
		if source != nil && ev.Kind != ref.Store && (source.Process != ev.Process || ev.Missed > 0 || source.Step > ev.Step) {
			d.add(readsFrom, source.Step, ev.Step)
		}
		if ev.Missed > 0 {
			d.add(missed, ev.Missed, ev.Step)
		}
		if ev.Overtaken > 0 {
			d.add(overtook, ev.Step, ev.Overtaken)
		}
		if !ev.Writes() {
			continue
		}
		if before := last[ev.Location]; !weak && before != nil && before.Process != ev.Process && ev.Kind == ref.Store {
			d.add(overwrote, ev.Step, before.Step)
		}
		last[ev.Location] = ev
	}
}

// source is the write that an access read from, nil if it read what was there at the
// start. On a sequentially consistent memory that is the last one.
func (d *drawing) source(ev *ref.Event, last map[ref.Location]*ref.Event) *ref.Event {
	switch {
	case !d.Execution.Setup.Weak():
		return last[ev.Location]
	case ev.Source == 0 || ev.Source > len(d.events):
		return nil
	}
	return d.events[ev.Source-1]
}

// add adds an arrow between two accesses that are shown.
func (d *drawing) add(r relation, from, to int) {
	_, is := d.at[from]
	if _, too := d.at[to]; is && too {
		d.arrows = append(d.arrows, arrow{r, from, to})
	}
}
