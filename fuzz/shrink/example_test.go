package shrink_test

import (
	"context"
	"fmt"

	"stealproof/fuzz"
	"stealproof/fuzz/shrink"
	"stealproof/model"
)

// A push and a steal are enough to show what is wrong here.
func ExampleSearch() {
	c, err := model.ParseCase(`stealproof-case 1
model: wsdeque
structure: abp:defect=tail-before-task
schedule: choices:0*2,1*4,0*4,1*4
verdict: violation invented
program:
0: push push
1: steal steal
`)
	if err != nil {
		fmt.Println(err)
		return
	}
	deque, err := fuzz.SubjectOf(c)
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := (&shrink.Search{Subject: deque, Case: c}).Run(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.From)
	fmt.Println(r.To)
	fmt.Print(r.Failure.Case.Program)
	// Output:
	// 4 operations of 2 processes, 2 preemptions
	// 2 operations of 2 processes, 1 preemption
	// 0: push
	// 1: steal
}
