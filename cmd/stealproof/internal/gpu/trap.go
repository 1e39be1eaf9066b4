package gpu

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"stealproof/gpu"
)

// trapLaunches is how often a launch that has trapped is tried again.
const trapLaunches = 3

// relauncher runs one launch again in a process of its own, with its logs in the
// host's memory: after a trap there is no CUDA any more in this one. It returns
// what that process said.
type relauncher func(ctx context.Context, seed uint64) (said string, err error)

// relaunch repeats this command for one launch. Flags that come later win.
func relaunch(ctx context.Context, seed uint64) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	args := append(os.Args[1:len(os.Args):len(os.Args)], "--seed", strconv.FormatUint(seed, 10), "--repeat", "1", "--for", "0s", "--logs", "host", "--announce", "--json=false", "--github=false")
	said, err := exec.CommandContext(ctx, self, args...).Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() >= 0 && len(said) > 0 {
		err = nil // it answered
	}
	return string(said), err
}

// afterTrap makes up for a log that went with the device's memory: the launch is
// repeated where its log outlives it, with every call announced. What that leaves
// behind is kept and never judged: what was on its way to the host when the kernel
// ended is missing.
func (c *campaign) afterTrap(ctx context.Context, l *gpu.Launch) {
	c.trap = l.Trap
	if c.flags.HostLogs {
		c.trap += fmt.Sprintf("; %d operations were recorded until then", l.Operations)
		return
	}
	c.trap += "; its log is lost"
	c.kept = nil // what is written is the other process's
	for range trapLaunches {
		said, err := c.relaunch(ctx, l.Seed)
		if err != nil {
			c.trap += fmt.Sprintf(", and launching it again failed: %v", err)
			return
		}
		if strings.Contains(said, "\n  trap: ") {
			c.trap += fmt.Sprintf("; launched again with --seed %d --logs host --announce:\n%s", l.Seed, indented(said))
			return
		}
	}
	c.trap += fmt.Sprintf(", and it did not trap in %d further launches with --seed %d --logs host --announce", trapLaunches, l.Seed)
}

func indented(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n    ")
}
