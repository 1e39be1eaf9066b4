package compare

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/fuzz/compare"
	"stealproof/fuzz/programs"
	"stealproof/model"
	"stealproof/ref"
)

// With load buffering, too, every kernel has the histories of its text, though what an
// access depends on is read off the kernel's registers, and found out by other values of
// the text. That makes a difference in the THE queue alone: its text has executions that
// its kernel's branches forbid, and their histories come about otherwise as well.
func TestKernelsWithLoadBuffering(t *testing.T) {
	for _, k := range kernels {
		design, err := model.ParseSpec(k.spec)
		require.NoError(t, err)
		shape := k.ptx
		switch design.Structure {
		case "static": // its programs have phases
			continue
		case "the":
			shape = programs.Shape{1, 1}
		}
		if testing.Short() && k.spec != "abp:capacity=2" {
			continue
		}
		both, err := k.subjects(model.Spec{Structure: ref.MemoryPTX, Settings: model.Settings{"buffering": "yes"}})
		require.NoError(t, err)
		all, err := programs.All(both[0], programs.Bounds{Shape: shape})
		require.NoError(t, err)
		r, err := (&compare.Comparison{Subjects: both, Programs: all}).Run(t.Context())
		require.NoError(t, err)
		assert.True(t, r.Same(), k.spec)
		if design.Structure == "the" {
			assert.Greater(t, r.Executions[0], r.Executions[1], k.spec)
		} else {
			assert.Equal(t, r.Executions[0], r.Executions[1], k.spec)
		}
	}
}
