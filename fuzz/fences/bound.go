package fences

import (
	"context"

	"stealproof/fuzz/exhaust"
	"stealproof/fuzz/programs"
	"stealproof/model"
	"stealproof/ref"
)

// affordable is how many execution graphs of a bound every choice of orders may cost:
// fewer where those with load buffering are looked for, each of which costs more.
func affordable(s ref.Subject) float64 {
	if s.Buffers() {
		return 2_000
	}
	return 50_000
}

// Bound are the sizes of programs that an answer must hold for in every execution,
// small enough for minutes. Of a structure that is somebody else's they are those that
// have few enough executions with the orders that it has.
func Bound(ctx context.Context, s ref.Subject) ([]programs.Bounds, error) {
	if !s.Foreign() {
		if s.Buffers() {
			return bufferedBoundOfOurs(s.Design().Name), nil
		}
		return boundOfOurs(s.Design().Name), nil
	}
	var few []programs.Bounds
	for _, shape := range []programs.Shape{{2, 1}, {2, 2}, {2, 1, 1}} {
		all, err := programs.All(s, programs.Bounds{Shape: shape})
		if err != nil {
			return nil, err
		}
		e, err := (&exhaust.Search{Subject: s.Unbuffered(), Programs: all}).EstimateAll(ctx, 1)
		if err != nil {
			return nil, err
		}
		if e.Executions <= affordable(s) {
			few = append(few, programs.Bounds{Shape: shape})
		}
	}
	if len(few) > 1 {
		few = few[1:] // the smallest is among the others
	}
	return few, nil
}

func boundOfOurs(name string) []programs.Bounds {
	switch name {
	case "abp":
		return []programs.Bounds{{Shape: programs.Shape{5, 2}}, {Shape: programs.Shape{4, 1, 1}}}
	case "tz": // its retries have many more graphs
		return []programs.Bounds{{Shape: programs.Shape{2, 1}}}
	case "the", "list":
		return []programs.Bounds{{Shape: programs.Shape{3, 2}}, {Shape: programs.Shape{3, 1, 1}}}
	}
	return []programs.Bounds{{Shape: programs.Shape{2, 2}}, {Shape: programs.Shape{2, 1, 1}}}
}

// bufferedBoundOfOurs is the bound where executions with load buffering are made as well.
func bufferedBoundOfOurs(name string) []programs.Bounds {
	if name == "abp" {
		return []programs.Bounds{{Shape: programs.Shape{4, 2}}}
	}
	return []programs.Bounds{{Shape: programs.Shape{2, 1}}}
}

// Calls is up to how many calls an answer must hold for all clients, whatever order they
// give their operations by signals: as many as are small enough for minutes, as for Bound.
func Calls(ctx context.Context, s ref.Subject) (int, error) {
	switch {
	case s.Design().Kind == model.Bag: // whose phases order everything
		return 0, nil
	case s.Lanes() > 1: // no search of all clients is made
		return 0, nil
	case !s.Foreign():
		return map[string]int{"abp": 5, "tz": 2, "the": 3, "list": 3, "blocking": 3}[s.Design().Name], nil
	}
	for calls := 4; calls > 1; calls-- {
		all, err := programs.Clients(s, programs.Bounds{}, calls)
		if err != nil {
			return 0, err
		}
		e, err := (&exhaust.Search{Subject: s.Unbuffered(), Programs: all}).EstimateAll(ctx, 1)
		if err != nil {
			return 0, err
		}
		if e.Executions <= affordable(s) {
			return calls, nil
		}
	}
	return 1, nil
}
