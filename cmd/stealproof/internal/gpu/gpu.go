// Package gpu is "stealproof gpu" and the commands below it.
package gpu

import (
	"fmt"

	"github.com/spf13/cobra"

	"stealproof/cmd/stealproof/internal/console"
	"stealproof/cmd/stealproof/internal/exit"
	"stealproof/cmd/stealproof/internal/report"
	"stealproof/cmd/stealproof/internal/usage"
	"stealproof/gpu"
	"stealproof/model"
)

// Command is "stealproof gpu".
func Command(con *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "gpu",
		Short: "Capture histories from a CUDA device, and check them",
		Long: `Runs the published structures, or a kernel of yours, on a CUDA device, records
every operation with its time, and decides what came back.

This needs a build with CUDA: go build -tags cuda, see docs/gpu.md.`,
		Args: usage.KnownCommandOf("gpu"),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(listCommand(con), calibrateCommand(con), runCommand(con), benchCommand(con), tableCommand(con))
	return cmd
}

func listCommand(con *console.Console) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the CUDA devices",
		Args:  usage.NoArguments("gpu list"),
		RunE: exit.Command(func(*cobra.Command, []string) (model.Verdict, error) {
			devices, err := gpu.List()
			if err != nil {
				return model.NotRun, err
			}
			for _, d := range devices {
				con.Print("%d: %s\n", d.Index, describeDevice(d))
				con.Report.Add(report.Item{Name: fmt.Sprint(d.Index), Verdict: report.Holds, Answer: describeDevice(d)})
			}
			if len(devices) == 0 {
				con.Say("this machine has no CUDA device")
				return model.NotRun, nil
			}
			return model.Linearizable, nil
		}).RunE,
	}
}

func describeDevice(d gpu.Device) string {
	return fmt.Sprintf("%s, compute capability %d.%d, %d multiprocessors at %d MHz, %d MB, driver for CUDA %s",
		d.Name, d.Major, d.Minor, d.Multiprocessors, d.ClockMHz, d.MemoryMB, d.Driver)
}

func calibrateCommand(con *console.Console) *cobra.Command {
	device := 0
	cmd := &cobra.Command{
		Use:   "calibrate",
		Short: "Measure a device's clock: its tick, and whether it agrees between multiprocessors",
		Args:  usage.NoArguments("gpu calibrate"),
		RunE: func(*cobra.Command, []string) error {
			c, err := gpu.Calibrate(device)
			if err != nil {
				return err
			}
			con.Print("%s\n%s\n", describeDevice(c.Device), describeClock(c))
			noteDevice(&con.Report, c)
			return c.Err()
		},
	}
	cmd.Flags().IntVar(&device, "device", 0, "number of the device, as listed")
	return cmd
}

func describeClock(c *gpu.Calibration) string {
	return fmt.Sprintf("globaltimer: tick %d ns; %d hand-overs in %d pairs of multiprocessors: %d steps back (furthest %d ns), smallest gap %d ns, skew at most %d ns, returns widened by %d ns; %d pairs unanswered",
		c.Tick, c.Handovers, c.Pairs, c.Backward, c.Furthest, c.Smallest, c.Skew, c.Spread(), c.Unanswered)
}
