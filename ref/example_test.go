package ref_test

import (
	"context"
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

// counter is a structure of one's own: each take gets the next number. It forgets
// that somebody else may take between its two accesses.
type counter struct{ next ref.Location }

func (c counter) Do(m ref.Memory, o *model.Operation) {
	line := func(site uint8) ref.Access { return ref.Access{Order: ref.Relaxed, Scope: ref.GPU, Site: site} }
	o.Value, o.Result = m.Load(c.next, line(0)), model.OK
	m.Store(c.next, o.Value+1, line(1))
}

var counters = ref.Foreign{
	Name: "counter", Kind: model.Bag, Sites: []string{"read next", "write next"},
	Build: func(s *ref.Space, processes int) ref.Structure { return counter{s.Word("next", 1)} },
}

// inTurns lets one process after the other make an access.
type inTurns struct{ ref.Newest }

func (inTurns) Next(v *ref.View) int { return v.Enabled[v.Step%len(v.Enabled)] }

// A structure of one's own runs as the published ones do: here under a scheduler
// that finds its mistake.
func ExampleForeign() {
	subject, err := counters.Subject(model.Spec{})
	if err != nil {
		fmt.Println(err)
		return
	}
	program, _ := subject.ParseProgram("0: take\n1: take")
	setup, err := subject.Prepare(program)
	if err != nil {
		fmt.Println(err)
		return
	}
	sim := ref.NewSim(setup)
	defer sim.Close()
	for _, o := range sim.Run(inTurns{}).History.Ops {
		fmt.Printf("process %d took %d\n", o.Process, o.Value)
	}
	// Output:
	// process 0 took 1
	// process 1 took 1
}

// On real atomics one process alone cannot go wrong.
func ExampleNative() {
	subject, _ := counters.Subject(model.Spec{})
	program, _ := subject.ParseProgram("0: take take take")
	setup, err := subject.Prepare(program)
	if err != nil {
		fmt.Println(err)
		return
	}
	e := ref.NewNative(setup).Run(context.Background(), 1)
	fmt.Println(e.Ending, len(e.History.Ops), "operations")
	// Output: complete 3 operations
}
