package format

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"stealproof/model"
)

// capturedHistory is as a GPU writes it: many deques of an owner and three
// thieves, each process's operations in a row.
func capturedHistory(n int) *model.History {
	const each = 512
	h := &model.History{Kind: model.WSDeque, Ops: make([]model.Operation, n)}
	for i := range h.Ops {
		lane, k := i/each, uint64(i%each)
		o := model.Operation{Object: uint32(lane / 4 % 256), Process: uint32(lane % 4), Op: model.Push, Result: model.OK, Value: uint64(i)}
		o.Call = 100*k + uint64(lane/1024)*100*each
		o.Return = o.Call + 60
		if lane%4 > 0 {
			o.Op, o.Result, o.Value = model.Steal, model.Empty, model.NoValue
		}
		h.Ops[i] = o
	}
	return h
}

func BenchmarkReadBinary(b *testing.B) {
	const n = 10_000_000
	path := filepath.Join(b.TempDir(), "bench.sph")
	require.NoError(b, WriteFile(path, capturedHistory(n)))
	b.SetBytes(n * sphRecord)
	b.ResetTimer()
	for b.Loop() {
		b.StopTimer()
		runtime.GC() // the history before is garbage that a program would not have
		b.StartTimer()
		h, err := ReadFile(b.Context(), path, Options{Memory: 1 << 40})
		if err != nil || len(h.Ops) != n {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "ops/s")
}

func BenchmarkValidate(b *testing.B) {
	h := capturedHistory(10_000_000)
	b.ResetTimer()
	for b.Loop() {
		if h.Validate() != nil {
			b.Fatal("not valid")
		}
	}
	b.ReportMetric(float64(len(h.Ops))*float64(b.N)/b.Elapsed().Seconds(), "ops/s")
}

func BenchmarkBinarySum(b *testing.B) {
	data := bytes.Repeat([]byte("abcdefgh"), 20_000) // in the cache
	b.SetBytes(int64(len(data)))
	var s sphSum
	for b.Loop() {
		s.add(data)
	}
}

func BenchmarkWriteBinary(b *testing.B) {
	h := capturedHistory(1_000_000)
	f, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	require.NoError(b, err)
	defer f.Close()
	b.SetBytes(int64(len(h.Ops)) * sphRecord)
	for b.Loop() {
		require.NoError(b, writeBinary(f, h))
	}
}
