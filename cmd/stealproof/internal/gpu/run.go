package gpu

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"stealproof/cmd/stealproof/internal/console"
	"stealproof/cmd/stealproof/internal/exit"
	"stealproof/cmd/stealproof/internal/files"
	"stealproof/gpu"
	"stealproof/linearize"
	"stealproof/model"
)

func runCommand(con *console.Console) *cobra.Command {
	var f launchFlags
	cmd := &cobra.Command{
		Use:   "run [flags] STRUCTURE[:SETTING=VALUE,...]",
		Short: "Run a structure on a device, and bring back its history",
		Long: `Measures the device's clock, launches the structure so often, and brings back
what every process did and when. With --check every launch is decided while the
next one runs, until one violates what the model promises.`,
		Example: `  stealproof gpu run abp --check --for 60s
  stealproof gpu run abp:without=steal-head-tail --groups 640 --check --repeat 100
  stealproof gpu run abp:width=1 --naps 20us --check --out width1.jsonl.gz --out-objects 1
  stealproof gpu run --module my.ptx --model wsdeque --check
  stealproof gpu run abp --patch steal_swap_head.blind --check
  stealproof gpu run --module my.ptx --model wsdeque --patch my.cu:31.drop --check`,
		RunE: exit.Command(func(cmd *cobra.Command, args []string) (model.Verdict, error) {
			return run(cmd, con, &f, args)
		}).RunE,
	}
	fl := cmd.Flags()
	f.register(fl)
	fl.DurationVar(&f.duration, "for", 0, "launch for so long instead, as in 60s")
	fl.BoolVar(&f.check, "check", false, "decide every launch")
	fl.DurationVar(&f.checkTimeout, "check-timeout", time.Minute, "of deciding one launch; what is not decided by then is undecided")
	fl.BoolVar(&f.keepGoing, "keep-going", false, "go on after a violation, and count")
	fl.StringVar(&f.out, "out", "", "write the history of the first violating launch, or of the last one (.jsonl, .jsonl.gz, .sph)")
	fl.IntVar(&f.outObjects, "out-objects", 0, "write so many objects only, those that violate first, and nothing after their violation (default all)")
	fl.BoolVar(&f.Announce, "announce", false, "log each call before it starts: for kernels that hang")
	fl.StringVar(&f.date, "date", "", "date for the history's header (default now)")
	return cmd
}

// campaign is a series of launches and what was found.
type campaign struct {
	con         *console.Console
	flags       *launchFlags
	calibration *gpu.Calibration
	meta        map[string]any

	launches, operations, objects, violating int
	judged, undecided                        int
	elapsed, checking                        time.Duration
	firstAfter                               time.Duration // device time until the first violation
	firstOperations                          int
	kinds                                    map[string]int
	hang, trap                               string
	relaunch                                 relauncher
	begin                                    time.Time // of the first launch
	dropped                                  uint64
	found                                    *linearize.Violation
	kept                                     *model.History
}

func run(cmd *cobra.Command, con *console.Console, f *launchFlags, args []string) (model.Verdict, error) {
	o, err := f.options(args)
	if err != nil {
		return model.NotRun, err
	}
	f.Options = o
	if f.out != "" {
		if _, err := files.Formats().WrittenAs(f.out, ""); err != nil {
			return model.NotRun, err
		}
		if err := files.CanWrite(f.out); err != nil {
			return model.NotRun, err
		}
	}
	calibration, err := gpu.Calibrate(o.Device)
	if err != nil {
		return model.NotRun, err
	}
	if err := calibration.Err(); err != nil {
		return model.NotRun, err
	}
	o.Resolution, o.Spread = calibration.Tick, calibration.Spread()
	r, err := gpu.Open(o)
	if err != nil {
		return model.NotRun, err
	}
	defer r.Close()
	if f.date == "" {
		f.date = time.Now().UTC().Format(time.RFC3339)
	}
	c := &campaign{con: con, relaunch: relaunch, flags: f, calibration: calibration, kinds: map[string]int{}, meta: meta(cmd, f, calibration, args)}
	c.begin = time.Now()
	if err := c.run(cmd.Context(), r); err != nil {
		return model.NotRun, err
	}
	return c.finish()
}

// run launches, and checks each launch while the next one runs.
func (c *campaign) run(whole context.Context, r launcher) error {
	ctx, cancel := context.WithCancel(whole)
	defer cancel()
	if c.flags.duration > 0 {
		ctx, cancel = context.WithTimeout(ctx, c.flags.duration)
		defer cancel()
	}
	launches := make(chan *gpu.Launch)
	failed := make(chan error, 1)
	go func() {
		defer close(launches)
		failed <- c.launch(ctx, r, launches)
	}()
	stopped := false
	var broken error
	for l := range launches {
		if stopped {
			continue
		}
		if broken = c.take(whole, l); broken != nil {
			stopped = true
			cancel()
			continue
		}
		if l.Trap != "" {
			c.afterTrap(whole, l)
		}
		if c.found != nil && !c.flags.keepGoing || c.hang != "" || c.trap != "" {
			stopped = true
			cancel()
		}
	}
	err := <-failed
	if stopped {
		return broken
	}
	return err
}

