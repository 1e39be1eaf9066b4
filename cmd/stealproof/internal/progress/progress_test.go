package progress_test

import (
	"path/filepath"
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
		"progress --memory native abp": `--memory native: expected sc, ptx, rc11 or tso: every execution is made, and there the machine decides who goes next`,
		"progress --memory weird abp":  `--memory "weird": expected sc, ptx, rc11, tso, or where`,
	} {
		o := commandtest.Run(t, strings.Fields(args)...)
		assert.Equal(t, exit.Usage, o.Code, args)
		assert.Empty(t, o.Out, args)
		assert.Contains(t, o.Err, "stealproof: "+want, args)
		assert.Equal(t, 1, strings.Count(o.Err, "\n"), "one line: %s", o.Err)
	}
}

// Of a module the same is found as of a structure. The ring waits for who has claimed a
// cell and not filled it, in a loop of three accesses; the deque's kernel makes as many
// accesses as the text.
func TestProgressOfModules(t *testing.T) {
	gpu := filepath.Join(commandtest.Root(t), "gpu")
	folder := t.TempDir()
	ring := filepath.Join(gpu, "examples", "ticket.ptx")
	for _, memory := range []string{"sc", "ptx"} {
		o := commandtest.Run(t, "progress", ring, "--model", "fifo", "--memory", memory, "--save", folder)
		assert.Equal(t, exit.Holds, o.Code, o.Err)
		assert.Contains(t, o.Out, "ticket-ptx: blocking in ")
		assert.Contains(t, o.Out, "  enq    lock-free")
		assert.Regexp(t, `suspended in enq before:\n? *ticket\.ptx:2083:\n? *write; `, o.Out)
		assert.NotContains(t, o.Out, "suspended in deq")
		o = commandtest.Run(t, "replay", "--module", ring, filepath.Join(folder, "ticket-ptx.deq.case"))
		assert.Equal(t, exit.Violation, o.Code, o.Err)
		assert.Contains(t, o.Out, "violation (stuck): process 0 is suspended for ever in its enq")
	}
	o := commandtest.Run(t, "progress", filepath.Join(gpu, "ptx", "abp.ptx"), "--model", "wsdeque", "--numbers", "2,16,128", "--capacity", "2")
	assert.Equal(t, `abp-ptx: wait-free in 179 executions, 49 points of suspension
  push   wait-free, at most 3 accesses of its own
  pop    wait-free, at most 7 accesses of its own
  steal  wait-free, at most 4 accesses of its own
  no execution without end: the longest has 17 accesses
`, o.Out)
	commandtest.Run(t, "progress", ring).RequireRefused(t, ring+": say with --model what it is: wsdeque, fifo, range or bag")
	commandtest.Run(t, "progress", "abp", "--model", "fifo").RequireRefused(t, "--model, --capacity, --numbers and --patch are for modules, as in queue.ptx")
}
