package draw

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"stealproof/linearize"
	"stealproof/linearize/draw/page/pagetest"
	"stealproof/model"
)

// drawn is the page about the first violation of a history.
func drawn(t *testing.T, h *model.History) string {
	t.Helper()
	r := linearize.Check(context.Background(), h, linearize.Options{})
	require.Equal(t, model.Violation, r.Verdict)
	return written(t, h, r, Origin{})
}

// written is the page about a history of which something was decided.
func written(t *testing.T, h *model.History, r *linearize.Report, from Origin) string {
	t.Helper()
	var p Page
	p.Add(h, r, from)
	var text bytes.Buffer
	require.NoError(t, p.Write(&text))
	pagetest.Parse(t, text.String())
	return text.String()
}

// busyViolation is a queue of eight processes in which one value overtakes
// another.
func busyViolation(n int) *model.History {
	h := busyFIFO(n, 8)
	for i := range h.Ops {
		h.Ops[i].Line = uint32(i + 2)
		h.Ops[i].Call += uint64(i % 5)
		h.Ops[i].Return -= uint64(i % 7)
	}
	// two removals that certainly come one after the other change their values
	a, b := &h.Ops[n-24], &h.Ops[n-8]
	a.Value, b.Value = b.Value, a.Value
	a.Call, a.Result = a.Return, model.OK
	h.Clock = model.Clock{Source: "globaltimer", Unit: "ns", Resolution: 32}
	return h
}

func violationWithPending(t *testing.T) *model.History {
	return history(t, model.WSDeque,
		`{"process":0,"op":"push","result":"ok","value":17,"call":120,"return":131}`,
		`{"process":0,"op":"push","result":"ok","value":18,"call":131,"return":131}`,
		`{"process":0,"op":"pop","result":"ok","value":18,"call":131,"return":150}`,
		`{"process":2,"op":"steal","result":"ok","value":17,"call":125,"return":160}`,
		`{"process":4,"op":"steal","call":128}`,
		`{"process":3,"op":"steal","result":"ok","value":17,"call":140,"return":171}`)
}

func TestTimelineIsWholeAndMarked(t *testing.T) {
	text := drawn(t, violationWithPending(t))
	require.Contains(t, text, "value 17 left twice")
	p := pagetest.Parse(t, text)
	require.Equal(t, 3, p.Classes["bar marked"]-1, "three, and one in the legend")
	require.Equal(t, 1, p.Classes["bar pending"]-1)
	require.Equal(t, 3, strings.Count(text, `data-mark=""`))
	require.Contains(t, text, ">never came back<")
}

// No two bars of a row may lie over one another, and labels must fit.
func TestTimelineLeavesRoom(t *testing.T) {
	for name, h := range map[string]*model.History{"pending": violationWithPending(t), "busy": busyViolation(2000)} {
		r := linearize.Check(context.Background(), h, linearize.Options{})
		require.Equal(t, model.Violation, r.Verdict, name)
		line := newTimeline(h, r.Violations[0], Origin{})
		line.layOut()
		require.LessOrEqual(t, len(line.bars), timelineBars)
		for i, b := range line.bars {
			require.GreaterOrEqual(t, b.end-b.x, b.breadth(), "%s: %s", name, b.label)
			require.LessOrEqual(t, b.end, line.width)
			for _, c := range line.bars[:i] {
				require.False(t, b.row == c.row && b.x < c.end && c.x < b.end, "%s: %s over %s", name, b.label, c.label)
			}
			for _, c := range line.bars { // time goes from left to right
				if b.op.Precedes(&c.op) {
					require.Less(t, b.end, c.x, "%s before %s", b.label, c.label)
				} else if b.row != c.row && !c.op.Precedes(&b.op) {
					require.True(t, b.x <= c.end && c.x <= b.end, "%s: %s beside %s", name, b.label, c.label)
				}
			}
		}
	}
}

// Names of processes are as long as numbers of 32 bits may be.
func TestTimelineHasRoomForNames(t *testing.T) {
	h := violationWithPending(t)
	for i := range h.Ops {
		h.Ops[i].Process += 4_000_000_000
	}
	page := drawn(t, h)
	require.Contains(t, page, `<text class="name" x="156"`, "18 letters of 8 pixels end there, behind 12 pixels")
}

func TestTimelineOfManyContradictions(t *testing.T) {
	h := busyViolation(4000)
	v := linearize.Violation{Kind: linearize.Other, Explanation: "<script>alert(1)</script>", Ops: make([]int, 3000)}
	for i := range v.Ops {
		v.Ops[i] = i
	}
	page := written(t, h, &linearize.Report{Verdict: model.Violation, Violations: []linearize.Violation{v}}, Origin{})
	require.Equal(t, timelineBars, strings.Count(page, `<a href="#row1.`))
	require.Contains(t, page, "2600 more operations belong to the violation and are not drawn")
	require.NotContains(t, page, "<script>alert")
	require.Less(t, len(page), 400_000)
}

