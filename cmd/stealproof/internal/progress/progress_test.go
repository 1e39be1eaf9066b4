package progress_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"stealproof/cmd/stealproof/internal/commandtest"
	"stealproof/cmd/stealproof/internal/exit"
)

// The page on progress shows what the command prints.
func TestPageOfProgress(t *testing.T) {
	o := commandtest.Run(t, "progress")
	assert.Equal(t, exit.Holds, o.Code)
	assert.Contains(t, commandtest.Page(t, "progress.md"), "```\n"+o.Out+"```\n", "to bring it up to date: stealproof progress")
}

func TestProgressCommand(t *testing.T) {
	commandtest.InFolder(t, nil)
	o := commandtest.Run(t, "progress", "--save", "cases", "blocking", "tz:capacity=4")
	assert.Equal(t, exit.Holds, o.Code)
	assert.Contains(t, o.Out, "tz:capacity=4: lock-free in ")
	assert.Contains(t, o.Out, "blocking:capacity=2: blocking in ")
	assert.NotContains(t, o.Out, "skeleton")
	o = commandtest.Run(t, "replay", "cases/blocking-capacity-2.deq.case")
	assert.Equal(t, exit.Violation, o.Code)
	assert.Contains(t, o.Out, "is suspended for ever in its enq")

	o = commandtest.Cancelled(t, "progress")
	assert.Equal(t, exit.Interrupted, o.Code)
}

func TestBadCommandLines(t *testing.T) {
	for args, want := range map[string]string{
		"progress deque":               `unknown structure "deque": expected one of abp, tz, the, blocking, static, list`,
		"progress abp:width=3":         `structure abp:width=3: nothing is expected of its progress; expected one of abp, `,
		"progress --memory native abp": `--memory native: expected sc or ptx: every execution is made, and there the machine decides who goes next`,
		"progress --memory weird abp":  `--memory "weird": expected sc, ptx, or where`,
	} {
		o := commandtest.Run(t, strings.Fields(args)...)
		assert.Equal(t, exit.Usage, o.Code, args)
		assert.Empty(t, o.Out, args)
		assert.Contains(t, o.Err, "stealproof: "+want, args)
		assert.Equal(t, 1, strings.Count(o.Err, "\n"), "one line: %s", o.Err)
	}
}
