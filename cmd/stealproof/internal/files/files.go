// Package files has what the commands do with files: which formats they know, how
// they speak of what cannot be read, and how they save what they found.
package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"stealproof/linearize/format"
)

// Error names the file first, as all messages about files do.
func Error(file string, err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return fmt.Errorf("%s: %w", file, err)
}

// Save writes a text to a file, whole or not at all.
func Save(file, text string) error {
	return format.Replace(file, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

// CanWrite says why one of the files could not be written: to be asked before the
// work whose result is to go there. What is there already stays. Empty names are
// those of files that nobody has asked for.
func CanWrite(names ...string) error {
	for _, name := range names {
		info, err := os.Stat(name)
		if name == "" || err == nil && !info.Mode().IsRegular() && !info.IsDir() {
			continue // a pipe or a device, which can be opened once only
		}
		opened := false
		err = format.Replace(name, func(io.Writer) error {
			opened = true
			return errors.New("only tried")
		})
		if !opened {
			return err
		}
	}
	return nil
}

// MakeFolder makes a folder for what is to be saved, if one was asked for.
func MakeFolder(name string) error {
	if name == "" {
		return nil
	}
	if err := os.MkdirAll(name, 0o755); err != nil {
		return Error(name, err)
	}
	return nil
}
