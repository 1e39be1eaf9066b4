package gpu

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"stealproof/cmd/stealproof/internal/console"
	"stealproof/cmd/stealproof/internal/exit"
	"stealproof/gpu"
	"stealproof/model"
)

func benchCommand(con *console.Console) *cobra.Command {
	var f launchFlags
	cmd := &cobra.Command{
		Use:   "bench [flags] STRUCTURE[:SETTING=VALUE,...]",
		Short: "Measure what recording costs: unrecorded, raw, announced, and performed",
		RunE: exit.Command(func(cmd *cobra.Command, args []string) (model.Verdict, error) {
			return bench(cmd, con, &f, args)
		}).RunE,
	}
	f.register(cmd.Flags())
	_ = cmd.Flags().MarkHidden("capture")
	return cmd
}

// benchMode is one way to run a kernel; the first is what the others are
// compared with.
type benchMode struct {
	name  string
	set   func(o *gpu.Options)
	times []time.Duration
}

// benchModes: unrecorded is the same kernel that reads no clock and writes no log.
func benchModes() []*benchMode {
	return []*benchMode{
		{name: "unrecorded", set: func(o *gpu.Options) { o.Performed, o.Unlogged = false, true }},
		{name: "raw", set: func(o *gpu.Options) { o.Performed = false }},
		{name: "raw, announced", set: func(o *gpu.Options) { o.Performed, o.Announce = false, true }},
		{name: "performed", set: func(o *gpu.Options) { o.Performed = true }},
	}
}

func bench(cmd *cobra.Command, con *console.Console, f *launchFlags, args []string) (model.Verdict, error) {
	o, err := f.options(args)
	if err != nil {
		return model.NotRun, err
	}
	f.Options = o
	modes := benchModes()
	runners := make([]*gpu.Runner, len(modes))
	for i, m := range modes {
		with := o
		m.set(&with)
		if runners[i], err = gpu.Open(with); err != nil {
			return model.NotRun, err
		}
		defer runners[i].Close()
	}
	operations := 0
	for round := range f.repeat + 1 {
		if operations, err = benchRound(cmd.Context(), modes, runners, f.seed, round); err != nil {
			return model.NotRun, err
		}
	}
	blocks, warps := runners[0].Blocks()
	con.Print("%s: %d x %d processes in %d blocks of %d warps, %d operations a launch, %d launches of each\n",
		f.name(), o.Objects, o.Processes, blocks, warps, operations, f.repeat)
	noteBench(&con.Report, f, modes, operations)
	for _, m := range modes {
		con.Print("%s\n", m.line(modes[0].times, operations))
	}
	return model.Linearizable, nil
}

// benchRound launches each mode once, in turn, so that all of them see the same
// machine. Who begins changes from round to round; round 0 is to warm up.
func benchRound(ctx context.Context, modes []*benchMode, runners []*gpu.Runner, seed uint64, round int) (operations int, err error) {
	for i := range modes {
		i = (i + round) % len(modes)
		l, err := runners[i].Launch(ctx, seed+uint64(round))
		if err != nil {
			return 0, err
		}
		if l.Hang != "" || l.Trap != "" {
			return 0, fmt.Errorf("hang or trap: %s%s", l.Hang, l.Trap)
		}
		if round > 0 {
			modes[i].times = append(modes[i].times, l.Elapsed)
		}
		operations = l.Operations
	}
	return operations, nil
}

// line compares each launch with the one of the same round and seed that was
// not recorded: the median of what it took more, and the middle half.
func (m *benchMode) line(base []time.Duration, operations int) string {
	t := quantile(m.times, 0.5)
	more := make([]float64, len(m.times))
	for i := range more {
		more[i] = 100 * (float64(m.times[i])/float64(base[i]) - 1)
	}
	return fmt.Sprintf("  %-15s %10s  %6.0f million operations a second  %+.1f%% time (%+.1f%% to %+.1f%%)",
		m.name, t.Round(time.Microsecond), float64(operations)/t.Seconds()/1e6, quantile(more, 0.5), quantile(more, 0.25), quantile(more, 0.75))
}

// quantile of values, which stay as they are.
func quantile[T cmp.Ordered](values []T, q float64) T {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[int(q*float64(len(sorted)-1)+0.5)]
}
