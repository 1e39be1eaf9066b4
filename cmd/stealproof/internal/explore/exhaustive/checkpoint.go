package exhaustive

import (
	"fmt"
	"os"

	"stealproof/cmd/stealproof/internal/console"
	"stealproof/fuzz/exhaust"
	"stealproof/linearize/format"
)

// readCheckpoint reads what the search goes on from, if it goes on.
func (f *Flags) readCheckpoint() (*exhaust.Checkpoint, error) {
	if f.resume == "" {
		return nil, nil
	}
	file, err := os.Open(f.resume)
	if err != nil {
		return nil, console.FileError(f.resume, err)
	}
	defer file.Close()
	c, err := exhaust.ReadCheckpoint(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.resume, err)
	}
	return c, nil
}

// saveCheckpoint writes down what is left, whole or not at all: the checkpoint
// that the search went on from is there until the new one is.
func (f *Flags) saveCheckpoint(con *console.Console, r *exhaust.Result) error {
	name := f.checkpoint
	if name == "" && isFile(f.resume) { // a pipe that was read leads nowhere
		name = f.resume
	}
	if r.Checkpoint == nil || !r.Checkpoint.Left() {
		return nil
	}
	if name == "" {
		con.Print("With --checkpoint FILE it could be gone on with.\n")
		return nil
	}
	if err := format.Replace(name, r.Checkpoint.Write); err != nil {
		return err
	}
	if !isFile(name) {
		con.Print("What is left was written to %s. To go on: the same command with --resume and a file of it\n", name)
		return nil
	}
	con.Print("What is left was written down. To go on: the same command with --resume %s\n", name)
	return nil
}

// isFile says whether a name leads to a file, which can be read again.
func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}
