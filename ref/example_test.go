package ref_test

import (
	"fmt"

	"stealproof/model"
	"stealproof/ref"
)

// oneAfterTheOther is the simplest scheduler: it lets a process run to its end.
type oneAfterTheOther struct{ ref.Newest }

func (oneAfterTheOther) Next(v *ref.View) int { return v.Enabled[0] }

// A program on a structure, executed under a scheduler, gives a history.
func ExampleSim() {
	spec, _ := model.ParseSpec("abp:capacity=4")
	abp, err := ref.NewSubject(spec, model.Spec{})
	if err != nil {
		fmt.Println(err)
		return
	}
	program, _ := abp.ParseProgram("0: push(7) push(8) pop\n1: steal")
	setup, err := abp.Prepare(program)
	if err != nil {
		fmt.Println(err)
		return
	}
	sim := ref.NewSim(setup)
	defer sim.Close()
	e := sim.Run(oneAfterTheOther{})
	for _, o := range e.History.Ops {
		fmt.Printf("process %d: %s %s %d in [%d,%d]\n", o.Process, o.Op, o.Result, o.Value, o.Call, o.Return)
	}
	// Output:
	// process 0: push ok 7 in [1,3]
	// process 0: push ok 8 in [4,6]
	// process 0: pop ok 8 in [7,10]
	// process 1: steal ok 7 in [11,14]
}
