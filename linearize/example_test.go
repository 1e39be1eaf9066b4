package linearize_test

import (
	"context"
	"fmt"
	"strings"
	"time"

	"stealproof/linearize"
	"stealproof/linearize/format"
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
