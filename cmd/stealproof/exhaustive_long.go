package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"stealproof/fuzz"
	"stealproof/linearize/format"
	"stealproof/model"
)

// longSearch is the number of executions from which on a search must be wanted:
// some ten minutes on two cores.
const longSearch = 50_000_000

// weakSlower is how many times longer an execution takes on a weak memory.
const weakSlower = 5

// announce estimates a search, and asks before a long one. Where nobody can be
// asked it does not begin.
func (a *app) announce(ctx context.Context, x *fuzz.Exhaust, f exploreFlags) (fuzz.Estimate, bool, error) {
	limited := x.Limit > 0 || f.exhaust.yes
	if f.exhaust.resume != "" || limited && !a.onTerminal() {
		return fuzz.Estimate{}, true, nil
	}
	e, err := x.EstimateAll(ctx, 1)
	long := float64(longSearch)
	if x.Subject.Weak() {
		long /= weakSlower
	}
	if err != nil || x.Limit > 0 || e.Executions < long {
		return e, true, err
	}
	text := fmt.Sprintf("about %s executions, some %s", roughly(e.Executions), roughTime(e.Time(x.Workers())))
	switch {
	case f.exhaust.yes:
		fmt.Fprintln(a.err, text)
		return e, true, nil
	case a.onTerminal() && a.asked(text+": go on? [y/N] "):
		return e, true, nil
	}
	a.verdict = model.NotRun
	fmt.Fprintf(a.err, "stealproof: %s: --yes to go on (--checkpoint FILE keeps what is left where it is interrupted)\n", text)
	return e, false, nil
}

// onTerminal says whether somebody sits there who can be asked.
func (a *app) onTerminal() bool {
	for _, end := range []any{a.in, a.err} {
		f, isFile := end.(*os.File)
		if !isFile || !term.IsTerminal(int(f.Fd())) {
			return false
		}
	}
	return true
}

func (a *app) asked(question string) bool {
	fmt.Fprint(a.err, question)
	answer, err := bufio.NewReader(a.in).ReadString('\n')
	return err == nil && strings.HasPrefix(strings.ToLower(strings.TrimSpace(answer)), "y")
}

// roughly writes a number as in 4·10⁹.
func roughly(n float64) string {
	exponent := 0
	for ; n >= 9.5; n /= 10 {
		exponent++
	}
	if exponent < 4 {
		for ; exponent > 0; exponent-- {
			n *= 10
		}
		return fmt.Sprintf("%.0f", n)
	}
	raised := strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹")
	return fmt.Sprintf("%.0f·10%s", n, raised.Replace(fmt.Sprint(exponent)))
}

func roughTime(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d < 2*time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d < 2*time.Hour:
		return fmt.Sprintf("%.0f min", d.Minutes())
	case d < 2*day:
		return fmt.Sprintf("%.0f h", d.Hours())
	case d < 1000*day:
		return fmt.Sprintf("%.0f days", d.Hours()/24)
	}
	return fmt.Sprintf("%.0f years", d.Hours()/24/365)
}

// resume reads the checkpoint that the search goes on from.
func (a *app) resume(x *fuzz.Exhaust, f exploreFlags) error {
	if f.exhaust.resume == "" {
		return nil
	}
	file, err := os.Open(f.exhaust.resume)
	if err != nil {
		return unreadable(f.exhaust.resume, err)
	}
	defer file.Close()
	if x.Resume, err = fuzz.ReadCheckpoint(file); err != nil {
		return fmt.Errorf("%s: %w", f.exhaust.resume, err)
	}
	return nil
}

// saveCheckpoint writes down what is left, whole or not at all: the checkpoint
// that the search went on from is there until the new one is.
func (a *app) saveCheckpoint(r *fuzz.Exhausted, f exploreFlags) error {
	name := f.exhaust.checkpoint
	if name == "" && isFile(f.exhaust.resume) { // a pipe that was read leads nowhere
		name = f.exhaust.resume
	}
	if r.Checkpoint == nil || !r.Checkpoint.Left() {
		return nil
	}
	if name == "" {
		fmt.Fprintln(a.out, "With --checkpoint FILE it could be gone on with.")
		return nil
	}
	if err := format.Replace(name, r.Checkpoint.Write); err != nil {
		return err
	}
	if !isFile(name) {
		fmt.Fprintf(a.out, "What is left was written to %s. To go on: the same command with --resume and a file of it\n", name)
		return nil
	}
	fmt.Fprintf(a.out, "What is left was written down. To go on: the same command with --resume %s\n", name)
	return nil
}

// isFile says whether a name leads to a file, which can be read again.
func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}