// What matters is seen without scrolling: the marked processes on top, and
// little to the left of the marked operations, whenever the others began.
func TestTimelineBeginsWithWhatMatters(t *testing.T) {
	h := busyViolation(2000)
	r := linearize.Check(context.Background(), h, linearize.Options{})
	require.Equal(t, model.Violation, r.Verdict)
	line := newTimeline(h, r.Violations[0], Origin{})
	line.layOut()
	lowest, leftmost, pale := 0, line.width, line.width
	for _, b := range line.bars {
		if b.marked {
			lowest, leftmost = max(lowest, b.row), min(leftmost, b.x)
		}
	}
	processes, earlier := map[uint32]bool{}, 0
	for _, b := range line.bars {
		if b.marked {
			processes[b.op.Process] = true
		} else if b.op.Call < line.first {
			earlier++
			pale = min(pale, b.x)
		}
	}
	require.Equal(t, len(processes)-1, lowest)
	require.Greater(t, earlier, 1, "otherwise this tests nothing")
	require.Less(t, pale, leftmost)
	require.Less(t, leftmost, 300)

	page := written(t, h, r, Origin{File: "a <b>.sph", Records: true})
	require.Contains(t, page, ">earlier<")
	require.Contains(t, page, "is cut off there")
	require.Contains(t, page, `on object 0 of a &lt;b&gt;.sph</h1>`)
	require.Contains(t, page, `<th class="number">record</th>`)
	require.Contains(t, page, "(record ")
}

// Around every marked operation stand those nearest to it, and it is said how many do not.
func TestNeighboursOfEveryMarkedOperation(t *testing.T) {
	h := &model.History{Kind: model.FIFO}
	for i := range 3000 { // a crowd around each of three moments
		call := uint64(i%3)*100_000 + uint64(i)
		h.Ops = append(h.Ops, model.Operation{Op: model.Deq, Result: model.Empty, Process: uint32(i), Call: call, Return: call + 5000, Line: uint32(i + 2)})
	}
	marked := []int{1500, 1501, 1502}
	near, others, outside := nearby(h, 0, marked, h.Ops[1500].Call, h.Ops[1502].Return)
	require.Less(t, len(near), others)
	require.Zero(t, outside)
	around := map[int]int{}
	for _, i := range near {
		require.NotContains(t, marked, i)
		around[i%3]++
	}
	require.Equal(t, map[int]int{0: len(near) / 3, 1: len(near) / 3, 2: len(near) / 3}, around)

	v := linearize.Violation{Kind: linearize.FalseEmpty, Ops: marked}
	page := written(t, h, &linearize.Report{Verdict: model.Violation, Violations: []linearize.Violation{v}}, Origin{})
	require.Contains(t, page, fmt.Sprintf("Of %d other operations that were under way on the same object meanwhile, %d are drawn", others, len(near)))
	require.Contains(t, page, "data-gap=", "nothing happens between the crowds")
}

// In whatever order they are looked at, the nearest of all are kept.
func TestNearestAgainstSorting(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 8))
	for range 200 {
		h := &model.History{}
		for range 1 + rng.IntN(200) {
			call := rng.Uint64N(1000)
			h.Ops = append(h.Ops, model.Operation{Call: call, Return: call + rng.Uint64N(300)})
		}
		n := nearest{call: 400, back: 400 + rng.Uint64N(100), room: 1 + rng.IntN(30)}
		seen := map[int]bool{}
		var all []neighbour
		for i := range scattered(len(h.Ops)) {
			o := &h.Ops[i]
			n.offer(i, o)
			require.False(t, seen[i])
			seen[i] = true
			between := max(int(n.call)-int(o.Return), int(o.Call)-int(n.back), 0)
			all = append(all, neighbour{i, uint64(between), uint64(max(int(o.Call)-400, 400-int(o.Call)))})
		}
		require.Len(t, seen, len(h.Ops))
		slices.SortFunc(all, compareNeighbours)
		require.Equal(t, all[:min(len(all), n.room)], n.all)
	}
}

