package format

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
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
	if f := standardStream(path); f != nil {
		return write(f)
	}
	mode := os.FileMode(0o666) // less what the user's mask takes away
	switch info, err := os.Stat(path); {
	case err != nil: // a new file, or the attempt will say what is wrong
	case info.IsDir():
		return errors.New("is a directory: expected a file to write to")
	case !info.Mode().IsRegular():
		return writeInto(path, write)
	default:
		mode = info.Mode().Perm()
	}
	path, err := behindLinks(path)
	if err != nil {
		return err
	}
	return writeBeside(path, mode, write)
}

// standardStream is what a name like /dev/stdout stands for. Behind it may be a
// file, which others are writing to as well: it must neither be replaced nor
// begun anew.
func standardStream(path string) *os.File {
	switch filepath.Clean(path) {
	case "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1":
		return os.Stdout
	case "/dev/stderr", "/dev/fd/2", "/proc/self/fd/2":
		return os.Stderr
	}
	return nil
}

// behindLinks is the file that a link leads to, though there be none yet.
func behindLinks(path string) (string, error) {
	for range mostLinks {
		to, err := os.Readlink(path)
		if err != nil {
			return path, nil // no link
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return "", errors.New("too many links, each to the next")
}

const mostLinks = 40

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
func writeBeside(path string, mode os.FileMode, write func(io.Writer) error) (err error) {
	f, err := newBeside(path, mode)
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
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// newBeside makes a file of a name that nobody has. What only its owner could
// read stays so, which os.CreateTemp has no means for.
func newBeside(path string, mode os.FileMode) (*os.File, error) {
	for n := 0; ; n++ {
		name := filepath.Join(filepath.Dir(path), fmt.Sprintf(".stealproof-%d-%d", os.Getpid(), n))
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}
