// Package command is the whole program but for its main function: the root of
// the commands, which stand in packages of their own.
package command

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"stealproof/cmd/stealproof/internal/compare"
	"stealproof/cmd/stealproof/internal/console"
	"stealproof/cmd/stealproof/internal/exit"
	"stealproof/cmd/stealproof/internal/explore"
	"stealproof/cmd/stealproof/internal/files"
	"stealproof/cmd/stealproof/internal/gpu"
	"stealproof/cmd/stealproof/internal/histories"
	"stealproof/cmd/stealproof/internal/lint"
	"stealproof/cmd/stealproof/internal/litmus"
	"stealproof/cmd/stealproof/internal/manual"
	"stealproof/cmd/stealproof/internal/mutants"
	"stealproof/cmd/stealproof/internal/progress"
	"stealproof/cmd/stealproof/internal/replay"
	"stealproof/cmd/stealproof/internal/report"
	"stealproof/cmd/stealproof/internal/usage"
	"stealproof/cmd/stealproof/internal/verify"
	"stealproof/cmd/stealproof/internal/version"
)

// Run is the program: it carries out a command line, and returns the exit code.
func Run(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) int {
	printed := &console.Delivered{To: out}
	con := &console.Console{In: in, Out: printed, Err: errs, Args: args}
	root := root(con)
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(printed)
	root.SetErr(errs)
	refuseOtherShells(root)
	con.Report.Begin(version.Name(), args)
	cmd, err := root.ExecuteContextC(ctx)
	code, message := exit.Code(ctx, err, undelivered(printed))
	if message != nil {
		con.Say("%v", message)
	}
	if undelivered(printed) != nil || err == nil && con.Report.Command == "" { // of help there is no report
		return code
	}
	con.Report.Command = nameOf(cmd)
	con.Report.End(exit.Verdict(err), code, message)
	if err := cmp.Or(con.Report.Write(printed, errs), undelivered(printed)); err != nil {
		con.Say("%v", err)
		if code < 128 { // a signal wins
			code = exit.Usage
		}
	}
	return code
}

// nameOf is the command as one calls it.
func nameOf(cmd *cobra.Command) string {
	_, name, _ := strings.Cut(cmd.CommandPath(), " ")
	return name
}

// beforehand readies the report that machines read.
func beforehand(con *console.Console) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		name := nameOf(cmd)
		switch word, _, _ := strings.Cut(name, " "); {
		case cmd.HasSubCommands(), word == "help", word == "completion", word == "man", word == "schema":
			if con.Report.Wanted() {
				return fmt.Errorf("--json, --github and --report do not apply to %s: it decides nothing", cmp.Or(name, "help"))
			}
			return nil
		}
		con.Report.Command = name
		if con.Report.JSON() {
			con.ForMachines()
		}
		return con.Report.Open("", func(asked []report.Asked) error { return files.CheckReports(asked, args) })
	}
}

// refuseOtherShells has completion look at its arguments, which it would answer with its
// help; its commands write to where the root does by now.
func refuseOtherShells(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	if completion, _, err := root.Find([]string{"completion"}); err == nil {
		completion.Args = usage.KnownCommandOf("completion")
		completion.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	}
}

func undelivered(d *console.Delivered) error {
	if err := d.Err(); err != nil {
		return files.Error("standard output", err)
	}
	return nil
}

func root(con *console.Console) *cobra.Command {
	root := &cobra.Command{
		Use:   "stealproof",
		Short: "Decides whether the queues that spread work over a GPU are correct",
		Long: `stealproof decides whether concurrent queues are linearizable: work-stealing
deques, shared FIFO queues, range queues and task bags, above all those that
spread work over a GPU.

Start with:
  stealproof verify                 check the published queues on this machine
  stealproof check history.jsonl    decide a history of your own
  stealproof explore abp:width=1    watch a structure break

Exit codes: 0 everything asked was decided and holds; 1 a violation was found;
2 the command line or an input is wrong; 3 undecided, a limit was met. Ended by
a signal: 130 (Ctrl-C), 143 (SIGTERM) or 129 (SIGHUP); what was done until then
is printed and saved, and a second signal ends at once.`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          usage.KnownCommand,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	con.Report.Flags(root.PersistentFlags())
	root.PersistentPreRunE = beforehand(con)
	root.Version = version.Line()
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetHelpCommand(usage.Help())
	root.AddCommand(
		verify.Command(con), histories.CheckCommand(con), explore.Command(con), replay.Command(con), litmus.Command(con),
		progress.Command(con), mutants.Command(con), lint.Command(con), compare.Command(con), histories.ConvertCommand(con), gpu.Command(con), version.Command(con),
		manual.Command(con), manual.SchemaCommand(con),
	)
	root.SetFlagErrorFunc(usage.FlagError)
	return root
}
