package format_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"stealproof/linearize/format"
	"stealproof/model"
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

// Who has recorded operations in memory writes them to a file, whose ending names
// the format, and reads them back.
func ExampleWriteFile() {
	folder, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	h := &model.History{Kind: model.FIFO, Clock: model.Clock{Unit: "ns"}, Ops: []model.Operation{
		{Process: 0, Op: model.Enq, Result: model.OK, Value: 17, Call: 120, Return: 131},
		{Process: 1, Op: model.Deq, Result: model.Empty, Value: model.NoValue, Call: 125, Return: 160},
	}}
	for _, name := range []string{"run.jsonl.gz", "run.sph", "run.json"} {
		err := format.WriteFile(filepath.Join(folder, name), h)
		if err != nil {
			_, what, _ := strings.Cut(err.Error(), "run.json: ")
			fmt.Println(what)
			continue
		}
		back, err := format.ReadFile(context.Background(), filepath.Join(folder, name), format.Options{})
		fmt.Println(name, len(back.Ops), back.Clock.Unit, err)
	}
	// Output:
	// run.jsonl.gz 2 ns <nil>
	// run.sph 2 ns <nil>
	// unknown file ending: expected .jsonl, .jsonl.gz or .sph; a header and an operation per line is JSON Lines, whose ending is .jsonl
}

func ExampleWrite() {
	h := &model.History{Kind: model.Bag, Ops: []model.Operation{
		{Process: 0, Op: model.Put, Result: model.OK, Value: 17, Call: 120, Return: 131},
		{Process: 1, Op: model.Take, Value: model.NoValue, Call: 125, Return: model.Never},
	}}
	if err := format.Write(os.Stdout, h); err != nil {
		fmt.Println(err)
	}
	// Output:
	// {"format":"stealproof-history","version":1,"model":"bag"}
	// {"object":0,"process":0,"op":"put","result":"ok","value":17,"call":120,"return":131}
	// {"object":0,"process":1,"op":"take","call":125}
}

// Jepsen's files do not say what their objects are.
func ExampleOptions() {
	const run = `{:process 0, :type :invoke, :f :enqueue, :value 1, :time 10}
{:process 0, :type :ok, :f :enqueue, :value 1, :time 25}`
	_, err := format.Read(strings.NewReader(run), "run.edn", format.Options{From: "edn"})
	fmt.Println(err)
	h, err := format.Read(strings.NewReader(run), "run.edn", format.Options{From: "edn", Kind: model.FIFO})
	fmt.Println(len(h.Ops), err)
	// Output:
	// run.edn: the file does not say what the objects are: name the model (--model wsdeque, fifo, range or bag)
	// 1 <nil>
}
