package linearize_test

import (
	"context"
	"fmt"
	"strings"
	"time"

	"stealproof/linearize"
)

const stolenTwice = `{"format":"stealproof-history","version":1,"model":"wsdeque"}
{"process":0,"op":"push","result":"ok","value":17,"call":120,"return":131}
{"process":2,"op":"steal","result":"ok","value":17,"call":125,"return":160}
{"process":3,"op":"steal","result":"ok","value":17,"call":140,"return":171}
`

func ExampleRead() {
	h, err := linearize.Read(strings.NewReader(stolenTwice), "stolen.jsonl")
	fmt.Println(h.Kind, len(h.Ops), err)
	_, err = linearize.Read(strings.NewReader(stolenTwice[:150]), "stolen.jsonl")
	fmt.Println(err)
	// Output:
	// wsdeque 3 <nil>
	// stolen.jsonl:3: column 14: expected a field name in quotes, found the end of the line
}

func ExampleCheck() {
	h, err := linearize.Read(strings.NewReader(stolenTwice), "stolen.jsonl")
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
