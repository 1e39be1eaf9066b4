package exhaust_test

import (
	"context"
	"fmt"

	"stealproof/fuzz/exhaust"
	"stealproof/fuzz/programs"
	"stealproof/model"
	"stealproof/ref"
)

// Every execution of every program of an owner of two operations and a thief of
// one, on a memory that does what the PTX model allows.
func ExampleSearch() {
	deque, err := ref.NewSubject(model.Spec{Structure: "abp"}, model.Spec{Structure: ref.MemoryPTX})
	if err != nil {
		fmt.Println(err)
		return
	}
	all, err := programs.All(deque, programs.Bounds{Shape: programs.Shape{2, 1}})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := (&exhaust.Search{Subject: deque, Programs: all}).Run(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: %d of %d programs\n", r.Verdict, r.Exhausted, r.Programs)
	// Output: linearizable: 12 of 12 programs
}
