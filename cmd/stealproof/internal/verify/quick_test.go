package verify_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/cmd/stealproof/internal/commandtest"
	"stealproof/cmd/stealproof/internal/exit"
)

func TestVerifyInterruptedAtOnce(t *testing.T) {
	o := commandtest.Cancelled(t, "verify")
	assert.Equal(t, exit.Interrupted, o.Code)
	assert.Equal(t, 1, strings.Count(o.Out, "\n"), "the head of the table, and no row that was not finished")
}

func TestVerifyQuick(t *testing.T) {
	if !commandtest.Large() {
		t.Skip("takes half a minute; TestVerify runs the parts for a shorter time")
	}
	o := commandtest.Run(t, "verify", "--quick")
	require.Equal(t, exit.Holds, o.Code, o.Out+o.Err)
	assert.Empty(t, o.Err)
	assert.NotContains(t, o.Out, "NOT AS EXPECTED")
	assert.Regexp(t, `\nverify: all holds: ([0-9]+) of ([0-9]+) parts came out as expected, [0-9]+ executions judged in \S+\n$`, o.Out)
}
