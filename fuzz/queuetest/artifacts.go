package queuetest

import (
	"flag"
	"io"
	"os"
	"path/filepath"

	"stealproof/linearize/draw"
	"stealproof/linearize/format"
	"stealproof/model"
)

// artifacts writes what one may want to look at into the folder of go test
// -artifacts: the interleaving, as text and as a picture, the history, and its timeline.
func (k *checker) artifacts(r *Report) {
	if r.Failure == nil || !keepsArtifacts() {
		return
	}
	folder := k.t.ArtifactDir()
	if err := writeArtifacts(folder, r); err != nil {
		k.t.Logf("stealproof: artifacts: %v", err)
	}
}

// keepsArtifacts says whether somebody asked for them.
func keepsArtifacts() bool {
	f := flag.Lookup("test.artifacts")
	return f != nil && f.Value.String() == "true"
}

func writeArtifacts(folder string, r *Report) error {
	if err := os.WriteFile(filepath.Join(folder, "failure.case"), []byte(r.Failure.Case.String()), 0o644); err != nil || r.Rerun == nil {
		return err
	}
	if err := writeWith(filepath.Join(folder, "columns.txt"), r.WriteColumns); err != nil {
		return err
	}
	if err := writeWith(filepath.Join(folder, "execution.html"), r.Rerun.Picture().WriteHTML); err != nil {
		return err
	}
	h := r.Rerun.Execution.Timed()
	if h.Params.Model != nil {
		return nil // no file says it
	}
	if err := format.WriteFile(filepath.Join(folder, "history.jsonl"), h); err != nil {
		return err
	}
	if r.Rerun.Finding.Violation == nil || r.Rerun.Finding.Verdict != model.Violation {
		return nil
	}
	return writeWith(filepath.Join(folder, "timeline.html"), func(w io.Writer) error {
		var p draw.Page
		p.AddViolation(h, *r.Rerun.Finding.Violation, draw.Origin{})
		return p.Write(w)
	})
}

// writeWith lets a function write a file.
func writeWith(file string, write func(io.Writer) error) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := write(f); err != nil {
		return err
	}
	return f.Close()
}
