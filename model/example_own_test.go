package model_test

import (
	"fmt"
	"strconv"

	"stealproof/model"
)

// A register that gives back what was put last, as often as one likes.
func ExampleNewModel() {
	register := model.NewModel("register", model.Meaning[uint64]{
		Step: func(held uint64, o *model.Operation) (uint64, bool) {
			switch {
			case o.Op == model.Put && o.Result == model.OK:
				return o.Value, true
			case o.Result == model.Empty:
				return held, held == 0
			}
			return held, o.Op == model.Take && o.Value == held
		},
		Key:    func(held uint64) string { return strconv.FormatUint(held, 10) },
		Inside: func(held uint64) []uint64 { return []uint64{held} },
	})
	s := model.NewState(model.Bag, model.Params{Model: register})
	put := model.Operation{Op: model.Put, Result: model.OK, Value: 7}
	take := model.Operation{Op: model.Take, Result: model.OK, Value: 7}
	fmt.Println(s.Apply(&take), s.Apply(&put), s.Apply(&take), s.Apply(&take))
	// Output: false true true true
}
