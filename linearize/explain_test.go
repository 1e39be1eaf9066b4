package linearize

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"stealproof/linearize/internal/finding"
	"stealproof/linearize/internal/testkit"
	"stealproof/model"
)

// op is a line of a history: process, op, result, value or range, call, return
// (-1 for never).
func op(process int, name, result, value string, call, back int) string {
	line := fmt.Sprintf(`{"process":%d,"op":%q`, process, name)
	if result != "" {
		line += fmt.Sprintf(`,"result":%q`, result)
	}
	if strings.HasPrefix(value, "[") {
		line += `,"size":1000000,"range":` + value
	} else if value != "" {
		line += `,"value":` + value
	}
	line += fmt.Sprintf(`,"call":%d`, call)
	if back >= 0 {
		line += fmt.Sprintf(`,"return":%d`, back)
	}
	return line + "}"
}

var explained = []struct {
	name   string
	kind   model.Kind
	params string
	ops    []string
	want   string // the kind of violation
	places []int
	text   string
}{
	{name: "stolen twice", kind: model.WSDeque, ops: []string{
		op(0, "push", "ok", "17", 120, 131), op(2, "steal", "ok", "17", 125, 160), op(3, "steal", "ok", "17", 140, 171)},
		want: finding.Duplicate, places: []int{0, 1, 2},
		text: `value 17 left twice: process 2 stole it in [125,160], process 3 stole it in [140,171]; process 0 pushed it once, in [120,131]`},
	{name: "put in twice, out three times", kind: model.Bag, ops: []string{
		op(0, "put", "ok", "4", 1, 2), op(0, "put", "ok", "4", 3, 4),
		op(1, "take", "ok", "4", 1, 9), op(2, "take", "ok", "4", 1, 9), op(3, "take", "ok", "4", 1, 9)},
		want: finding.Duplicate, places: []int{0, 1, 2, 3, 4},
		text: `value 4 left 3 times: process 1 took it in [1,9], process 2 took it in [1,9], process 3 took it in [1,9]; it was put in twice: process 0 added it in [1,2], process 0 added it in [3,4]`},
	{name: "never put in", kind: model.FIFO, ops: []string{op(1, "deq", "ok", "9", 5, 7)},
		want: finding.Invented, places: []int{0},
		text: `value 9 came out but was never put in: process 1 dequeued it in [5,7]`},
	{name: "put in too late", kind: model.FIFO, ops: []string{op(1, "deq", "ok", "9", 5, 7), op(0, "enq", "ok", "9", 8, 12)},
		want: finding.TooEarly, places: []int{0, 1},
		text: `value 9 came out before it was put in: process 1 dequeued it in [5,7], and only later process 0 enqueued it in [8,12]`},
	{name: "fifo overtaken", kind: model.FIFO, ops: []string{
		op(0, "enq", "ok", "3", 5, 10), op(0, "enq", "ok", "5", 12, 14), op(1, "deq", "ok", "5", 20, 25), op(1, "deq", "ok", "3", 30, 31)},
		want: finding.Order, places: []int{0, 1, 2, 3},
		text: `value 3 was enqueued before value 5 (enq returned at 10, enq called at 12), yet 5 left in [20,25] and 3 left only in [30,31]`},
	{name: "fifo overtaken for ever", kind: model.FIFO, ops: []string{
		op(0, "enq", "ok", "3", 5, 10), op(0, "enq", "ok", "5", 12, 14), op(1, "deq", "ok", "5", 20, 25)},
		want: finding.Order, places: []int{0, 1, 2},
		text: `value 3 was enqueued before value 5 (enq returned at 10, enq called at 12), yet 5 left in [20,25] and 3 never left`},
	{name: "deque stolen too young", kind: model.WSDeque, ops: []string{
		op(0, "push", "ok", "3", 5, 10), op(0, "push", "ok", "5", 12, 14), op(1, "steal", "ok", "5", 20, 25)},
		want: finding.Order, places: []int{0, 1, 2},
		text: `process 1 stole 5 in [20,25], but the older 3 was inside: process 0 pushed 3 in [5,10], and it never left`},
	{name: "deque popped too old", kind: model.WSDeque, ops: []string{
		op(0, "push", "ok", "3", 5, 10), op(0, "push", "ok", "5", 12, 14), op(0, "pop", "ok", "3", 20, 25), op(1, "steal", "ok", "5", 26, 27)},
		want: finding.Order, places: []int{0, 1, 2, 3},
		text: `process 0 popped 3 in [20,25], but the younger 5 was inside: process 0 pushed 5 in [12,14], and it left only in [26,27]`},
	{name: "empty with one inside", kind: model.WSDeque, ops: []string{
		op(0, "push", "ok", "7", 5, 10), op(1, "steal", "empty", "", 40, 52), op(0, "pop", "ok", "7", 60, 61)},
		want: finding.FalseEmpty, places: []int{0, 1, 2},
		text: `process 1 found the deque empty in [40,52] (steal), but value 7 was inside all that time: process 0 pushed 7 in [5,10], and it left only in [60,61]`},
	{name: "empty with two in turn inside", kind: model.Bag, ops: []string{
		op(0, "put", "ok", "1", 1, 2), op(1, "take", "empty", "", 5, 20), op(0, "put", "ok", "2", 6, 7),
		op(2, "take", "ok", "1", 10, 11), op(2, "take", "ok", "2", 22, 23)},
		want: finding.FalseEmpty, places: []int{0, 1, 2, 3, 4},
		text: `process 1 found the bag empty in [5,20] (take), but there was no moment of it without a value inside; process 0 added 1 in [1,2], and it left only in [10,11]; process 0 added 2 in [6,7], and it left only in [22,23]`},
	{name: "empty, and all left together", kind: model.Bag, ops: []string{
		op(0, "put", "ok", "1", 1, 2), op(1, "take", "empty", "", 5, 20), op(2, "take", "ok", "1", 20, 30), op(2, "take", "empty", "", 30, 31),
		op(0, "put", "ok", "5", 2, 3), op(3, "take", "ok", "5", 21, 22)},
		want: finding.FalseEmpty, places: []int{1, 4, 5},
		text: `process 1 found the bag empty in [5,20] (take), but value 5 was inside all that time: process 0 added 5 in [2,3], and it left only in [21,22]`},
	{name: "full with room", kind: model.FIFO, params: `"capacity":2`, ops: []string{
		op(0, "enq", "ok", "1", 1, 2), op(1, "enq", "full", "", 5, 20), op(0, "enq", "ok", "2", 21, 22)},
		want: finding.FalseFull, places: []int{0, 1},
		text: `process 1 found the queue full in [5,20] (enq), whose capacity is 2, but no order of the others fills it by then: process 0 enqueued 1 in [1,2], the enq of process 1 said full in [5,20]`},
	{name: "too many inside", kind: model.FIFO, params: `"capacity":1`, ops: []string{
		op(0, "enq", "ok", "1", 1, 2), op(0, "enq", "ok", "2", 5, 6)},
		want: finding.Overfull, places: []int{0, 1},
		text: `the capacity of the queue is 1, and more must have been inside at some time: process 0 enqueued 1 in [1,2], process 0 enqueued 2 in [5,6]`},
	{name: "range taken twice", kind: model.Range, ops: []string{
		op(0, "push", "ok", "[0,100]", 1, 2), op(1, "steal", "ok", "[90,100]", 3, 4), op(2, "steal", "ok", "[80,95]", 3, 5)},
		want: finding.Duplicate, places: []int{0, 1, 2},
		text: `range [90,95) left twice: process 1 stole [90,100) in [3,4], process 2 stole [80,95) in [3,5]; it was put in once: process 0 pushed [0,100) in [1,2]`},
	{name: "range never put in", kind: model.Range, ops: []string{
		op(0, "push", "ok", "[0,100]", 1, 2), op(1, "steal", "ok", "[90,101]", 3, 4)},
		want: finding.Invented, places: []int{1},
		text: `index 100 came out but was never put in: process 1 stole [90,101) in [3,4]`},
	{name: "range put in too late", kind: model.Range, ops: []string{
		op(1, "steal", "ok", "[4,8]", 1, 2), op(0, "push", "ok", "[0,8]", 3, 4), op(2, "steal", "ok", "[1,4]", 3, 9)},
		want: finding.TooEarly, places: []int{0, 1},
		text: `range [4,8) came out before it was put in: process 1 stole [4,8) in [1,2], and only later process 0 pushed [0,8) in [3,4]`},
	{name: "range taken from its middle", kind: model.Range, ops: []string{
		op(0, "push", "ok", "[0,1000000000]", 1, 2), op(1, "steal", "ok", "[500,600]", 3, 4), op(2, "steal", "abort", "", 3, 4)},
		want: finding.Order, places: []int{0, 1},
		text: `process 1 stole [500,600) in [3,4], but index 600 above it was still inside: process 0 pushed [0,1000000000) in [1,2]`},
	{name: "range found empty", kind: model.Range, ops: []string{
		op(0, "push", "ok", "[0,100]", 1, 2), op(1, "steal", "empty", "", 3, 4), op(0, "pop", "ok", "[0,1]", 5, 6)},
		want: finding.FalseEmpty, places: []int{0, 1},
		text: `process 1 found the range empty in [3,4] (steal), but range [0,100) was inside all that time: process 0 pushed [0,100) in [1,2], and it never left`},
	{name: "process order where stamps tie", kind: model.FIFO, ops: []string{
		op(0, "enq", "ok", "1", 10, 10), op(0, "deq", "empty", "", 10, 10)},
		want: finding.FalseEmpty, places: []int{0, 1},
		text: `process 0 found the queue empty in [10,10] (deq), and no order of the others leaves it empty then: process 0 enqueued 1 in [10,10], the deq of process 0 said empty in [10,10]`},
	{name: "put in too late where stamps tie", kind: model.Bag, ops: []string{
		op(0, "take", "ok", "9", 5, 6), op(0, "put", "ok", "9", 6, 7)},
		want: finding.TooEarly, places: []int{0, 1},
		text: `value 9 came out before it was put in: process 0 took it in [5,6], and only later process 0 added it in [6,7]`},
	{name: "deque popped too old where stamps tie", kind: model.WSDeque, ops: []string{
		op(0, "push", "ok", "3", 0, 0), op(0, "push", "ok", "5", 1, 3), op(0, "pop", "ok", "3", 3, 3)},
		want: finding.Order, places: []int{0, 1, 2},
		text: `process 0 popped 3 in [3,3], but the younger 5 was inside: process 0 pushed 5 in [1,3], and it never left`},
	{name: "pending put found by nobody", kind: model.FIFO, ops: []string{
		op(0, "enq", "", "1", 10, -1), op(1, "deq", "ok", "1", 11, 12), op(2, "deq", "ok", "1", 11, 12)},
		want: finding.Duplicate, places: []int{0, 1, 2},
		text: `value 1 left twice: process 1 dequeued it in [11,12], process 2 dequeued it in [11,12]; it was put in once: process 0 called enq of it at 10 and never came back`},
}

