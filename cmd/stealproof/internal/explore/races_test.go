package explore_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/cmd/stealproof/internal/commandtest"
	"stealproof/cmd/stealproof/internal/exit"
)

// Data races are named with their lines: of the published text without orders, and of
// a ring of a warp that trusts a shuffle to order memory. With all orders there are none.
func TestRaces(t *testing.T) {
	module, err := filepath.Abs("../../../../gpu/examples/warp-ring")
	require.NoError(t, err)
	r := commandtest.Run(t, "explore", "abp:variant=book", "--owner", "1", "--thieves", "1", "--memory", "ptx", "--exhaustive", "--races", "--no-shrink")
	assert.Equal(t, exit.Violation, r.Code, r.Err)
	assert.Contains(t, r.Out, "data race: the weak load \"steal: read task\" and the weak store \"push: write task\" at tasks[0], steps 6 of process 1 and 2 of process 0 of\n0: push\n1: steal\nschedule: choices:0*3,1*4\n")
	r = commandtest.Run(t, "explore", module+"-trusting.ptx", "--model", "fifo", "--lanes", "2", "--processes", "2x1", "--memory", "ptx", "--exhaustive", "--races", "--no-shrink")
	assert.Equal(t, exit.Violation, r.Code, r.Err)
	assert.Regexp(t, `(?m)^data race: the weak load ".*" and the weak store ".*" at \+32, steps [0-9]+ of process 1, lane 1 and [0-9]+ of process 0, lane 1 of$`, r.Out)
	// threads of a block that race for its memory
	block := strings.Replace(module, "warp-ring", "block-deque", 1)
	r = commandtest.Run(t, "explore", block+"-hasty.ptx", "--model", "wsdeque", "--owner", "1", "--thieves", "1", "--memory", "ptx", "--exhaustive", "--races", "--no-shrink")
	assert.Equal(t, exit.Violation, r.Code, r.Err)
	assert.Regexp(t, `(?m)^data race: the weak load ".*" and the weak store ".*" at slot\+0 of process 0, steps [0-9]+ of process 0, lane 1 and [0-9]+ of process 0, lane 0 of$`, r.Out)
	r = commandtest.Run(t, "explore", block+".ptx", "--model", "wsdeque", "--owner", "1", "--thieves", "1", "--memory", "ptx", "--exhaustive", "--races")
	assert.Equal(t, exit.Holds, r.Code, "%s%s", r.Out, r.Err)
	assert.NotContains(t, r.Out, "data race:")
	assert.Contains(t, r.Out, "\nno data race in any of them\n")
	for _, args := range [][]string{{"abp", "--owner", "2", "--thieves", "1"}, {module + ".ptx", "--model", "fifo", "--lanes", "2", "--processes", "2x1"}} {
		r = commandtest.Run(t, append([]string{"explore", "--memory", "ptx", "--exhaustive", "--races"}, args...)...)
		assert.Equal(t, exit.Holds, r.Code, "%s%s", r.Out, r.Err)
		assert.NotContains(t, r.Out, "data race:")
		assert.Contains(t, r.Out, "\nno data race in any of them\n")
	}
	commandtest.Run(t, "explore", "abp", "--exhaustive", "--races").RequireRefused(t, "--races: expected --memory ptx: on rc11 a data race is a violation, and on other memories there is none")
	commandtest.Run(t, "explore", "abp", "--memory", "ptx", "--races").RequireRefused(t, "--races goes with --exhaustive only")
}
