package draw

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"stealproof/linearize"
	"stealproof/model"
)

func TestStatistics(t *testing.T) {
	h := history(t, model.FIFO,
		`{"process":0,"op":"enq","result":"ok","value":1,"call":0,"return":10}`,
		`{"process":0,"op":"enq","result":"full","call":10,"return":20}`,
		`{"process":1,"op":"deq","result":"ok","value":1,"call":5,"return":40}`,
		`{"process":2,"op":"deq","result":"empty","call":5,"return":6}`,
		`{"process":2,"op":"deq","result":"abort","call":8,"return":8}`,
		`{"process":3,"op":"deq","call":30}`)
	h.Clock.Unit = "ns"
	s := Describe(h)
	require.Equal(t, &Statistics{
		Operations: 6, Objects: 1, Processes: 4, Pending: 1,
		Counts: []Count{{"enq", "ok", 1}, {"enq", "full", 1}, {"deq", "ok", 1}, {"deq", "empty", 1}, {"deq", "abort", 1}, {"deq", "unknown", 1}},
		First:  0, Last: 40, Rate: 6.0 / 40 * 1e9, RateUnit: "operations/s",
		MeanConcurrency: (10.0 + 10 + 35 + 1 + 10) / 40, MaxConcurrency: 3,
		Aborts: 1.0 / 3, Empties: 1.0 / 3, Fulls: 0.5,
		Longest: &Longest{Duration: 35, Line: 4, Process: 1, What: "deq ok 1"},
	}, s)
	var text bytes.Buffer
	s.Print(&text, "ns")
	require.Contains(t, text.String(), "  longest      deq ok 1 of process 1, line 4: 35 ns\n")
	require.Contains(t, text.String(), "150.00 million operations/s")
}

func TestStatisticsOfNothing(t *testing.T) {
	require.Equal(t, &Statistics{Counts: []Count{}}, Describe(&model.History{Kind: model.FIFO}))
}

// At most as many operations are under way as there are processes.
func TestConcurrencyAgainstCounting(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		h := &model.History{Kind: model.FIFO}
		for range 1 + rng.IntN(12) {
			call := rng.Uint64N(20)
			h.Ops = append(h.Ops, model.Operation{Op: model.Deq, Result: model.Empty, Call: call, Return: call + 1 + rng.Uint64N(6)})
		}
		most := 0
		for at := range uint64(30) {
			n := 0
			for _, o := range h.Ops {
				if o.Call <= at && at < o.Return {
					n++
				}
			}
			most = max(most, n)
		}
		require.Equal(t, most, Describe(h).MaxConcurrency)
	}
}

func TestStatisticsInTheReport(t *testing.T) {
	h := busyFIFO(10, 2)
	r := linearize.Check(context.Background(), h, linearize.Options{})
	plain, err := r.JSON("x", nil)
	require.NoError(t, err)
	require.NotContains(t, string(plain), "statistics")
	statistics := Describe(h)
	text, err := r.JSON("x", statistics)
	require.NoError(t, err)
	var back struct{ Statistics Statistics }
	require.NoError(t, json.Unmarshal(text, &back))
	require.Equal(t, *statistics, back.Statistics)
}

func TestStatisticsCountDifferentNumbers(t *testing.T) {
	h := &model.History{Kind: model.FIFO}
	for i := range uint32(10_000) {
		h.Ops = append(h.Ops, model.Operation{Op: model.Deq, Result: model.Empty, Object: i % 7 * 1_000_000, Process: i % 5000, Call: uint64(i), Return: uint64(i)})
	}
	s := Describe(h)
	require.Equal(t, 7, s.Objects)
	require.Equal(t, 5000, s.Processes)
}