func TestExplanations(t *testing.T) {
	for _, c := range explained {
		t.Run(c.name, func(t *testing.T) {
			h := testkit.Read(c.kind, c.params, c.ops...)
			require.False(t, testkit.BruteForce(h))
			r := Check(t.Context(), h, searchOnly(Options{}))
			require.Len(t, r.Violations, 1)
			v := r.Violations[0]
			require.Equal(t, c.want, v.Kind)
			require.Equal(t, c.places, v.Ops)
			require.Equal(t, c.text, v.Explanation)
		})
	}
}

// What a monitor knows by one of its rules is told with names and times as
// well, and a put that the file has is not denied.
func TestExplanationsOfMonitors(t *testing.T) {
	for _, c := range []struct {
		name       string
		kind       model.Kind
		params     string
		ops        []string
		want, text string
	}{
		{name: "a pending put, called too late", kind: model.WSDeque, ops: []string{
			op(2, "steal", "ok", "2", 1, 3), op(2, "steal", "ok", "1", 4, 8), op(0, "push", "ok", "1", 2, 4), op(0, "push", "", "2", 8, -1)},
			want: finding.TooEarly,
			text: `value 2 came out before it was put in: process 2 stole it in [1,3], and only later process 0 called push of it at 8 and never came back`},
		{name: "a range taken too early where stamps tie", kind: model.Range, params: `"capacity":1,"shared":true`, ops: []string{
			op(0, "steal", "ok", "[49,50]", 3, 3), op(0, "push", "ok", "[49,50]", 3, 3)},
			want: finding.Other,
			text: `no order of these operations keeps to the capacity of 1: process 0 stole [49,50) in [3,3], process 0 pushed [49,50) in [3,3]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := testkit.Read(c.kind, c.params, c.ops...)
			require.False(t, testkit.BruteForce(h))
			r := Check(t.Context(), h, Options{})
			require.Len(t, r.Violations, 1)
			v := r.Violations[0]
			require.Equal(t, c.want, v.Kind)
			require.Equal(t, c.text, v.Explanation)
		})
	}
}

func TestHTMLShowsTheWindow(t *testing.T) {
	h := calmFIFO(300)
	h.Ops[100].Value, h.Ops[102].Value = h.Ops[102].Value, h.Ops[100].Value
	v := onlyViolation(t, h)
	var page bytes.Buffer
	require.NoError(t, WriteHTML(&page, h, v))
	require.Contains(t, page.String(), "enq ok 102")
	require.NotContains(t, page.String(), "enq ok 104")

	v.Ops = longHistory(301).Places()
	require.ErrorContains(t, WriteHTML(&page, longHistory(400), v), "at most 300 are drawn")
}
