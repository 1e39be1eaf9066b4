// Package console is where commands read from and print to.
package console

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"stealproof/cmd/stealproof/internal/report"
)

// Console is the program's input, what it prints its results to, and what it
// prints messages and its progress to; and what it found, for machines.
type Console struct {
	In       io.Reader
	Out, Err io.Writer
	Args     []string // the command line
	Report   report.Report

	lines io.Writer // standard output, where Out is not
}

// ForMachines has only objects printed, and none of the results' text.
func (c *Console) ForMachines() { c.lines, c.Out = c.Out, io.Discard }

// PrintLine prints an object for machines.
func (c *Console) PrintLine(object []byte) { fmt.Fprintf(c.lines, "%s\n", object) }

// Print prints results.
func (c *Console) Print(format string, values ...any) { fmt.Fprintf(c.Out, format, values...) }

// Say prints a message: that of an error, or what a user should know.
func (c *Console) Say(format string, values ...any) {
	fmt.Fprintf(c.Err, "stealproof: "+format+"\n", values...)
}

// SayLimit says that a limit was met.
func (c *Console) SayLimit(format string, values ...any) {
	c.Say(format, values...)
	c.Report.Limit(format, values...)
}

// Attended says whether somebody sits there who can be asked.
func (c *Console) Attended() bool { return isTerminal(c.In) && isTerminal(c.Err) }

func isTerminal(end any) bool {
	f, isFile := end.(*os.File)
	return isFile && term.IsTerminal(int(f.Fd()))
}

// Asked puts a question, and says whether the answer is yes.
func (c *Console) Asked(question string) bool {
	fmt.Fprint(c.Err, question)
	answer, err := bufio.NewReader(c.In).ReadString('\n')
	return err == nil && strings.HasPrefix(strings.ToLower(strings.TrimSpace(answer)), "y")
}
