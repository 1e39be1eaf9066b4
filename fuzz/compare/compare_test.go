package compare_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/fuzz/compare"
	"stealproof/fuzz/programs"
	"stealproof/model"
	"stealproof/ref"
)

func comparison(t *testing.T, memory, a, b string, shape programs.Shape) *compare.Comparison {
	t.Helper()
	c := &compare.Comparison{}
	for i, text := range []string{a, b} {
		spec, err := model.ParseSpec(text)
		require.NoError(t, err)
		on, err := model.ParseSpec(memory)
		require.NoError(t, err)
		c.Subjects[i], err = ref.NewSubject(spec, on)
		require.NoError(t, err)
	}
	var err error
	c.Programs, err = programs.All(c.Subjects[0], programs.Bounds{Shape: shape})
	require.NoError(t, err)
	return c
}

func run(t *testing.T, memory, a, b string, shape programs.Shape) *compare.Result {
	t.Helper()
	r, err := comparison(t, memory, a, b, shape).Run(t.Context())
	require.NoError(t, err)
	return r
}

// One history more, in the shortest program that has it: the task is written behind the
// tail, and a thief takes what is not there yet.
func TestOneHistoryMore(t *testing.T) {
	for _, mirrored := range []bool{false, true} {
		a, b, side := "abp", "abp:defect=tail-before-task", 1
		if mirrored {
			a, b, side = b, a, 0
		}
		r := run(t, "sc", a, b, programs.Shape{2, 1})
		require.NotNil(t, r.Difference)
		assert.False(t, r.Same())
		d := r.Difference
		assert.Equal(t, "0: push\n1: steal\n", d.Program.String(), "no shorter program has it")
		assert.Equal(t, 2, r.Programs, "before it: push, steal")
		assert.Equal(t, d.Sides[1-side].Histories+1, d.Sides[side].Histories)
		assert.Equal(t, []string{"0: push ok 1; 1: steal ok 0"}, d.Sides[side].Only)
		assert.Empty(t, d.Sides[1-side].Only)
		assert.Nil(t, d.Sides[1-side].Choices)
		assert.NotNil(t, d.Sides[side].Choices, "an execution of it")
	}
}

// Executions with load buffering are compared as well, if they are asked for.
func TestOneHistoryMoreWithLoadBuffering(t *testing.T) {
	c := comparison(t, "ptx:buffering=yes", "abp", "abp:orders=steal-fence-task-head.weak", programs.Shape{4, 1})
	p, err := c.Subjects[0].ParseProgram("0: push push pop push\n1: steal")
	require.NoError(t, err)
	c.Programs = []model.Program{p}
	r, err := c.Run(t.Context())
	require.NoError(t, err)
	require.NotNil(t, r.Difference)
	assert.Equal(t, []string{"0: push ok 1, push ok 2, pop ok 2, push ok 3; 1: steal ok 3"}, r.Difference.Sides[1].Only)
	assert.True(t, r.Difference.Sides[1].Choices.Buffered())
	for i, s := range c.Subjects {
		c.Subjects[i] = s.Unbuffered()
	}
	r, err = c.Run(t.Context())
	require.NoError(t, err)
	assert.True(t, r.Same())
}

// As many histories on either side, and not the same.
func TestOtherHistories(t *testing.T) {
	r := run(t, "sc", "abp", "abp:mutant=steal-swap-head.blind", programs.Shape{2, 1})
	require.NotNil(t, r.Difference)
	assert.Equal(t, r.Difference.Sides[0].Histories, r.Difference.Sides[1].Histories)
	assert.Equal(t, []string{"0: push ok 1, pop ok 1; 1: steal abort"}, r.Difference.Sides[0].Only)
	assert.Equal(t, []string{"0: push ok 1, pop ok 1; 1: steal ok 1"}, r.Difference.Sides[1].Only)
}

// A fence that is left out changes nothing where accesses have one order.
func TestDifferentOnTheWeakMemoryAlone(t *testing.T) {
	const without = "abp:orders=push-fence-task-tail.weak"
	r := run(t, "sc", "abp", without, programs.Shape{2, 1})
	assert.True(t, r.Same())
	assert.Equal(t, 12, r.Programs)
	assert.Greater(t, r.Histories, r.Programs)
	r = run(t, "ptx", "abp", without, programs.Shape{2, 1})
	require.NotNil(t, r.Difference)
	assert.Equal(t, []string{"0: push ok 1; 1: steal ok 0"}, r.Difference.Sides[1].Only)
}

// What differs from the third operation on is the same in all programs of two.
func TestDifferentFromAnOperationOn(t *testing.T) {
	assert.True(t, run(t, "sc", "abp:capacity=2", "abp:capacity=3", programs.Shape{2, 1}).Same())
	r := run(t, "sc", "abp:capacity=2", "abp:capacity=3", programs.Shape{3, 1})
	require.NotNil(t, r.Difference)
	assert.Equal(t, "0: push push push\n", r.Difference.Program.String())
	assert.Equal(t, []string{"0: push ok 1, push ok 2, push full"}, r.Difference.Sides[0].Only)
}

// An execution of one that has no history is a difference, not a history less; where both
// end like that, they are the same.
func TestStuck(t *testing.T) {
	const stuck = "tz:capacity=4,variant=skeleton"
	r := run(t, "sc", "tz:capacity=4", stuck, programs.Shape{1, 1})
	require.NotNil(t, r.Difference)
	assert.Empty(t, r.Difference.Sides[0].Fails)
	assert.Contains(t, r.Difference.Sides[1].Fails, "stuck: ")
	assert.NotNil(t, r.Difference.Sides[1].Choices)
	assert.True(t, run(t, "sc", stuck, stuck, programs.Shape{1, 1}).Same())
}

func TestKindsMustBeTheSame(t *testing.T) {
	_, err := comparison(t, "sc", "abp", "tz", programs.Shape{1, 1}).Run(t.Context())
	assert.EqualError(t, err, "abp is a wsdeque and tz a fifo: expected two of the same kind")
}
