package linearize

import (
	"testing"

	"stealproof/linearize/internal/testkit"
	"stealproof/model"
)

// longHistory has n operations of a deque's owner and three thieves.
func longHistory(n int) *model.History {
	h := &model.History{Kind: model.WSDeque}
	for i := range n {
		o := model.Operation{Op: model.Push, Result: model.OK, Value: uint64(i), Call: uint64(1000 + 10*i), Return: uint64(1009 + 10*i)}
		if i%2 == 1 {
			o.Op, o.Value, o.Process = model.Steal, uint64(i-1), uint32(1+i%3)
		}
		h.Ops = append(h.Ops, o)
	}
	return h
}

func BenchmarkCheckSmall(b *testing.B) {
	r := testkit.NewTiny(model.WSDeque, 1)
	var all []*model.History
	for len(all) < 100 {
		if h := r.Next(8); len(h.Ops) == 8 && CheckSmall(h) {
			all = append(all, h)
		}
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		CheckSmall(all[i%len(all)])
	}
}

// BenchmarkCheckFIFO is a queue of four processes, each twice in a row putting
// in and taking out.
func BenchmarkCheckFIFO(b *testing.B) {
	h := busyFIFO(200, 4)
	b.ReportAllocs()
	for b.Loop() {
		CheckSmall(h)
	}
}

// busyFIFO is legal: n operations of p processes that always overlap.
func busyFIFO(n, p int) *model.History {
	h := &model.History{Kind: model.FIFO}
	for i := range n {
		call := uint64(10 * (i - i%p))
		o := model.Operation{Op: model.Enq, Result: model.OK, Value: uint64(i), Process: uint32(i % p), Call: call + 1, Return: call + uint64(10*p) - 1}
		if (i/p)%2 == 1 {
			o.Op, o.Value = model.Deq, uint64(i-p)
		}
		h.Ops = append(h.Ops, o)
	}
	return h
}
