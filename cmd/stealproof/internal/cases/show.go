package cases

import (
	"context"
	"fmt"

	"github.com/spf13/pflag"

	"stealproof/cmd/stealproof/internal/console"
	"stealproof/cmd/stealproof/internal/files"
	"stealproof/cmd/stealproof/internal/subject"
	"stealproof/cmd/stealproof/internal/words"
	"stealproof/fuzz"
	"stealproof/fuzz/trace"
	"stealproof/model"
	"stealproof/ref"
)

// Flags say what becomes of a failure that was found.
type Flags struct {
	Save, History string // files
	NoShrink      bool
	Pictures      Pictures
	// Module is the module that a case was found in, for replay.
	Module subject.Replayed
}

// Register adds the flags to those of a command.
func (f *Flags) Register(fl *pflag.FlagSet) {
	fl.BoolVar(&f.NoShrink, "no-shrink", false, "show and save what failed as it was found")
	fl.StringVar(&f.Save, "save", "", "save the failing case to this file, for replay")
	fl.StringVar(&f.History, "history", "", "write the failing history to this file (.jsonl, .jsonl.gz), for check")
	fl.StringVar(&f.Pictures.HTML, "html", "", "draw the failing execution into this file, a page that needs nothing else: who read from whom, what was missed")
}

// Check says why the files could not be written, before there is a failure.
func (f Flags) Check() error {
	if f.History != "" {
		if _, err := files.Formats().WrittenAs(f.History, ""); err != nil {
			return err
		}
	}
	if err := f.Pictures.Check(); err != nil {
		return err
	}
	return files.CanWrite(f.Save, f.History)
}

// Show shrinks a failure of a structure, unless that is not wanted or not possible,
// prints it, and writes the files that were asked for.
func (f Flags) Show(ctx context.Context, con *console.Console, s ref.Subject, found *fuzz.Failure, native bool) error {
	if !f.NoShrink && !native {
		found = Shrink(ctx, con, s, found)
	}
	return f.print(con, s, found, native)
}

func (f Flags) print(con *console.Console, s ref.Subject, found *fuzz.Failure, native bool) error {
	con.Print("\n%s\n", Describe(found.Finding))
	finding, wrong := FindingOf(found.Finding, found.Case)
	if found.Case.Memory.Structure != "" || con.Report.Wanted() {
		if again, err := fuzz.RunCaseOf(s, found.Case); err == nil {
			PrintReordered(con, again)
			finding = WithTrace(finding, again, f.Module.File)
		}
	}
	if wrong {
		finding.CaseFile, finding.History = f.Save, f.History
		con.Report.Find(finding)
	}
	// Who reads may go away, as head does: what is to be saved is saved before the long text.
	err := f.write(con, s, found, native)
	con.Print("\n%s", words.Readable(found.Case.String()))
	if err != nil {
		return err
	}
	if native {
		con.Print("\nA native run cannot be repeated; the simulated memory may show the same.\n")
	}
	if f.History != "" {
		con.Print("\nHistory saved%s. To judge it again: stealproof check %s\n", lessThanFound(found), words.ShellWord(f.History))
	}
	if f.Save == "" {
		return nil
	}
	con.Print("\nCase saved.\n")
	if !native {
		con.Print("To see it step by step: stealproof replay %s\n", words.Command(append(f.Module.Flags(), f.Save)...))
	}
	return nil
}

// write writes the files that were asked for.
func (f Flags) write(con *console.Console, s ref.Subject, found *fuzz.Failure, native bool) error {
	if f.Save != "" {
		if err := files.Save(f.Save, found.Case.String()); err != nil {
			return err
		}
	}
	if f.History != "" {
		if err := files.Formats().WriteFile(f.History, found.History); err != nil {
			return err
		}
	}
	return f.draw(con, s, found, native)
}

// lessThanFound says why the saved history of a failure may be found linearizable.
func lessThanFound(found *fuzz.Failure) string {
	switch kind := found.Finding.Kind; {
	case kind == fuzz.KindFault, kind == fuzz.KindStuck, kind == fuzz.KindMisuse:
		return ", up to where the execution ended: check judges what had returned by then, and not why it ended"
	case found.Case.Memory.Structure != "":
		return ", with times that say less than the memory " + found.Case.Memory.Structure + " does, so that check may find nothing wrong"
	}
	return ""
}

// draw draws the execution of a failure, which is executed again for that.
func (f Flags) draw(con *console.Console, s ref.Subject, found *fuzz.Failure, native bool) error {
	if !f.Pictures.Asked() {
		return nil
	}
	if native {
		con.Say("%s is not written: a native run cannot be repeated, and so not be drawn", f.Pictures.HTML)
		return nil
	}
	again, err := fuzz.RunCaseOf(s, found.Case)
	if err != nil {
		return err
	}
	return f.Pictures.Draw(again)
}

// SayNothingDrawn keeps a picture of an earlier run from being taken for one of this
// run, which found nothing.
func (f Flags) SayNothingDrawn(con *console.Console) {
	if f.Pictures.HTML != "" {
		con.Say("%s is not written: nothing failed that could be drawn", f.Pictures.HTML)
	}
}

// Describe says in a line what came out.
func Describe(f fuzz.Finding) string {
	switch {
	case f.Verdict == model.Linearizable:
		return "linearizable"
	case f.Kind == "":
		return fmt.Sprintf("%s: %s", f.Verdict, f.Explanation)
	}
	return fmt.Sprintf("%s (%s): %s", f.Verdict, f.Kind, f.Explanation)
}

// PrintReordered names the accesses of an execution that took effect out of order.
func PrintReordered(con *console.Console, r *fuzz.Rerun) {
	for _, sentence := range trace.Reordered(r.Execution, r.Matter) {
		con.Print("out of order: %s\n", sentence)
	}
}

// Rerun runs a case of a structure, but waits for it no longer than the context lasts.
func Rerun(ctx context.Context, s ref.Subject, c model.Case) (*fuzz.Rerun, error) {
	return console.UntilStopped(ctx, func() (*fuzz.Rerun, error) { return fuzz.RunCaseOf(s, c) })
}
