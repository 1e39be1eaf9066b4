package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/linearize/format"
	"stealproof/model"
)

// The limit of --memory is what the process has at its most, as the kernel counts it.
// What would need more is refused, with what would do: with that it is decided.
func TestCommandsUseTheMemoryThatIsAllowed(t *testing.T) {
	folder, environment := program(t)
	n := 250_000
	if os.Getenv("STEALPROOF_LARGE") != "" {
		n = 600_000
	} else if testing.Short() {
		t.Skip("a hundred megabytes")
	}
	needs := regexp.MustCompile(`its operations need about ([0-9.]+) MiB`)
	for _, kind := range []model.Kind{model.FIFO, model.Bag} {
		for _, file := range []string{"large.jsonl", "large.sph"} {
			path := filepath.Join(t.TempDir(), file)
			require.NoError(t, format.WriteFile(path, overlapping(kind, n)))
			check := func(mib int) (out string, used int) {
				cmd := exec.Command(filepath.Join(folder, "stealproof"), "check", "--memory", strconv.Itoa(mib), path)
				cmd.Env = append(environment, "GOGC=100")
				return peak(t, cmd)
			}
			out, used := check(20)
			found := needs.FindStringSubmatch(out)
			require.NotNil(t, found, out)
			assert.LessOrEqual(t, used, 2*programItself, "nothing was read")
			need, err := strconv.ParseFloat(found[1], 64)
			require.NoError(t, err)
			out, used = check(int(need) + 1 + programItself)
			assert.Contains(t, out, "linearizable", "%v %s", kind, file)
			assert.LessOrEqual(t, used, int(need)+2*programItself, "%v %s: MiB", kind, file)
		}
	}
}

// peak runs a program to its end, and looks all the while how much memory it had at
// its most: what the kernel says of it afterwards would count its parent's.
func peak(t *testing.T, cmd *exec.Cmd) (out string, mib int) {
	var text strings.Builder
	cmd.Stdout, cmd.Stderr = &text, &text
	require.NoError(t, cmd.Start())
	ended := make(chan error)
	go func() { ended <- cmd.Wait() }()
	for {
		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
		name, _ := os.Readlink(fmt.Sprintf("/proc/%d/exe", cmd.Process.Pid))
		if found := peakOfStatus.FindSubmatch(status); found != nil && name != "" {
			kib, err := strconv.Atoi(string(found[1]))
			require.NoError(t, err)
			mib = max(mib, kib>>10)
		}
		select {
		case <-ended:
			if mib == 0 {
				t.Skip("nobody says here how much memory a process had")
			}
			return text.String(), mib
		case <-time.After(2 * time.Millisecond):
		}
	}
}

var peakOfStatus = regexp.MustCompile(`(?m)^Vm(?:HWM|RSS):\s+(\d+) kB`)

// programItself is what the program takes besides, with what the tests link: MiB.
const programItself = 32

// overlapping is a history with a capacity, so that an order has to be searched.
func overlapping(kind model.Kind, n int) *model.History {
	r := rand.New(rand.NewPCG(1, 1))
	h := &model.History{Kind: kind, Params: model.Params{Capacity: 64}, Ops: make([]model.Operation, n)}
	var inside []uint64
	put, remove := kind.Ops()[0], kind.Ops()[1]
	for i := range h.Ops {
		at := uint64(1000 + 10*i)
		o := model.Operation{Op: put, Result: model.Full, Value: model.NoValue, Process: uint32(i % 16), Call: at - r.Uint64N(60), Return: at + r.Uint64N(60)}
		switch {
		case r.IntN(2) == 0 && len(inside) < 64:
			o.Result, o.Value = model.OK, uint64(i)
			inside = append(inside, o.Value)
		case r.IntN(20) > 0 && len(inside) == 0:
			o.Op, o.Result = remove, model.Empty
		case len(inside) > 0 && (len(inside) < 64 || r.IntN(3) > 0):
			o.Op, o.Result, o.Value = remove, model.OK, inside[0]
			inside = inside[1:]
		default:
			o.Op, o.Result = remove, model.Abort
			if len(inside) == 64 {
				o.Op, o.Result = put, model.Full
			}
		}
		h.Ops[i] = o
	}
	if err := h.Validate(); err != nil {
		panic(fmt.Sprint("the history is none: ", err))
	}
	return h
}
