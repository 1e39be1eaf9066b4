package fences

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/fuzz"
	"stealproof/fuzz/internal/given"
	"stealproof/fuzz/programs"
	"stealproof/model"
	"stealproof/ref"
	"stealproof/ref/ptx"
)

// With load buffering the sixth fence of the deque is needed, of its text and of its
// kernel, and no choice of fences suffices unless pop's swap acquires.
func TestTheSixthFenceOfTheDequeIsNeeded(t *testing.T) {
	if testing.Short() {
		t.Skip("two seconds")
	}
	text := given.Subject(t, "abp:capacity=2")
	file, err := os.ReadFile("../../gpu/ptx/abp.ptx")
	require.NoError(t, err)
	module, err := ptx.Load("abp.ptx", file)
	require.NoError(t, err)
	f, err := module.Foreign(model.WSDeque, ptx.Setup{Numbers: [8]uint64{2, 16, 128}})
	require.NoError(t, err)
	kernel, err := f.Subject(model.Spec{})
	require.NoError(t, err)
	for _, c := range []struct {
		subject ref.Subject
		setting string
		value   string
		sixth   string
	}{
		{text, "orders", "pop-swap-head.acquire", "steal-fence-task-head"},
		{kernel, "patch", "pop_swap_head.acquire", "steal_fence_task_head"},
	} {
		x := Search{FencesOnly: true, Runs: 500, Shape: programs.DefaultShape, Bound: []programs.Bounds{{Shape: programs.Shape{4, 1}}}, KeepStrong: c.setting == "patch"}
		x.Subject = given.On(t, "ptx:buffering=yes", c.subject)
		r, err := x.Run(t.Context())
		require.NoError(t, err)
		require.NotNil(t, r.Failure, c.setting)
		assert.True(t, r.Failure.Case.Schedule.Choices.Buffered(), c.setting)

		x.Subject, err = x.Subject.With(x.Subject.Spec().With(c.setting, c.value))
		require.NoError(t, err)
		r, err = x.Run(t.Context())
		require.NoError(t, err)
		require.Nil(t, r.Failure, c.setting)
		assert.True(t, r.Exhausted)
		needed := map[string]bool{}
		for _, n := range r.Needed {
			slug := r.Design.SiteSlug(n.Site)
			needed[slug] = n.Case.Schedule.Choices.Buffered()
			again, err := fuzz.RunCaseOf(x.Subject, n.Case)
			require.NoError(t, err)
			assert.True(t, again.Expected(), slug)
		}
		assert.Len(t, needed, 6, c.setting)
		assert.True(t, needed[c.sixth], "%v", needed)
	}
}
