package console

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

const largestText = 64 << 20

// ReadText reads a file, or standard input, of which is said what is expected.
func (c *Console) ReadText(file, expected string) (string, error) {
	in := c.In
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return "", FileError(file, err)
		}
		defer f.Close()
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, largestText+1))
	if err != nil {
		return "", FileError(file, err)
	}
	if len(text) > largestText {
		return "", fmt.Errorf("%s: the file is larger than %d MiB: expected %s", file, largestText>>20, expected)
	}
	return string(text), nil
}

// FileError names the file first, as all messages about files do.
func FileError(file string, err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return fmt.Errorf("%s: %w", file, err)
}
