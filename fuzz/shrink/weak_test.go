package shrink

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/fuzz"
	"stealproof/fuzz/internal/given"
	"stealproof/fuzz/schedule"
	"stealproof/model"
)

// On a weak memory old writes are shrunk away like preemptions: a push whose task
// arrives after tail needs one old read, and nothing else.
func TestShrinkingOnAWeakMemory(t *testing.T) {
	c := fuzz.Campaign{Subject: given.On(t, "ptx", given.Subject(t, "abp:variant=book")), Schedule: model.Schedule{Strategy: schedule.Default}, Seed: 5, Runs: 10_000}
	r, err := c.Run(t.Context())
	require.NoError(t, err)
	require.NotNil(t, r.Failure)
	s := shrunk(t, r.Failure.Case)
	assert.Equal(t, 1, s.To.Weak, "%s", s.Failure.Case)
	assert.Equal(t, 0, s.To.Preemptions)
	assert.Equal(t, "0: push\n1: steal\n", s.Failure.Case.Program.String())
	assert.Equal(t, "ptx", s.Failure.Case.Memory.String())
	again, err := fuzz.RunCase(mustCase(t, s.Failure.Case.String()))
	require.NoError(t, err)
	assert.True(t, again.Expected())
}