// A stamp of nineteen digits says nothing: times are counted from the first.
func TestLongStamps(t *testing.T) {
	const zero = 1_763_800_000_000_000_000
	h := violationWithPending(t)
	for i := range h.Ops {
		h.Ops[i].Call += zero
		if !h.Ops[i].Pending() {
			h.Ops[i].Return += zero
		}
	}
	r := linearize.Check(context.Background(), h, linearize.Options{})
	require.Equal(t, "value 17 left twice: process 2 stole it in [5,40], process 3 stole it in [20,51]; process 0 pushed it once, in [0,11] (times are counted from stamp 1763800000000000120)", r.Violations[0].Explanation)
	page := written(t, h, r, Origin{})
	require.Contains(t, page, "<title>process 0 pushed 17 in [0,11] (line 2)</title>")
	require.Contains(t, page, `<td class="number">5</td><td class="number">40</td><td class="number">1763800000000000125</td><td class="number">1763800000000000160</td>`)
	require.Contains(t, page, "counted from stamp 1763800000000000120 of the file")
	require.NotContains(t, page, "[17638")
}

// The first and the last moments that there are can be drawn as well.
func TestExtremeStamps(t *testing.T) {
	h := &model.History{Kind: model.FIFO, Ops: []model.Operation{
		{Process: 0, Op: model.Deq, Result: model.OK, Value: 7, Call: 0, Return: model.Never - 1},
		{Process: 1, Op: model.Deq, Result: model.OK, Value: 7, Call: model.Never - 2, Return: model.Never - 1},
		{Process: 2, Op: model.Enq, Result: model.OK, Value: 7, Call: 0, Return: 0},
		{Process: 3, Op: model.Enq, Result: model.Unknown, Value: 8, Call: model.Never - 1, Return: model.Never},
	}}
	require.Contains(t, drawn(t, h), fmt.Sprintf(`data-at="%d"`, uint64(model.Never-1)))
	var text bytes.Buffer
	Describe(h).Print(&text)
	require.Contains(t, text.String(), "18446744073709551614")
}

func TestAllViolationsAreDrawn(t *testing.T) {
	one := violationWithPending(t)
	h := one.With(nil)
	for object := range uint32(mostPictures + 3) {
		for _, o := range one.Ops {
			o.Object = object
			h.Ops = append(h.Ops, o)
		}
	}
	r := linearize.Check(context.Background(), h, linearize.Options{})
	require.Len(t, r.Violations, mostPictures+3)
	page := written(t, h, r, Origin{File: "many.jsonl"})
	require.Equal(t, mostPictures, strings.Count(page, `<div class="picture timeline"`))
	require.Contains(t, page, "<h1>Violation (duplicate) on object 0 of many.jsonl, and 26 more</h1>")
	require.Contains(t, page, "3 more are not drawn")
	require.Equal(t, 1, pagetest.Parse(t, page).Links["#part7"])
}

// A history that holds is drawn as it is, and of a large one the densest part.
func TestHistoriesThatHold(t *testing.T) {
	small, large := busyFIFO(20, 2), busyFIFO(20_000, 1000)
	for i := range 50 { // nothing else happens then
		large.Ops = append(large.Ops, model.Operation{Op: model.Deq, Result: model.Empty, Process: 5000 + uint32(i), Call: 1_000_000, Return: 1_000_010})
	}
	for h, bars := range map[*model.History]int{small: 20, large: timelineBars} {
		r := linearize.Check(context.Background(), h, linearize.Options{})
		require.Equal(t, model.Linearizable, r.Verdict)
		page := written(t, h, r, Origin{File: "good.jsonl"})
		p := pagetest.Parse(t, page)
		require.Equal(t, bars+1, p.Classes["bar"]+max(0, p.Classes["bar idle"]-1))
		require.Contains(t, page, "<h1>Linearizable: good.jsonl</h1>")
		require.Equal(t, bars < len(h.Ops), strings.Contains(page, "400 are drawn: those nearest to the moment at which most were under way"))
		require.Less(t, len(page), 500_000)
	}
	page := written(t, small, &linearize.Report{Verdict: model.Linearizable, Operations: 20}, Origin{})
	for turn := range 20 { // each has a number, and it is the only one with it
		require.Equal(t, 1, strings.Count(page, fmt.Sprintf(">%d. ", turn+1)), "%d", turn+1)
	}
	r := &linearize.Report{Verdict: model.Undecided, Undecided: []linearize.Reason{{Object: 0, Msg: "the time limit was met"}}}
	require.Contains(t, written(t, small, r, Origin{}), "undecided: the time limit was met")
}

func TestPictureAlone(t *testing.T) {
	h := violationWithPending(t)
	r := linearize.Check(context.Background(), h, linearize.Options{})
	var svg bytes.Buffer
	require.NoError(t, WriteSVG(&svg, h, r.Violations[0], Origin{}))
	pagetest.WellFormed(t, svg.String())
	require.Equal(t, 3, strings.Count(svg.String(), `class="bar marked"`))
	require.NotContains(t, svg.String(), "href=")
}
