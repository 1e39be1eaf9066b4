package fuzz

import (
	"cmp"
	"fmt"
	"slices"

	"stealproof/model"
	"stealproof/ref"
)

// AllPrograms lists every program of a shape, up to the order of processes that
// are alike: of a deque every sequence of pushes and pops of the owner, of a
// queue every sequence of enqueues and dequeues of every process.
func AllPrograms(c *ref.Config, shape Shape) ([]model.Program, error) {
	var perProcess [][][]model.Call
	for id, n := range shape {
		var ops []model.Op
		switch {
		case c.Design.Kind == model.FIFO:
			ops = []model.Op{model.Enq, model.Deq}
		case c.Design.Kind == model.WSDeque && id == 0:
			ops = []model.Op{model.Push, model.Pop}
		case c.Design.Kind == model.WSDeque:
			ops = []model.Op{model.Steal}
		default:
			return nil, fmt.Errorf("what goes into a %s is not a matter of operations alone: give a program of your own", c.Design.Kind)
		}
		perProcess = append(perProcess, sequences(ops, n))
		if len(perProcess[id]) > maxSequences {
			return nil, fmt.Errorf("%d operations of process %d have more than %d sequences", n, id, maxSequences)
		}
	}
	var all []model.Program
	seen := map[string]bool{}
	err := combine(perProcess, nil, func(calls [][]model.Call) error {
		key := symmetric(c.Design.Kind, calls)
		if seen[key] {
			return nil
		}
		seen[key] = true
		var p model.Program
		for _, cs := range calls {
			p.Processes = append(p.Processes, model.Calls(cs...))
		}
		all = append(all, p)
		if len(all) > maxPrograms {
			return fmt.Errorf("the shape %s has more than %d programs", shape, maxPrograms)
		}
		return nil
	})
	return all, err
}

const (
	maxSequences = 1 << 16
	maxPrograms  = 1 << 16
)

// sequences lists all rows of n operations.
func sequences(ops []model.Op, n int) [][]model.Call {
	rows := [][]model.Call{nil}
	for range n {
		var longer [][]model.Call
		for _, row := range rows {
			for _, op := range ops {
				longer = append(longer, append(slices.Clone(row), model.Call{Op: op, Value: model.NoValue}))
			}
		}
		rows = longer
		if len(rows) > maxSequences {
			break
		}
	}
	return rows
}

// combine calls f with every choice of one row per process.
func combine(perProcess [][][]model.Call, chosen [][]model.Call, f func([][]model.Call) error) error {
	if len(chosen) == len(perProcess) {
		return f(chosen)
	}
	for _, row := range perProcess[len(chosen)] {
		if err := combine(perProcess, append(chosen, row), f); err != nil {
			return err
		}
	}
	return nil
}

// symmetric is the same for programs that differ only in the order of processes
// without a role of their own.
func symmetric(k model.Kind, calls [][]model.Call) string {
	rows := slices.Clone(calls)
	from := 0
	if k == model.WSDeque {
		from = 1
	}
	slices.SortFunc(rows[from:], func(a, b []model.Call) int { return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	return fmt.Sprint(rows)
}
