package litmus

import (
	"context"
	"slices"
)

// Each calls yield with every execution that the model allows until it returns
// false. It returns whether bounds on loops left some out; an error if the
// context ended before all were seen.
func Each(ctx context.Context, t *Test, o Options, yield func(*Execution) bool) (bounded bool, err error) {
	cut, err := t.each(ctx, o, false, yield)
	return cut != "", err
}

// each says which bound left executions out, if one did.
func (t *Test) each(ctx context.Context, o Options, anything bool, yield func(*Execution) bool) (cut string, err error) {
	o.variables = t.observed(o.variables)
	paths := make([][]*path, len(t.Threads))
	for thread := range t.Threads {
		var why string
		if paths[thread], why = t.paths(ctx, thread, &o); cut == "" || why == cutLength {
			cut = why
		}
	}
	eachCombination(ctx, paths, !o.onlyWaiting, func(chosen []*path) bool {
		s := build(t, o.Model, chosen).search(ctx, &o, yield)
		s.anything = anything
		return s.run()
	})
	return cut, ctx.Err()
}

// eachCombination visits every choice of one path for each thread until visit
// returns false: first those that come to an end, then those in which threads
// wait for ever; only the latter if ends is false.
func eachCombination(ctx context.Context, paths [][]*path, ends bool, visit func(chosen []*path) bool) {
	chosen := make([]*path, len(paths))
	var choose func(thread int, waiting, some bool) bool
	choose = func(thread int, waiting, some bool) bool {
		if ctx.Err() != nil {
			return false
		}
		if thread == len(paths) {
			return waiting != some || visit(chosen)
		}
		for _, p := range paths[thread] {
			if p.waits && !waiting {
				continue
			}
			chosen[thread] = p
			if !choose(thread+1, waiting, some || p.waits) {
				return false
			}
		}
		return true
	}
	waits := func(p *path) bool { return p.waits }
	if (!ends || choose(0, false, false)) && slices.ContainsFunc(paths, func(of []*path) bool { return slices.ContainsFunc(of, waits) }) {
		choose(0, true, false)
	}
}

// observed lists the variables of the test, and then others.
func (t *Test) observed(others []Variable) []Variable {
	all := t.Variables()
	for _, v := range others {
		if !slices.Contains(all, v) {
			all = append(all, v)
		}
	}
	return all
}
