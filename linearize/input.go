package linearize

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"stealproof/model"
)

// InputError says what is wrong with a history file, and where.
type InputError struct {
	File string
	Line int // 0 if the file as a whole is meant
	Msg  string
}

func (e *InputError) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg)
	}
	return fmt.Sprintf("%s: %s", e.File, e.Msg)
}

// ReadFile reads a history from a .jsonl or .jsonl.gz file, or from standard
// input if the path is "-".
func ReadFile(path string) (*model.History, error) { return ReadFileAs(path, 0) }

// ReadFileAs reads a file as a history of objects of kind k, whatever model
// its header names; with k = 0 the header decides.
func ReadFileAs(path string, k model.Kind) (*model.History, error) {
	if path == "-" {
		return ReadAs(os.Stdin, "standard input", k)
	}
	if !hasEnding(path) {
		return nil, &InputError{File: path, Msg: "unknown file ending: expected .jsonl or .jsonl.gz"}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, &InputError{File: path, Msg: cause(err)}
	}
	defer f.Close()
	if !zipped(path) {
		return ReadAs(f, path, k)
	}
	z, err := gzip.NewReader(bufio.NewReader(f))
	if err != nil {
		return nil, &InputError{File: path, Msg: unreadable(err)}
	}
	return ReadAs(z, path, k)
}

// WriteFile writes a history to a .jsonl or .jsonl.gz file. The file appears
// whole or not at all: what was there before stays until everything is written.
func WriteFile(path string, h *model.History) (err error) {
	if !hasEnding(path) {
		return &InputError{File: path, Msg: "unknown file ending: expected .jsonl or .jsonl.gz"}
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".stealproof-*")
	if err != nil {
		return &InputError{File: path, Msg: cause(err)}
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
			err = &InputError{File: path, Msg: cause(err)}
		}
	}()
	if err = writeTo(f, zipped(path), h); err != nil {
		return err
	}
	if err = f.Chmod(0o644); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

func writeTo(f io.Writer, zip bool, h *model.History) error {
	if !zip {
		return Write(f, h)
	}
	z := gzip.NewWriter(f)
	if err := Write(z, h); err != nil {
		return err
	}
	return z.Close()
}

func zipped(path string) bool { return strings.HasSuffix(path, ".gz") }

func hasEnding(path string) bool {
	return strings.HasSuffix(strings.TrimSuffix(path, ".gz"), ".jsonl")
}

// cause is what went wrong, without the path that the caller names anyway.
func cause(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// unreadable puts the errors of readers, which are terse, into words.
func unreadable(err error) string {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return "the compressed data ends too early: expected a whole gzip file"
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum):
		return "the compressed data is damaged: expected a gzip file"
	}
	return "cannot be read: " + cause(err)
}
