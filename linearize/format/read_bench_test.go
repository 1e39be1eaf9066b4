package format

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

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

func BenchmarkRead(b *testing.B) {
	const n = 200_000
	var file bytes.Buffer
	require.NoError(b, Write(&file, longHistory(n)))
	b.SetBytes(int64(file.Len()))
	for b.Loop() {
		h, err := Read(bytes.NewReader(file.Bytes()), "bench", Options{})
		if err != nil || len(h.Ops) != n {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
}

// BenchmarkScan leaves out what model.History.Validate costs.
func BenchmarkScan(b *testing.B) {
	const n = 200_000
	var file bytes.Buffer
	require.NoError(b, Write(&file, longHistory(n)))
	b.SetBytes(int64(file.Len()))
	b.ReportAllocs()
	for b.Loop() {
		p := &reader{lines: newLines(bytes.NewReader(file.Bytes())), h: &model.History{}}
		if p.header(0) != nil || p.operations() != nil || len(p.h.Ops) != n {
			b.Fatal("not read")
		}
	}
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
}
