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
	commandtest.Run(t, "explore", module, "--model", "fifo", "--lanes", "65").RequireRefused(t, "--lanes=65: at most 64 lanes are executed in all")
	commandtest.Run(t, "explore", "abp", "--lanes", "2").RequireRefused(t, "--lanes is for modules, as in queue.ptx: abp says it itself")
	r = commandtest.Run(t, "explore", module, "--model", "fifo", "--lanes", "2", "--memory", "ptx:buffering=yes", "--exhaustive", "--processes", "2x1")
	assert.Equal(t, exit.Usage, r.Code)
	assert.Contains(t, r.Err, "load buffering is not made where lanes carry out operations together")
	r = commandtest.Run(t, "progress", module, "--model", "fifo", "--lanes", "2")
	assert.Equal(t, exit.Usage, r.Code)
	assert.Contains(t, r.Err, "progress is not looked at where lanes carry out operations together")
	r = commandtest.Run(t, "explore", module, "--model", "fifo", "--lanes", "2", "--exhaustive", "--clients", "2", "--memory", "ptx")
	assert.Equal(t, exit.Usage, r.Code)
	assert.Contains(t, r.Err, "a search of all clients on the memory ptx is not made where lanes carry out operations together")
}

// Clients that signal, whose processes are blocks.
func TestSignalsOfBlocks(t *testing.T) {
	module, err := filepath.Abs("../../../../gpu/examples/block-deque.ptx")
	require.NoError(t, err)
	r := commandtest.Run(t, "explore", module, "--model", "wsdeque", "--exhaustive", "--clients", "2")
	assert.Equal(t, exit.Holds, r.Code, r.Err)
	assert.Contains(t, r.Out, "block-deque-ptx:lanes=2x1: all clients of at most 2 calls")
	r = commandtest.Run(t, "explore", module, "--model", "wsdeque", "--lanes", "2", "--exhaustive", "--memory", "ptx", "--program", "0: push signal:a\n1: wait:a steal")
	assert.Equal(t, exit.Holds, r.Code, r.Err)
	assert.Contains(t, r.Out, "block-deque-ptx:lanes=2 on memory ptx: the program, all executions: linearizable")
}
