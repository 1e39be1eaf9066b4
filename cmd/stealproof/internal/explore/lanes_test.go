package explore_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/cmd/stealproof/internal/commandtest"
	"stealproof/cmd/stealproof/internal/exit"
)

// A module whose operations lanes carry out together: the failure is shown by lanes,
// and its case is replayed with as many.
func TestLanes(t *testing.T) {
	module, err := filepath.Abs("../../../../gpu/examples/warp-ring-eager.ptx")
	require.NoError(t, err)
	saved := filepath.Join(t.TempDir(), "eager.case")
	r := commandtest.Run(t, "explore", module, "--model", "fifo", "--lanes", "3", "--save", saved)
	assert.Equal(t, exit.Violation, r.Code, r.Err)
	r = commandtest.Run(t, "replay", "--module", module, saved)
	assert.Equal(t, exit.Violation, r.Code, r.Err)
	assert.Contains(t, r.Out, " | process 0, lane 1")
	assert.Contains(t, r.Out, "load +32: never written  <== fatal")
	commandtest.Run(t, "explore", module, "--model", "fifo", "--lanes", "33").RequireRefused(t, module+": lanes=33: a process is a warp here, which has at most 32 lanes")
	commandtest.Run(t, "explore", module, "--model", "fifo", "--lanes", "65").RequireRefused(t, "--lanes=65: 1 warps of 65 lanes: at most 64 lanes are executed in all")
	commandtest.Run(t, "explore", "abp", "--lanes", "2").RequireRefused(t, "--lanes is for modules, as in queue.ptx: abp says it itself")
	r = commandtest.Run(t, "explore", module, "--model", "fifo", "--lanes", "2", "--memory", "ptx:buffering=yes", "--exhaustive", "--processes", "2x1")
	assert.Equal(t, exit.Usage, r.Code)
	assert.Contains(t, r.Err, "load buffering is not made where lanes carry out operations together")
	r = commandtest.Run(t, "progress", module, "--model", "fifo", "--lanes", "2")
	assert.Equal(t, exit.Usage, r.Code)
	assert.Contains(t, r.Err, "progress is not looked at where lanes carry out operations together")
}
