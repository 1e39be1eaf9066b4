package compare_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"stealproof/cmd/stealproof/internal/commandtest"
	"stealproof/cmd/stealproof/internal/exit"
	"stealproof/gpu"
)

// Every kernel has the histories of the text that stands beside it, on both memories.
func TestKernels(t *testing.T) {
	if testing.Short() {
		t.Skip("executes every kernel in every way")
	}
	o := commandtest.Run(t, "compare", "--kernels")
	assert.Equal(t, exit.Holds, o.Code, o.Out+o.Err)
	rows := strings.Split(strings.TrimSpace(o.Out), "\n")[1:]
	for _, d := range gpu.Designs {
		for _, memory := range []string{" sc ", " ptx "} {
			found := 0
			for _, row := range rows {
				if strings.HasPrefix(row, d.Name) && strings.Contains(row, memory) {
					found++
				}
			}
			assert.Positive(t, found, d.Name+memory)
		}
		for _, s := range d.Settings {
			if s.Name == "variant" {
				for _, v := range s.Values[1:] {
					assert.Contains(t, o.Out, "variant="+v, d.Name)
				}
			}
		}
	}
	for _, row := range rows {
		assert.Contains(t, row, "  the same  ")
		assert.NotContains(t, row, "/", "as many executions of the kernel as of the text: it makes the same accesses")
	}
}

// What differs is shown by the shortest program, with what either side has and an
// execution of it; what is the same is so.
func TestDifferences(t *testing.T) {
	examples := filepath.Join(commandtest.Root(t), "gpu", "examples")
	ring, hasty := filepath.Join(examples, "ticket.ptx"), filepath.Join(examples, "ticket-trusts-turn.ptx")
	o := commandtest.Run(t, "compare", ring, hasty, "--model", "fifo")
	assert.Equal(t, exit.Violation, o.Code, o.Err)
	for _, want := range []string{
		"ticket-ptx\nand ticket-trusts-turn-ptx: they differ\n\nin no shorter program than\n0: enq deq\n1: enq\n",
		"\nticket-ptx: 8 histories, 2 outcomes\n\nticket-trusts-turn-ptx: 9 histories, 3 outcomes\n  only here: 0: enq ok 1, deq empty; 1: enq ok 2\n",
		"\nan execution of ticket-trusts-turn-ptx that the other does not have:\n",
		"store +264: never written -> 2",
	} {
		assert.Contains(t, o.Out, want)
	}
	abp := filepath.Join(commandtest.Root(t), "gpu", "ptx", "abp.ptx")
	of := []string{"--model", "wsdeque", "--numbers", "2,16,128", "--capacity", "2"}
	o = commandtest.Run(t, append([]string{"compare", "abp:capacity=2", abp, "--memory", "ptx"}, of...)...)
	assert.Equal(t, exit.Holds, o.Code, o.Out+o.Err)
	assert.Contains(t, o.Out, "the same in all 12 programs of at most 2+1 operations (17 histories; 22 and 22 executions)\n")
	// what only the memory tells apart
	o = commandtest.Run(t, append([]string{"compare", "abp:capacity=2,orders=push-fence-task-tail.weak", abp, "--memory", "ptx"}, of...)...)
	assert.Equal(t, exit.Violation, o.Code, o.Out+o.Err)
	assert.Contains(t, o.Out, "  only here: 0: push ok 1; 1: steal ok 0\n")
	// one that never ends
	o = commandtest.Run(t, "compare", "tz:capacity=4", "tz:capacity=4,variant=skeleton", "--shape", "1+1")
	assert.Equal(t, exit.Violation, o.Code, o.Out+o.Err)
	assert.Contains(t, o.Out, "  an execution fails: stuck: ")
}

func TestRefused(t *testing.T) {
	commandtest.Run(t, "compare", "abp").RequireRefused(t, "compare: expected two structures or modules, found 1 (or --kernels)")
	commandtest.Run(t, "compare", "abp", "tz").RequireRefused(t, "abp is a wsdeque and tz a fifo: expected two of the same kind")
	commandtest.Run(t, "compare", "abp", "abp", "--shape", "x").RequireRefused(t, `--shape "x": expected processes x operations, as in 2x3, or the operations of each, as in 3+2`)
	commandtest.Run(t, "compare", "--kernels", "abp").RequireRefused(t, "compare --kernels: expected no structures: it takes all that have a kernel")
}
