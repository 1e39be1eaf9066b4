package testkit

import "stealproof/model"

// Hard is a history that the general search cannot decide in any time: n
// concurrent puts into a queue, and removals in an order that fits but for
// the last two.
func Hard(n int) *model.History {
	h := &model.History{Kind: model.FIFO}
	for i := range n {
		h.Ops = append(h.Ops,
			model.Operation{Op: model.Enq, Result: model.OK, Value: uint64(i), Process: uint32(i), Call: 1, Return: 1000},
			model.Operation{Op: model.Deq, Result: model.OK, Value: uint64(i), Process: uint32(n + i), Call: 2000, Return: 3000})
	}
	last := uint32(2 * n)
	h.Ops = append(h.Ops,
		model.Operation{Op: model.Enq, Result: model.OK, Value: 1001, Process: last, Call: 4000, Return: 4001},
		model.Operation{Op: model.Enq, Result: model.OK, Value: 1002, Process: last, Call: 4002, Return: 4003},
		model.Operation{Op: model.Deq, Result: model.OK, Value: 1002, Process: last, Call: 4004, Return: 4005},
		model.Operation{Op: model.Deq, Result: model.OK, Value: 1001, Process: last, Call: 4006, Return: 4007})
	return h
}
