package format

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"stealproof/linearize/internal/machine"
	"stealproof/model"
)

// Options direct a reader. The zero value is ready for use.
type Options struct {
	// Kind is what the objects are, whatever the file says; 0 means as the file
	// says, and is an error where it says nothing.
	Kind model.Kind
	// Memory bounds what the operations may take, in bytes; 0 means half of
	// what the machine has.
	Memory uint64
	// Besides is how many bytes the caller needs for each operation besides those that
	// it takes itself: they count where a file is refused before it is read.
	Besides uint64
	// From names the format; "" means as the file's ending says, and JSON Lines
	// for a stream.
	From     string
	expected int // so many operations, more or less; 0 if nobody knows
}

func (o Options) memory() uint64 {
	if o.Memory > 0 {
		return o.Memory
	}
	return machine.Memory()
}

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

// Read reads a history from a stream, which messages call by name. Whatever is
// not exactly as its format wants it is an [InputError].
func Read(r io.Reader, name string, o Options) (*model.History, error) {
	return Standard().Read(r, name, o)
}

// ReadFile reads a history from a file in the format that its ending names,
// or JSON Lines from standard input if the path is "-". A file that would not fit
// into memory is refused before it is read. It ends with an error soon after the
// context; where nothing arrives, as in a pipe, it may wait on.
func ReadFile(ctx context.Context, path string, o Options) (*model.History, error) {
	return Standard().ReadFile(ctx, path, o)
}

// WriteFile writes a history to a file in the format that its ending names.
// The file appears whole or not at all: what was there before stays until
// everything is written.
func WriteFile(path string, h *model.History) error { return Standard().WriteFile(path, h) }

// Read is [Read] among these formats.
func (all Formats) Read(r io.Reader, name string, o Options) (*model.History, error) {
	f, err := all.of("-", o.From)
	if err != nil {
		return nil, err
	}
	if f, err = all.toRead(name, f.Name); err != nil {
		return nil, err
	}
	return f.Read(r, name, o)
}

// ReadFile is [ReadFile] among these formats.
func (all Formats) ReadFile(ctx context.Context, path string, o Options) (*model.History, error) {
	format, err := all.toRead(path, o.From)
	if err != nil {
		return nil, err
	}
	if path == "-" {
		return format.Read(os.Stdin, "standard input", o)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, &InputError{File: path, Msg: cause(err)}
	}
	defer f.Close()
	defer context.AfterFunc(ctx, func() { f.Close() })() // which fails whoever reads on
	if format.Name != "sph" {                            // whose header says it exactly
		if o.expected, err = textFits(f, path, o); err != nil {
			return nil, err
		}
	}
	return format.Read(f, path, o)
}

// Write writes a history to a stream in the named format, or the first of all.
func (all Formats) Write(w io.Writer, h *model.History, to string) error {
	f, err := all.of("-", to)
	if err != nil {
		return err
	}
	if err := all.mustWrite(f, "standard output"); err != nil {
		return err
	}
	if err := canSay(h); err != nil {
		return err
	}
	return f.Write(w, h)
}

// WriteFile is [WriteFile] among these formats.
func (all Formats) WriteFile(path string, h *model.History) error {
	f, err := all.toWrite(path, "")
	if err != nil {
		return err
	}
	return Replace(path, func(w io.Writer) error {
		if err := canSay(h); err != nil {
			return err
		}
		return f.Write(w, h)
	})
}

// ReadAs names the format in which a history is read from a path: from, if that
// names one, or else that of its ending.
func (all Formats) ReadAs(path, from string) (string, error) {
	f, err := all.toRead(path, from)
	if err != nil {
		return "", err
	}
	return f.Name, nil
}

// WrittenAs names the format in which a history is written to a path, for
// [Formats.Write], or says why it cannot be. Of a stream, or a name without an
// ending, to is the format; an ending says it itself.
func (all Formats) WrittenAs(path, to string) (string, error) {
	if path != "-" && filepath.Ext(path) != "" {
		to = ""
	}
	f, err := all.toWrite(path, to)
	if f == nil {
		return "", err
	}
	return f.Name, err
}
