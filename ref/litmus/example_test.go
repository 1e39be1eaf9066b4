package litmus_test

import (
	"context"
	"fmt"

	"stealproof/ref/axioms"
	"stealproof/ref/litmus"
)

const storeBuffering = `PTX SB
{ x=0; y=0; }
 P0@cta 0,gpu 0       | P1@cta 1,gpu 0       ;
 st.relaxed.gpu x, 1  | st.relaxed.gpu y, 1  ;
 ld.relaxed.gpu r0, y | ld.relaxed.gpu r0, x ;
exists (P0:r0 == 0 /\ P1:r0 == 0)`

func ExampleDecide() {
	test, err := litmus.Parse("SB.litmus", storeBuffering)
	if err != nil {
		panic(err)
	}
	for _, m := range []axioms.Model{axioms.PTX, axioms.SequentialConsistency} {
		fmt.Println(m, litmus.Decide(context.Background(), test, litmus.Options{Model: m}).Verdict)
	}
	// Output:
	// ptx holds
	// sc fails
}

func ExampleEach() {
	test, err := litmus.Parse("SB.litmus", storeBuffering)
	if err != nil {
		panic(err)
	}
	_, err = litmus.Each(context.Background(), test, litmus.Options{}, func(e *litmus.Execution) bool {
		fmt.Println(e.Register(0, 0), e.Register(1, 0))
		return true
	})
	if err != nil {
		panic(err)
	}
	// Unordered output:
	// 0 0
	// 0 1
	// 1 0
	// 1 1
}
