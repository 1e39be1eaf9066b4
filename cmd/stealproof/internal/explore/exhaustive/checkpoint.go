package exhaustive

import (
	"fmt"
	"os"

	"stealproof/cmd/stealproof/internal/console"
	"stealproof/cmd/stealproof/internal/explore/search"
	"stealproof/cmd/stealproof/internal/files"
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
		return nil, files.Error(f.resume, err)
	}
	defer file.Close()
	c, err := exhaust.ReadCheckpoint(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.resume, err)
	}
	return c, nil
}

// canSave says why the files could not be written, before anything is searched.
func (f *Flags) canSave(s *search.Search) error {
	if err := s.Failure.Check(); err != nil {
		return err
	}
	return files.CanWrite(f.checkpointFile())
}

// checkpointFile is where what is left is written to, if anywhere.
func (f *Flags) checkpointFile() string {
	if f.checkpoint == "" && isFile(f.resume) { // a pipe that was read leads nowhere
		return f.resume
	}
	return f.checkpoint
}

// saveCheckpoint writes down what is left, whole or not at all: the checkpoint
// that the search went on from is there until the new one is.
func (f *Flags) saveCheckpoint(con *console.Console, r *exhaust.Result) error {
	if r.Checkpoint == nil || !r.Checkpoint.Left() {
		return nil
	}
	name := f.checkpointFile()
	if f.clients > 0 || f.Several {
		return nil
	}
	if name == "" {
		con.Print("With --checkpoint FILE it could be gone on with.\n")
		return nil
	}
	if err := format.Replace(name, r.Checkpoint.Write); err != nil {
		return err
	}
	con.Report.Note("what is left was written to %s", name)
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
