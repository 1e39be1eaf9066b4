package command_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"stealproof/cmd/stealproof/internal/commandtest"
	"stealproof/cmd/stealproof/internal/exit"
)

// Every command that goes on until its end takes a time, and what it has not decided
// by then is undecided, never a success.
func TestCommandsThatEndAfterSoLong(t *testing.T) {
	for _, line := range []string{
		"explore abp --exhaustive --owner 3 --thieves 3x2 --yes --for 1ms",
		"mutants abp --for 1ms",
		"progress tz --for 1ms",
		"verify --quick --for 1ms",
	} {
		o := commandtest.Run(t, strings.Fields(line)...)
		assert.Equal(t, exit.Undecided, o.Code, "%s\n%s%s", line, o.Out, o.Err)
		assert.Contains(t, o.Err, "is over: what was not decided by then is undecided\n", line)
		assert.NotContains(t, o.Out, "all holds", line)
	}
	for _, command := range []string{"mutants", "progress", "verify", "litmus x.litmus"} {
		commandtest.Run(t, append(strings.Fields(command), "--for", "0s")...).RequireRefused(t, `--for "0s": expected a duration above 0, as in 30s or 5m (see "stealproof `+strings.Fields(command)[0]+` --help")`)
		commandtest.Run(t, append(strings.Fields(command), "--for", "-1s")...).RequireRefused(t, `--for "-1s": expected a duration above 0, as in 30s or 5m (see "stealproof `+strings.Fields(command)[0]+` --help")`)
	}
}
