package main

import (
	"context"
	"fmt"

	"stealproof/gpu"
)

// trapLaunches is how often a launch that has trapped is tried again.
const trapLaunches = 3

// afterTrap makes up for a log that went with the device's memory: the launch is
// tried again with the same seed, the logs in the host's memory, and every call
// announced. What that leaves behind is kept, and never judged: what was on its
// way to the host when the kernel ended is missing.
func (c *gpuCampaign) afterTrap(ctx context.Context, l *gpu.Launch, open opener, o gpu.Options) *gpu.Launch {
	c.trap = l.Trap
	if o.HostLogs {
		c.trap += "; " + kept(l)
		return l
	}
	o.HostLogs, o.Announce = true, true
	for i := range trapLaunches {
		again, err := launchOnce(ctx, open, o, l.Seed)
		if err != nil {
			c.trap += fmt.Sprintf("; its log is lost (tried again with --logs host: %v)", err)
			return l
		}
		if again.Trap != "" {
			c.trap += fmt.Sprintf("; its log is lost, launched again (%d) with seed %d, --logs host --announce, it trapped as well; %s", i+1, l.Seed, kept(again))
			return again
		}
		if again.Hang != "" {
			c.trap += fmt.Sprintf("; its log is lost, launched again with --logs host it did not end: %s", again.Hang)
			return l
		}
	}
	c.trap += fmt.Sprintf("; its log is lost, and %d further launches with seed %d and --logs host did not trap", trapLaunches, l.Seed)
	return l
}

func launchOnce(ctx context.Context, open opener, o gpu.Options, seed uint64) (*gpu.Launch, error) {
	r, err := open(o)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return r.Launch(ctx, seed)
}

func kept(l *gpu.Launch) string {
	return fmt.Sprintf("%d operations were recorded until then", l.Operations)
}
