package monitor

import (
	"os"
	"strconv"
	"testing"

	"stealproof/linearize/internal/testkit"
	"stealproof/model"
)

// TestExhaustiveBounded does as TestExhaustive with room for one value, or one
// or two indices, and operations that found it full. Nothing may be undecided
// of queues and bags. Of the longest, all are compared only for make large.
func TestExhaustiveBounded(t *testing.T) {
	for _, k := range []model.Kind{model.FIFO, model.Bag, model.Range} {
		t.Run(k.String(), func(t *testing.T) {
			t.Parallel()
			most := 4
			if testing.Short() || k == model.Range {
				most = 3
			}
			letters := alphabet(k)
			full := model.Operation{Op: k.Ops()[0], Result: model.Full, Value: model.NoValue}
			if k == model.Range {
				full.Value, full.To = 9, 10
			}
			e := enumeration{T: t, kind: k, letters: append(letters, full), comparison: newComparison(), capacity: 1}
			if k == model.Range {
				e.capacity = 2
			}
			for n := 1; n <= most; n++ {
				e.every = 1
				if n >= 3 {
					e.every = testkit.Amount(testing.Short(), 11, 5, 1)
				}
				switch {
				case n > 3:
					e.levels = 1 // all tie, or never came back
				case n == 3 && k == model.Range:
					e.levels = 1
				default:
					e.levels = 2
				}
				e.extend(make([]model.Operation, 0, n), n, 0, 0)
			}
			t.Logf("%d histories: %v", e.count, e.comparison)
			if k != model.Range && e.comparison.verdicts[model.Undecided] > 0 {
				t.Fatal("undecided")
			}
		})
	}
}

// TestExhaustive compares the monitors with porcupine on every history of a
// few operations, up to the names of processes and the order of the lines; of
// those of three operations with every seventh, but for make large.
// For one operation more, which takes minutes, and for range hours:
//
//	STEALPROOF_EXHAUSTIVE=4 go test -run 'TestExhaustive/(fifo|wsdeque|bag)' -timeout 0 ./linearize/internal/monitor
func TestExhaustive(t *testing.T) {
	most := 3
	if testing.Short() {
		most = 2
	}
	if text := os.Getenv("STEALPROOF_EXHAUSTIVE"); text != "" {
		most, _ = strconv.Atoi(text)
	}
	for _, k := range model.Kinds {
		t.Run(k.String(), func(t *testing.T) {
			t.Parallel()
			e := enumeration{T: t, kind: k, letters: alphabet(k), comparison: newComparison()}
			for n := 1; n <= most; n++ {
				e.levels, e.every = uint64(n+1), 1
				if n >= 3 && os.Getenv("STEALPROOF_EXHAUSTIVE") == "" {
					e.every = testkit.Amount(testing.Short(), 7, 7, 1)
				}
				if n >= 3 {
					e.levels = 3
				}
				if n >= 3 && k == model.Range && os.Getenv("STEALPROOF_EXHAUSTIVE") == "" {
					e.levels = 2
				}
				e.extend(make([]model.Operation, 0, n), n, 0, 0)
			}
			t.Logf("%d histories: %v", e.count, e.comparison)
		})
	}
}

// alphabet lists what an operation may be. A put without a value gets the
// next one.
func alphabet(k model.Kind) []model.Operation {
	ops := k.Ops()
	put, removals := ops[0], ops[1:]
	letters := []model.Operation{{Op: put, Result: model.OK}, {Op: put, Result: model.Unknown}}
	values := []model.Operation{{Value: 0}, {Value: 1}}
	if k == model.Range {
		values = []model.Operation{{Value: 10, To: 11}, {Value: 11, To: 12}, {Value: 10, To: 12}, {Value: 9, To: 10}}
		letters = nil
		for _, v := range []model.Operation{{Value: 10, To: 12}, {Value: 9, To: 10}, {Value: 20, To: 21}} {
			letters = append(letters, model.Operation{Op: put, Result: model.OK, Value: v.Value, To: v.To})
		}
		letters = append(letters, model.Operation{Op: put, Result: model.Unknown, Value: 8, To: 9})
	}
	for _, op := range removals {
		for _, v := range values {
			letters = append(letters, model.Operation{Op: op, Result: model.OK, Value: v.Value, To: v.To, Size: 2})
		}
		letters = append(letters,
			model.Operation{Op: op, Result: model.Empty},
			model.Operation{Op: op, Result: model.Unknown, Size: 2})
	}
	return letters
}

type enumeration struct {
	*testing.T
	kind       model.Kind
	letters    []model.Operation
	levels     uint64
	capacity   uint64
	count      int
	every      int // one of so many is compared
	comparison *comparison
}

// extend tries every next operation: its interval is none before that of the
// last, and its process is one that is there or the first that is not.
func (e *enumeration) extend(ops []model.Operation, n int, processes uint32, last uint64) {
	if len(ops) == n {
		e.check(ops)
		return
	}
	puts := uint64(0)
	for i := range ops {
		if ops[i].Op.Puts() {
			puts++
		}
	}
	for interval := last; interval < e.levels*(e.levels+1); interval++ {
		call, ret := interval/(e.levels+1), interval%(e.levels+1)
		if ret == e.levels {
			ret = model.Never
		}
		if ret < call {
			continue
		}
		for p := uint32(0); p <= processes; p++ {
			for _, o := range e.letters {
				o.Call, o.Return, o.Process = call, ret, p
				if o.Op.Puts() && o.Result != model.Full && e.kind != model.Range {
					o.Value = puts
				}
				if o.Result == model.Unknown && ret != model.Never {
					continue
				}
				e.extend(append(ops, o), n, max(processes, p+1), interval)
			}
		}
	}
}

func (e *enumeration) check(ops []model.Operation) {
	h := &model.History{Kind: e.kind, Params: model.Params{Capacity: e.capacity}, Ops: ops}
	if h.Validate() != nil {
		return
	}
	if e.count++; e.count%e.every != 0 {
		return
	}
	if msg := e.comparison.compare(h); msg != "" {
		e.Fatalf("%s\n%s", msg, testkit.Describe(h))
	}
}
