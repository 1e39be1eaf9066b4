package histories

import (
	"math"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The limit of --memory is that of the process while a command runs, and no longer.
func TestTheCollectorKeepsToTheLimit(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	end := keepTo(1 << 20)
	assert.EqualValues(t, 1<<40, debug.SetMemoryLimit(-1))
	end()
	assert.Equal(t, before, debug.SetMemoryLimit(-1))
	keepTo(math.MaxUint64)()
	assert.Equal(t, before, debug.SetMemoryLimit(-1), "more than there is is no limit")
	keepTo(0)()
	assert.Equal(t, before, debug.SetMemoryLimit(-1))
}
