package lint_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/cmd/stealproof/internal/commandtest"
	"stealproof/cmd/stealproof/internal/exit"
)

func TestLint(t *testing.T) {
	folder, err := filepath.Abs("../../../../gpu")
	require.NoError(t, err)
	r := commandtest.Run(t, "lint", folder+"/ptx/abp.ptx")
	assert.Equal(t, exit.Holds, r.Code, r.Err)
	assert.Contains(t, r.Out, "abp.ptx: 0 findings\n")
	r = commandtest.Run(t, "lint", folder+"/examples/warp-ring-trusting.ptx", folder+"/ptx/abp.ptx")
	assert.Equal(t, exit.Violation, r.Code)
	assert.Regexp(t, `warp-ring-trusting\.ptx:[0-9]+: order: what is read here \(atom\.cas\.b64\) decides whether the weak load at warp-ring-trusting\.ptx:[0-9]+ \(ld\.u64\) is made, and nothing orders the two: it may be made first\n`, r.Out)
	commandtest.Run(t, "lint", "nowhere.ptx").RequireRefused(t, "nowhere.ptx: no such file or directory")
	commandtest.Run(t, "lint", ".").RequireRefused(t, ".: is a directory")
	commandtest.Run(t, "lint").RequireRefused(t, `lint: expected a module, as in queue.ptx (see "stealproof lint --help")`)
}
