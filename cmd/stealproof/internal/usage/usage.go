// Package usage says what is wrong with a command line: in one line that names
// what was expected, and where to read more.
package usage

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// KnownCommand refuses what is not a command.
func KnownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, c := range cmd.Root().Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return fmt.Errorf("unknown command %.40q: expected one of %s (see \"stealproof --help\")", args[0], strings.Join(names, ", "))
}

// KnownCommandOf refuses what is not a command below another.
func KnownCommandOf(parent string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		var names []string
		for _, c := range cmd.Commands() {
			names = append(names, c.Name())
		}
		return fmt.Errorf("unknown command \"%s %.40s\": expected one of %s (see \"stealproof %s --help\")", parent, args[0], strings.Join(names, ", "), parent)
	}
}

// NoArguments refuses any.
func NoArguments(command string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) > 0 {
			return fmt.Errorf("%s: expected no arguments, found %.40q (see \"stealproof %s --help\")", command, args[0], command)
		}
		return nil
	}
}

// OneArgument refuses more or fewer.
func OneArgument(command, what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != 1 {
			return fmt.Errorf("%s: expected %s, found %d arguments (see \"stealproof %s --help\")", command, what, len(args), command)
		}
		return nil
	}
}

// NoEmptyName refuses what a shell makes of a variable that is not set.
func NoEmptyName(command string, files []string) error {
	for i, file := range files {
		if file == "" {
			return fmt.Errorf("%s: the name of file %d is empty (see \"stealproof %s --help\")", command, i+1, command)
		}
	}
	return nil
}

// Help is "stealproof help", which refuses a command that is none.
func Help() *cobra.Command {
	return &cobra.Command{
		Use:   "help [command]",
		Short: "Help about any command",
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil {
				return err
			}
			if err := KnownCommand(cmd, rest); err != nil {
				return err
			}
			about.InitDefaultHelpFlag() // as --help shows it
			return about.Help()
		},
	}
}

const mostJobs = 4096

// Jobs refuses a number of jobs that is none, or that no machine could do at the same
// time.
func Jobs(n int) error {
	switch {
	case n < 0:
		return fmt.Errorf("--jobs %d: expected at least 1, or 0 for one per processor", n)
	case n > mostJobs:
		return fmt.Errorf("--jobs %d: expected at most %d", n, mostJobs)
	}
	return nil
}

// FlagError says what a flag takes, instead of how its text failed to parse.
func FlagError(cmd *cobra.Command, err error) error {
	var value *pflag.InvalidValueError
	if errors.As(err, &value) {
		err = fmt.Errorf("--%s %q: expected %s", value.GetFlag().Name, value.GetValue(), kindOfValue(value.GetFlag().Value.Type()))
	}
	return fmt.Errorf("%w (see \"%s --help\")", err, cmd.CommandPath())
}

func kindOfValue(kind string) string {
	switch kind {
	case "duration above 0":
		return "a duration above 0, as in 30s or 5m"
	case "duration":
		return "a duration, as in 30s or 5m"
	case "int":
		return "a number"
	case "uint64":
		return "a number from 0 up"
	case "bool":
		return "true or false"
	}
	return "a " + kind
}
