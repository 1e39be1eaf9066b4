package gpu

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/gpu"
	"stealproof/linearize"
	"stealproof/model"
	"stealproof/ref"
)

// The kernels and ref are two texts of the same structures: what can be varied
// must have the same name and the same order, for the order is a bit.
func TestKernelsHaveTheDefectsOfRef(t *testing.T) {
	for _, d := range gpu.Designs {
		want, err := ref.FindDesign(d.Name)
		require.NoError(t, err)
		var names []string
		for _, defect := range want.Defects {
			names = append(names, defect.Name)
		}
		assert.Equal(t, names, gpu.Names(d.Defects), d.Name)
		assert.Equal(t, want.Kind, d.Kind, d.Name)
		assert.Equal(t, want.Shared, d.Shared, d.Name)
		for _, s := range d.Settings {
			for _, w := range want.Settings {
				if w.Name == s.Name && s.Name != "variant" {
					assert.Equal(t, w.Values, valuesLike(w.Values, s), "%s of %s", s.Name, d.Name)
				}
			}
		}
	}
}

// valuesLike are the values of a setting, unless one text lists numbers that
// the other bounds.
func valuesLike(want []string, s gpu.Setting) []string {
	if len(s.Values) == 0 {
		return want
	}
	return s.Values
}

func TestASmallHistoryEndsWithItsViolation(t *testing.T) {
	op := func(object, process uint32, op model.Op, value, call uint64) model.Operation {
		return model.Operation{Object: object, Process: process, Op: op, Result: model.OK, Value: value, Call: call, Return: call + 5}
	}
	h := &model.History{Kind: model.WSDeque, Ops: []model.Operation{
		op(0, 0, model.Push, 1, 10), op(1, 0, model.Push, 1, 10), op(1, 1, model.Steal, 1, 20), op(1, 2, model.Steal, 1, 30), op(1, 0, model.Push, 2, 40), op(2, 0, model.Push, 1, 10),
	}}
	r := &linearize.Report{Violations: []linearize.Violation{{Object: 1, Ops: []int{2, 3}}}}
	assert.Equal(t, h.Ops[1:4], someObjects(h, r, 1).Ops)
	assert.Equal(t, h.Ops[:4], someObjects(h, r, 2).Ops)
	assert.Len(t, someObjects(h, nil, 5).Ops, 6)
	assert.Len(t, h.Ops, 6, "the history itself is left alone")
}
