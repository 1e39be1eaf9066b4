package main

import (
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"stealproof/gpu"
	"stealproof/model"
)

func (a *app) gpuBenchCommand() *cobra.Command {
	var f gpuFlags
	cmd := &cobra.Command{
		Use:   "bench [flags] STRUCTURE[:SETTING=VALUE,...]",
		Short: "Measure what recording costs: without it, raw, announced, and performed",
		RunE:  func(cmd *cobra.Command, args []string) error { return a.gpuBench(cmd, &f, args) },
	}
	f.register(cmd.Flags())
	_ = cmd.Flags().MarkHidden("capture")
	return cmd
}

// gpuBench interleaves the modes, so that all of them see the same machine.
func (a *app) gpuBench(cmd *cobra.Command, f *gpuFlags, args []string) error {
	a.verdict = model.NotRun
	o, err := f.options(args)
	if err != nil {
		return err
	}
	f.Options = o
	modes := []struct {
		name string
		set  func(o *gpu.Options)
	}{
		{"unlogged", func(o *gpu.Options) { o.Performed, o.Unlogged = false, true }},
		{"raw", func(o *gpu.Options) { o.Performed = false }},
		{"raw, announced", func(o *gpu.Options) { o.Performed, o.Announce = false, true }},
		{"performed", func(o *gpu.Options) { o.Performed = true }},
	}
	runners := make([]*gpu.Runner, len(modes))
	for i, m := range modes {
		with := o
		m.set(&with)
		if runners[i], err = gpu.Open(with); err != nil {
			return err
		}
		defer runners[i].Close()
	}
	times := make([][]time.Duration, len(modes))
	operations := 0
	for round := range f.repeat + 1 {
		for i, r := range runners {
			l, err := r.Launch(cmd.Context(), f.seed)
			if err != nil {
				return err
			}
			if l.Hang != "" {
				return fmt.Errorf("hang: %s", l.Hang)
			}
			if round > 0 { // the first is to warm up
				times[i] = append(times[i], l.Elapsed)
				operations = l.Operations
			}
		}
	}
	blocks, warps := runners[0].Blocks()
	fmt.Fprintf(a.out, "%s: %d x %d processes in %d blocks of %d warps, %d operations a launch, median of %d launches\n",
		f.name(), o.Objects, o.Processes, blocks, warps, operations, f.repeat)
	base := median(times[0])
	for i, m := range modes {
		t := median(times[i])
		fmt.Fprintf(a.out, "  %-15s %10s  %6.0f million operations a second  %+.1f%% time\n",
			m.name, t.Round(time.Microsecond), float64(operations)/t.Seconds()/1e6, 100*(t.Seconds()/base.Seconds()-1))
	}
	a.verdict = model.Linearizable
	return nil
}

func median(t []time.Duration) time.Duration {
	slices.Sort(t)
	return t[len(t)/2]
}
