package draw

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"stealproof/linearize"
	"stealproof/linearize/draw/page/pagetest"
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
		Latencies: []Latency{
			{"enq", "ok", 1, 10, 10, 10, 10, []Bucket{{8, 15, 1}}},
			{"enq", "full", 1, 10, 10, 10, 10, []Bucket{{8, 15, 1}}},
			{"deq", "ok", 1, 35, 35, 35, 35, []Bucket{{32, 63, 1}}},
			{"deq", "empty", 1, 1, 1, 1, 1, []Bucket{{1, 1, 1}}},
			{"deq", "abort", 1, 0, 0, 0, 0, []Bucket{{0, 0, 1}}},
		},
		Concurrency: []Level{{0, 0, 0}, {1, 1, 15.0 / 40}, {2, 2, 24.0 / 40}, {3, 3, 1.0 / 40}},
		Unit:        "ns",
	}, s)
	var text bytes.Buffer
	s.Print(&text)
	require.Contains(t, text.String(), "  longest      deq ok 1 of process 1, line 4: 35 ns\n")
	require.Contains(t, text.String(), "150.00 million operations/s")
}

func TestStatisticsOfNothing(t *testing.T) {
	require.Equal(t, &Statistics{Counts: []Count{}, Unit: "ticks"}, Describe(&model.History{Kind: model.FIFO}))
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

// Half of the times are not above the median, and so on; the buckets have all of them.
func TestLatenciesAgainstCounting(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	for range 200 {
		h := &model.History{Kind: model.FIFO}
		n := 1 + rng.IntN(300)
		for range n {
			h.Ops = append(h.Ops, model.Operation{Op: model.Deq, Result: model.Empty, Call: 5, Return: 5 + rng.Uint64N(1<<rng.IntN(40))})
		}
		l := Describe(h).Latencies[0]
		for _, q := range []struct {
			percent int
			at      uint64
		}{{50, l.Median}, {90, l.P90}, {99, l.P99}, {100, l.Longest}} {
			within, below := 0, 0
			for _, o := range h.Ops {
				if o.Return-o.Call <= q.at {
					within++
				}
				if o.Return-o.Call < q.at {
					below++
				}
			}
			require.GreaterOrEqual(t, within*100, q.percent*n)
			require.Less(t, below*100, q.percent*n, "the least that so many do not exceed")
		}
		sum := 0
		for _, b := range l.Buckets {
			for _, o := range h.Ops {
				if took := o.Return - o.Call; b.From <= took && took <= b.To {
					sum++
				}
			}
		}
		require.Equal(t, n, sum, "every one is in one bucket")
		require.Equal(t, l.Buckets, together([]Latency{l}))
	}
}

// The shares of the time are what one finds by asking at every moment.
func TestLevelsAgainstCounting(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 4))
	for range 200 {
		h := &model.History{Kind: model.FIFO}
		for range 1 + rng.IntN(40) {
			call := rng.Uint64N(60)
			h.Ops = append(h.Ops, model.Operation{Op: model.Deq, Result: model.Empty, Call: call, Return: call + rng.Uint64N(30)})
			if rng.IntN(8) == 0 {
				o := &h.Ops[len(h.Ops)-1]
				o.Result, o.Return = model.Unknown, model.Never
			}
		}
		s := Describe(h)
		sum := 0.0
		for _, l := range s.Concurrency {
			moments := 0
			for at := s.First; at < s.Last; at++ {
				n := 0
				for _, o := range h.Ops {
					if o.Call <= at && at < o.Return {
						n++
					}
				}
				if l.From <= n && n <= l.To {
					moments++
				}
			}
			require.InDelta(t, float64(moments)/float64(max(1, s.Last-s.First)), l.Share, 1e-9)
			sum += l.Share
		}
		if s.Last > s.First {
			require.InDelta(t, 1, sum, 1e-9)
		}
		require.LessOrEqual(t, len(s.Concurrency), mostLevels)
	}
}

func TestCharts(t *testing.T) {
	var p Page
	p.AddStatistics(Describe(busyFIFO(100, 4)), Origin{File: "a.jsonl"})
	var text bytes.Buffer
	require.NoError(t, p.Write(&text))
	page := pagetest.Parse(t, text.String())
	require.Equal(t, 4, page.Classes["chart"], "results, concurrency, and the latencies of enq and deq")
	require.Contains(t, text.String(), "<h1>Statistics of a.jsonl</h1>")
	require.Contains(t, text.String(), "How long deq ok took")
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
