package linearize

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

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

// ReadFile reads a history from a file in the encoding that its ending names,
// or JSON Lines from standard input if the path is "-".
func ReadFile(path string) (*model.History, error) { return ReadFileWith(path, ReadOptions{}) }

// ReadFileAs reads a file as a history of objects of kind k, whatever model
// its header names; with k = 0 the header decides.
func ReadFileAs(path string, k model.Kind) (*model.History, error) {
	return ReadFileWith(path, ReadOptions{Kind: k})
}

// ReadFileWith is ReadFile with options. A file that would not fit into memory
// is refused before it is read.
func ReadFileWith(path string, o ReadOptions) (*model.History, error) {
	return ReadFileUntil(context.Background(), path, o)
}

// ReadFileUntil is ReadFileWith, and ends with an error soon after the context.
// Where nothing arrives, as in a pipe, it may wait on.
func ReadFileUntil(ctx context.Context, path string, o ReadOptions) (*model.History, error) {
	e, err := encodingToRead(path, o.From)
	if err != nil {
		return nil, err
	}
	if err := e.mustRead(path); err != nil {
		return nil, err
	}
	if path == "-" {
		return e.read(os.Stdin, "standard input", o)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, &InputError{File: path, Msg: cause(err)}
	}
	defer f.Close()
	defer context.AfterFunc(ctx, func() { f.Close() })() // which fails whoever reads on
	if e.name != "sph" {                                 // whose header says it exactly
		if err := textFits(f, path, o.memory()); err != nil {
			return nil, err
		}
	}
	return e.read(f, path, o)
}

// WriteFile writes a history to a file in the encoding that its ending names.
// The file appears whole or not at all: what was there before stays until
// everything is written.
func WriteFile(path string, h *model.History) error {
	e, err := encodingToWrite(path, "")
	if err != nil {
		return err
	}
	if err := e.mustWrite(path); err != nil {
		return err
	}
	return Replace(path, func(w io.Writer) error { return e.write(w, h) })
}

// cause is what went wrong, without the path that the caller names anyway.
func cause(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	var l *os.LinkError
	if errors.As(err, &l) {
		return l.Err.Error()
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
