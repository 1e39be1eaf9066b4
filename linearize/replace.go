package linearize

import (
	"errors"
	"io"
	"os"
	"path/filepath"
)

// Replace lets write make the content of a file, which appears whole or not at
// all. A link stays one, to the new content. What is no file is written to as
// it is, a pipe or /dev/null say: to put a file in its place would take it from
// everyone else.
func Replace(path string, write func(io.Writer) error) error {
	err := replace(path, write)
	var input *InputError
	if err != nil && !errors.As(err, &input) {
		err = &InputError{File: path, Msg: cause(err)}
	}
	return err
}

func replace(path string, write func(io.Writer) error) error {
	switch info, err := os.Stat(path); {
	case err != nil: // a new file, or the attempt will say what is wrong
	case info.IsDir():
		return errors.New("is a directory: expected a file to write to")
	case !info.Mode().IsRegular():
		return writeInto(path, write)
	default:
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return err
		}
	}
	return writeBeside(path, write)
}

// writeInto writes to what cannot be replaced.
func writeInto(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// writeBeside writes a new file, which then takes the name.
func writeBeside(path string, write func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".stealproof-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if err = write(f); err != nil {
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
