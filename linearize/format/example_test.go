package format_test

import (
	"fmt"
	"strings"

	"stealproof/linearize/format"
)

const stolenTwice = `{"format":"stealproof-history","version":1,"model":"wsdeque"}
{"process":0,"op":"push","result":"ok","value":17,"call":120,"return":131}
{"process":2,"op":"steal","result":"ok","value":17,"call":125,"return":160}
{"process":3,"op":"steal","result":"ok","value":17,"call":140,"return":171}
`

func ExampleRead() {
	h, err := format.Read(strings.NewReader(stolenTwice), "stolen.jsonl", format.Options{})
	fmt.Println(h.Kind, len(h.Ops), err)
	_, err = format.Read(strings.NewReader(stolenTwice[:150]), "stolen.jsonl", format.Options{})
	fmt.Println(err)
	// Output:
	// wsdeque 3 <nil>
	// stolen.jsonl:3: column 14: expected a field name in quotes, found the end of the line
}
