package fuzz_test

import (
	"context"
	"fmt"

	"stealproof/fuzz"
	"stealproof/fuzz/programs"
	"stealproof/fuzz/schedule"
	"stealproof/model"
	"stealproof/ref"
)

// A deque whose counter has no bits is found to be wrong within a few runs.
func ExampleCampaign() {
	spec, _ := model.ParseSpec("abp:width=0")
	deque, err := ref.NewSubject(spec, model.Spec{})
	if err != nil {
		fmt.Println(err)
		return
	}
	c := fuzz.Campaign{
		Subject:  deque,
		Shape:    programs.Shape{4, 2}, // an owner of four operations, a thief of two
		Schedule: model.Schedule{Strategy: schedule.Default},
		Seed:     1,
		Runs:     10_000,
	}
	result, err := c.Run(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Verdict, result.Failure.Finding.Kind)
	// Output: violation duplicate
}

// A saved case runs again, the same on every machine.
func ExampleRunCase() {
	c, err := model.ParseCase(`stealproof-case 1
model: wsdeque
structure: abp:defect=tail-before-task
schedule: choices:0*2,1*4,0
verdict: violation invented
program:
0: push
1: steal
`)
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := fuzz.RunCase(c)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Finding.Explanation)
	fmt.Println("fatal access:", r.Fatal)
	// Output:
	// value 0 came out but was never put in: process 1 stole it in [3,6]
	// fatal access: 6
}
