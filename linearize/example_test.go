package linearize_test

import (
	"context"
	"fmt"
	"strings"
	"time"

	"stealproof/linearize"
	"stealproof/linearize/format"
	"stealproof/model"
)

const stolenTwice = `{"format":"stealproof-history","version":1,"model":"wsdeque"}
{"process":0,"op":"push","result":"ok","value":17,"call":120,"return":131}
{"process":2,"op":"steal","result":"ok","value":17,"call":125,"return":160}
{"process":3,"op":"steal","result":"ok","value":17,"call":140,"return":171}
`

func ExampleCheck() {
	h, err := format.Read(strings.NewReader(stolenTwice), "stolen.jsonl", format.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	report := linearize.Check(context.Background(), h, linearize.Options{Timeout: time.Minute})
	fmt.Println(report.Verdict)
	for _, v := range report.Violations {
		fmt.Printf("%s: %s\n", v.Kind, v.Explanation)
	}
	// Output:
	// violation
	// duplicate: value 17 left twice: process 2 stole it in [125,160], process 3 stole it in [140,171]; process 0 pushed it once, in [120,131]
}

// What a recorder of your own puts together in memory is validated first: here a
// process calls its second operation before its first one has returned.
func ExampleReport() {
	h := &model.History{Kind: model.FIFO, Ops: []model.Operation{
		{Process: 4, Op: model.Enq, Result: model.OK, Value: 17, Call: 120, Return: 131},
		{Process: 4, Op: model.Deq, Result: model.OK, Value: 17, Call: 125, Return: 160},
	}}
	report := linearize.Check(context.Background(), h, linearize.Options{})
	fmt.Println(report.Verdict)
	fmt.Println(report.Invalid)
	// Output:
	// undecided
	// operation 1: process 4 calls deq at 125, before its enq in [120,131] returned: operations of a process must not overlap
}

// A campaign that executes millions of small programs wants a yes or a no; which
// return made it impossible is asked of the one that failed.
func ExampleCheckSmall() {
	h := &model.History{Kind: model.FIFO, Ops: []model.Operation{
		{Process: 0, Op: model.Enq, Result: model.OK, Value: 17, Call: 0, Return: 2},
		{Process: 1, Op: model.Deq, Result: model.OK, Value: 17, Call: 1, Return: 4},
		{Process: 2, Op: model.Deq, Result: model.OK, Value: 17, Call: 3, Return: 5},
	}}
	fmt.Println(linearize.CheckSmall(h))
	fmt.Println(linearize.ShortestPrefix(h))
	// Output:
	// false
	// 2 true
}
