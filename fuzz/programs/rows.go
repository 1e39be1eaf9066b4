package programs

import (
	"slices"

	"stealproof/model"
)

// rows lists what a process may do with n operations.
func (g *allPrograms) rows(id, n int) [][]model.Call {
	switch g.kind() {
	case model.FIFO:
		return sequences(plain(model.Enq, model.Deq), n)
	case model.Bag:
		return cutIntoPhases(sequences(plain(model.Put, model.Take), n), g.bounds.Phases)
	case model.Range:
		return sequences(g.rangeCalls(id), n)
	}
	if id == 0 {
		return sequences(plain(model.Push, model.Pop), n)
	}
	return sequences(plain(model.Steal), n)
}

func plain(ops ...model.Op) []model.Call {
	var calls []model.Call
	for _, op := range ops {
		calls = append(calls, model.Call{Op: op, Value: model.NoValue})
	}
	return calls
}

func (g *allPrograms) rangeCalls(id int) []model.Call {
	ops := []model.Op{model.Push, model.Pop}
	if id > 0 && g.owned() {
		ops = []model.Op{model.Steal}
	}
	var calls []model.Call
	for _, op := range ops {
		for size := 1; size <= g.bounds.Size; size++ {
			calls = append(calls, model.Call{Op: op, Value: model.NoValue, Size: uint64(size)})
		}
	}
	return calls
}

// placed gives every push its interval, right below that of the push before it,
// or returns nil if they do not fit into the indices of the structure.
func (g *allPrograms) placed(calls [][]model.Call) [][]model.Call {
	low, high := g.config.Indices()
	at := min(low+lowestFirst, high)
	var all [][]model.Call
	for _, row := range calls {
		row = slices.Clone(row)
		for i := range row {
			c := &row[i]
			if c.Op != model.Push {
				continue
			}
			if at < low+c.Size {
				return nil
			}
			c.To, c.Value, c.Size = at, at-c.Size, 0
			at = c.Value
		}
		all = append(all, row)
	}
	return all
}

// sequences lists all rows of n calls.
func sequences(calls []model.Call, n int) [][]model.Call {
	rows := [][]model.Call{nil}
	for range n {
		var longer [][]model.Call
		for _, row := range rows {
			for _, c := range calls {
				longer = append(longer, append(slices.Clone(row), c))
			}
		}
		rows = longer
		if len(rows) > maxSequences {
			break
		}
	}
	return rows
}

// cutIntoPhases puts the ends of so many phases into every row, at all places.
func cutIntoPhases(rows [][]model.Call, phases int) [][]model.Call {
	end := model.Call{Op: model.Phase, Value: model.NoValue}
	for range phases - 1 {
		var cut [][]model.Call
		for _, row := range rows {
			from := 0 // behind the ends that are there
			for i, c := range row {
				if c.Op == model.Phase {
					from = i + 1
				}
			}
			for i := from; i <= len(row); i++ {
				cut = append(cut, slices.Insert(slices.Clone(row), i, end))
			}
		}
		rows = cut
		if len(rows) > maxSequences {
			break
		}
	}
	return rows
}
