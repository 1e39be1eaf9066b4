package histories

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// The limit counts from when a file is opened.
func TestTimeLimitHasADeadline(t *testing.T) {
	begun := time.Now().Add(time.Hour)
	ctx, end := checkFlags{timeout: time.Minute}.limited(t.Context(), begun)
	defer end()
	deadline, limited := ctx.Deadline()
	assert.True(t, limited)
	assert.Equal(t, begun.Add(time.Minute), deadline)
}

// A limit beyond all that can be counted is none, and not a small one.
func TestMemoryLimitsThatAreHuge(t *testing.T) {
	assert.Equal(t, uint64(17592186044415<<20), mebibytes(17592186044415))
	assert.Equal(t, uint64(math.MaxUint64), mebibytes(17592186044416))
}
