// Package manual has the commands that print pages about the program: its manual, and
// the schema of its reports.
package manual

import (
	"bytes"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"stealproof/cmd/stealproof/internal/console"
	"stealproof/cmd/stealproof/internal/files"
	"stealproof/cmd/stealproof/internal/report"
	"stealproof/cmd/stealproof/internal/usage"
	"stealproof/cmd/stealproof/internal/version"
)

// SchemaCommand is "stealproof schema".
func SchemaCommand(con *console.Console) *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of what --json prints",
		Args:  usage.NoArguments("schema"),
		Run:   func(*cobra.Command, []string) { con.Print("%s", report.SchemaText) },
	}
}

// Command is "stealproof man".
func Command(con *console.Console) *cobra.Command {
	folder := ""
	cmd := &cobra.Command{
		Use:   "man [COMMAND]",
		Short: "Print the manual, as a page for man",
		Long: `Prints the manual of the program, or of one of its commands, as man reads it.
With --dir the pages of all commands are written into a folder, as stealproof.1,
stealproof-check.1 and so on.`,
		Example: "  stealproof man explore | man -l -\n  stealproof man --dir ~/.local/share/man/man1",
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err == nil {
				err = usage.KnownCommand(cmd, rest)
			}
			if err != nil {
				return err
			}
			if folder == "" {
				con.Print("%s", page(about))
				return nil
			}
			return writeAll(folder, about)
		},
	}
	cmd.Flags().StringVar(&folder, "dir", "", "write the pages of all commands into this folder")
	return cmd
}

// writeAll writes the page of a command, and those of the commands below it.
func writeAll(folder string, c *cobra.Command) error {
	if err := files.MakeFolder(folder); err != nil {
		return err
	}
	if err := files.Save(filepath.Join(folder, pageName(c)+".1"), page(c)); err != nil {
		return err
	}
	for _, below := range c.Commands() {
		if below.IsAvailableCommand() {
			if err := writeAll(folder, below); err != nil {
				return err
			}
		}
	}
	return nil
}

// pageName is "stealproof-gpu-run".
func pageName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// page is the manual of a command in the language of man.
func page(c *cobra.Command) string {
	c.InitDefaultHelpFlag()
	p := &roff{}
	p.raw(`.TH "` + strings.ToUpper(pageName(c)) + `" "1" "" "stealproof ` + version.Name() + `" "stealproof"`)
	p.section("NAME")
	p.line(pageName(c) + " - " + c.Short)
	p.section("SYNOPSIS")
	p.bold(c.UseLine())
	if c.Long != "" {
		p.section("DESCRIPTION")
		p.asItIs(c.Long)
	}
	if c.HasAvailableSubCommands() {
		p.section("COMMANDS")
		for _, below := range c.Commands() {
			if below.IsAvailableCommand() {
				p.item(below.Name(), below.Short)
			}
		}
	}
	p.flags("OPTIONS", c.LocalFlags())
	p.flags("OPTIONS OF ALL COMMANDS", c.InheritedFlags())
	if c.Example != "" {
		p.section("EXAMPLES")
		p.asItIs(c.Example)
	}
	p.section("EXIT STATUS")
	for _, code := range [][2]string{
		{"0", "everything asked was decided and holds"}, {"1", "a violation was found"}, {"2", "the command line or an input is wrong"},
		{"3", "undecided: a limit was met"}, {"129, 130, 143", "ended by SIGHUP, Ctrl-C, SIGTERM"},
	} {
		p.item(code[0], code[1])
	}
	if c.HasParent() {
		p.section("SEE ALSO")
		p.bold(pageName(c.Parent()) + "(1)")
	}
	return p.String()
}

// roff is text in the language of man.
type roff struct{ bytes.Buffer }

func (p *roff) raw(line string) { p.WriteString(line + "\n") }

func (p *roff) section(name string) { p.raw(".SH " + name) }

func (p *roff) line(text string) { p.raw(escaped(text)) }

func (p *roff) bold(text string) { p.raw(`\fB` + escaped(text) + `\fR`) }

// item is a word, and what is said of it.
func (p *roff) item(word, text string) {
	p.raw(".TP")
	p.bold(word)
	p.line(text)
}

// asItIs keeps the lines, which are those of the help.
func (p *roff) asItIs(text string) {
	p.raw(".nf")
	for line := range strings.Lines(strings.TrimRight(text, "\n") + "\n") {
		p.line(strings.TrimSuffix(line, "\n"))
	}
	p.raw(".fi")
}

var roffEscaped = strings.NewReplacer(`\`, `\e`, "-", `\-`)

// escaped is text that means nothing to man, not even at the beginning of a line.
func escaped(text string) string {
	text = roffEscaped.Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return strings.ReplaceAll(text, "\n", " ")
}
