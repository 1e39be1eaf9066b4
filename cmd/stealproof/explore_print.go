package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"stealproof/fuzz"
)

func (a *app) printCampaign(c *fuzz.Campaign, r *fuzz.Result) {
	memory := "simulated memory, strategy " + c.Schedule.String()
	if m := c.Subject.Memory(); m.Structure != "" {
		memory = "simulated memory " + m.String() + ", strategy " + c.Schedule.String()
	}
	if c.Native {
		memory = "real atomics"
	}
	fmt.Fprintf(a.out, "%s on %s: %s after %d executions, %d operations, in %s\n",
		c.Subject.Spec(), memory, r.Verdict, r.Executions, r.Operations, r.Elapsed.Round(time.Millisecond))
	if r.Undecided > 0 {
		fmt.Fprintf(a.out, "%d executions stayed undecided: a limit was met before all operations had returned\n", r.Undecided)
	}
}

func (a *app) printFailure(found *fuzz.Failure, f exploreFlags) error {
	fmt.Fprintf(a.out, "\n%s\n", describeFinding(found.Finding))
	if found.Case.Memory.Structure != "" {
		if again, err := fuzz.RunCase(found.Case); err == nil {
			a.printReordered(again)
		}
	}
	fmt.Fprintf(a.out, "\n%s", readable(found.Case.String()))
	if f.memory == memoryNative {
		fmt.Fprintln(a.out, "\nA native run cannot be repeated; the simulated memory may show the same.")
	}
	if f.history != "" {
		if err := formats().WriteFile(f.history, found.History); err != nil {
			return err
		}
		fmt.Fprintf(a.out, "\nHistory saved. To judge it again: stealproof check %s\n", f.history)
	}
	if f.save == "" {
		return nil
	}
	if err := os.WriteFile(f.save, []byte(found.Case.String()), 0o644); err != nil {
		return unreadable(f.save, err)
	}
	fmt.Fprintln(a.out, "\nCase saved.")
	if f.memory != memoryNative {
		fmt.Fprintf(a.out, "To see it step by step: stealproof replay %s\n", f.save)
	}
	return nil
}

const longestLine = 600

// readable cuts lines that nobody would read to their end.
func readable(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if n := len(line) - longestLine; n > 0 {
			line = fmt.Sprintf("%s ... and %d characters more, which --save keeps\n", line[:longestLine], n)
		}
		b.WriteString(line)
	}
	return b.String()
}
