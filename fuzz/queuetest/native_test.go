package queuetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"stealproof/model"
	"stealproof/ref"
)

// The same queues, on real atomics: those that hold do, and what is wrong whenever
// it runs is found.
func TestNative(t *testing.T) {
	few := func(q Queue) Queue { q.Checks = 40; return q }
	s := during(t, "TestX", func(s *stand) { Native(s, few(mended())) })
	assert.False(t, s.failed, s.out.String())
	assert.Equal(t, "stealproof: unlocked on real atomics: 40 runs of 16+16+16 operations, each linearizable (programs of seed 1; what goroutines do is up to the machine)\n", s.out.String())

	s = during(t, "TestX", func(s *stand) {
		Native(s, few(NewFIFO("keeps", func(s *ref.Space) FIFO { q := newListFIFO(s); q.keeps = true; return q })))
	})
	assert.True(t, s.failed)
	assert.Regexp(t, `^stealproof: keeps on real atomics: violation \((duplicate|order|false-empty)\) in run [0-9]+: `, s.out.String())
	assert.Contains(t, s.out.String(), "\n0: ")
	assert.Contains(t, s.out.String(), "Such a run cannot be repeated")

	s = during(t, "TestX", func(s *stand) {
		q := few(stackOf(1 << 32))
		q.Model = model.Stack(0)
		Native(s, q)
	})
	assert.False(t, s.failed, s.out.String())
}

// What never ends is given up, and is no success.
func TestNativeOfWhatNeverEnds(t *testing.T) {
	q := bad(func(d *counterDeque) { d.keep = true })
	q.Patience = 200 * time.Millisecond
	s := during(t, "TestX", func(s *stand) { Native(s, q) })
	assert.True(t, s.failed)
	// which of the two limits is met first is up to the machine
	assert.Regexp(t, `did not (come to an end|end) within [24]00ms`, s.out.String())
}