func (c *campaign) launch(ctx context.Context, r launcher, launches chan<- *gpu.Launch) error {
	for i := 0; c.flags.duration > 0 || i < c.flags.repeat; i++ {
		if ctx.Err() != nil {
			return nil
		}
		// not ctx: a launch that began is let finish
		l, err := r.Launch(context.WithoutCancel(ctx), c.flags.seed+uint64(i))
		if err != nil {
			return err
		}
		launches <- l
		if l.Hang != "" || l.Trap != "" {
			return nil
		}
	}
	return nil
}

// take counts a launch and decides it. What its logs hold may be no history.
func (c *campaign) take(ctx context.Context, l *gpu.Launch) error {
	c.launches++
	c.operations += l.Operations
	c.elapsed += l.Elapsed
	c.dropped += l.Dropped
	c.hang = l.Hang
	c.objects += c.flags.Objects
	if l.History == nil || len(l.History.Ops) == 0 {
		return nil
	}
	var report *linearize.Report
	if c.flags.check && (!l.Partial || c.flags.Announce && l.Trap == "") && l.Dropped == 0 {
		start := time.Now()
		report = linearize.Check(ctx, l.History, linearize.Options{Timeout: c.flags.checkTimeout})
		c.checking += time.Since(start)
		if report.Invalid != nil && !l.Partial { // of a kernel that did not end, logs may break off anywhere
			return noHistory(l, report.Invalid)
		}
		c.count(l, report)
	}
	if c.flags.out != "" && c.found == nil || report != nil && len(report.Violations) > 0 && c.firstIs(report) {
		c.keep(l, report)
	}
	return nil
}

// noHistory says that the logs of a launch contradict what every recorder keeps
// to, whatever the structure does: that is no violation of the structure.
func noHistory(l *gpu.Launch, why error) error {
	return fmt.Errorf("the logs of the launch with seed %d are no history, so they are not judged (the kernel, or how it records, is broken): %w", l.Seed, why)
}

func (c *campaign) firstIs(r *linearize.Report) bool { return c.found == &r.Violations[0] }

func (c *campaign) count(l *gpu.Launch, r *linearize.Report) {
	objects := map[uint32]bool{}
	for i := range r.Violations {
		c.kinds[r.Violations[i].Kind]++
		objects[r.Violations[i].Object] = true
	}
	c.violating += len(objects)
	c.judged += c.flags.Objects
	c.undecided += len(r.Undecided)
	if c.found == nil && len(r.Violations) > 0 {
		c.found = &r.Violations[0]
		c.firstAfter, c.firstOperations = c.elapsed, c.operations
	}
}

// keep sets aside what is to be written: everything, or a few objects up to
// their violation.
func (c *campaign) keep(l *gpu.Launch, r *linearize.Report) {
	h := l.History
	if n := c.flags.outObjects; n > 0 {
		h = someObjects(h, r, n)
	}
	c.meta["seed"] = l.Seed
	c.meta["launches_before"] = c.launches - 1
	h.Meta, _ = json.Marshal(c.meta)
	c.kept = h
}

// finish says what all launches came to, and writes what was kept.
func (c *campaign) finish() (model.Verdict, error) {
	f := c.flags
	defer c.note(&c.con.Report)
	rate := 0.0
	if c.elapsed > 0 {
		rate = float64(c.operations) / c.elapsed.Seconds() / 1e6
	}
	c.con.Print("%s on %s, %s capture: %d launches of %d x %d processes, %d operations, %s on the device, %.0f million a second\n",
		f.name(), c.calibration.Device.Name, f.capture, c.launches, f.Objects, f.Processes, c.operations, c.elapsed.Round(10*time.Microsecond), rate)
	if c.dropped > 0 {
		c.con.Print("  %d operations found no room in their logs: the history is not complete and not judged\n", c.dropped)
	}
	verdict := model.Linearizable
	if c.launches == 0 {
		verdict = model.NotRun
	}
	if f.check {
		verdict = c.judge()
	}
	if c.hang != "" {
		c.con.Print("  hang: %s\n", c.hang)
		verdict = model.Violation
	}
	if c.trap != "" {
		c.con.Print("  trap: %s\n", c.trap)
		verdict = model.Violation
	}
	if c.dropped > 0 && verdict != model.Violation {
		verdict = model.Undecided
	}
	if f.out == "" || c.kept == nil {
		return verdict, nil
	}
	if err := files.Formats().WriteFile(f.out, c.kept); err != nil {
		return verdict, err
	}
	c.con.Print("  %d operations written to %s\n", len(c.kept.Ops), f.out)
	return verdict, nil
}

// judge says what came of deciding the launches.
func (c *campaign) judge() model.Verdict {
	switch {
	case c.found != nil:
		c.con.Print("  violation: %d of %d objects %v; the first after %s on the device, %d operations; checked in %s\n",
			c.violating, c.objects, c.kinds, c.firstAfter.Round(10*time.Microsecond), c.firstOperations, c.checking.Round(time.Millisecond))
		c.con.Print("  object %d, %s: %s\n", c.found.Object, c.found.Kind, c.found.Explanation)
		return model.Violation
	case c.undecided > 0:
		c.con.Print("  undecided: %d objects; no violation in the others; checked in %s\n", c.undecided, c.checking.Round(time.Millisecond))
		return model.Undecided
	case c.judged == 0:
		return model.NotRun
	}
	c.con.Print("  linearizable: %d objects; checked in %s, %s from the first launch to the verdict\n",
		c.judged, c.checking.Round(time.Millisecond), time.Since(c.begin).Round(10*time.Millisecond))
	return model.Linearizable
}
