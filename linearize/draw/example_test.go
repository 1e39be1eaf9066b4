package draw_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"

	"stealproof/linearize"
	"stealproof/linearize/draw"
	"stealproof/model"
)

// stolenTwice is a deque of which two thieves got the same value.
func stolenTwice() *model.History {
	return &model.History{Kind: model.WSDeque, Clock: model.Clock{Unit: "ns"}, Ops: []model.Operation{
		{Process: 0, Op: model.Push, Result: model.OK, Value: 17, Call: 120, Return: 131},
		{Process: 2, Op: model.Steal, Result: model.OK, Value: 17, Call: 125, Return: 160},
		{Process: 3, Op: model.Steal, Result: model.OK, Value: 17, Call: 140, Return: 171},
	}}
}

func ExamplePage() {
	h := stolenTwice()
	report := linearize.Check(context.Background(), h, linearize.Options{})
	var page draw.Page
	page.Add(h, report, draw.Origin{File: "run.jsonl"})
	var text bytes.Buffer
	if err := page.Write(&text); err != nil {
		fmt.Println(err)
	}
	for line := range strings.Lines(text.String()) {
		if strings.HasPrefix(line, "<title>") || strings.HasPrefix(line, "<p class=\"sentence\">") {
			fmt.Print(line)
		}
	}
	// Output:
	// <title>Violation (duplicate) on object 0 of run.jsonl</title>
	// <p class="sentence">value 17 left twice: process 2 stole it in [125,160], process 3 stole it in [140,171]; process 0 pushed it once, in [120,131]</p>
}

func ExampleDescribe() {
	draw.Describe(stolenTwice()).Print(os.Stdout)
	// Output:
	//   operations   3 by 3 processes on 1 object
	//     push ok                     1   33.3%  ██████████▊
	//     steal ok                    2   66.7%  █████████████████████▍
	//   removals     0.0% found nothing, 0.0% aborted
	//   puts         0.0% found no room
	//   time         120 to 171, 58.82 million operations/s
	//   longest      steal ok 17 of process 2: 35 ns
	//   latency               median        p90        p99    longest
	//     push ok                 11         11         11         11 ns
	//     steal ok                31         35         35         35 ns
	//     8 to 15                     1   33.3%  ██████████▊
	//     16 to 31                    1   33.3%  ██████████▊
	//     32 to 63                    1   33.3%  ██████████▊
	//   concurrency  1.5 on average, at most 2; share of the time with so many under way:
	//     0                                0.0%
	//     1                               49.0%  ███████████████▊
	//     2                               51.0%  ████████████████▍
}
