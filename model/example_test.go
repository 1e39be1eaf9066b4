package model_test

import (
	"fmt"

	"stealproof/model"
)

// A program is text that parses and prints both ways.
func ExampleParseProgram() {
	p, err := model.ParseProgram(model.WSDeque, "0: push(7) [push pop]*2\n1: steal")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(p)
	for _, c := range p.Expand()[0] {
		fmt.Print(c, " ")
	}
	// Output:
	// 0: push(7) [push pop]*2
	// 1: steal
	// push(7) push(1) pop push(2) pop
}

// The sequential meaning of an object: what each operation may come back with.
func ExampleState() {
	s := model.NewState(model.WSDeque, model.Params{})
	push := model.Operation{Op: model.Push, Result: model.OK, Value: 7}
	empty := model.Operation{Op: model.Steal, Result: model.Empty}
	abort := model.Operation{Op: model.Steal, Result: model.Abort}
	fmt.Println(s.Apply(&empty), s.Apply(&push), s.Apply(&empty), s.Apply(&abort), s)
	// Output: true true false true [7]
}
