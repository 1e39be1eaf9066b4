package console

import (
	"fmt"
	"io"
	"os"
	"strings"

	"stealproof/cmd/stealproof/internal/files"
)

const largestText = 64 << 20

// byteOrderMark stands at the beginning of texts that some editors wrote, and says
// nothing.
const byteOrderMark = "\ufeff"

// NameOf is what messages call a file that ReadText reads.
func NameOf(file string) string {
	if file == "-" {
		return "standard input"
	}
	return file
}

// ReadText reads a file, or standard input, of which is said what is expected.
func (c *Console) ReadText(file, expected string) (string, error) {
	in := c.In
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return "", files.Error(NameOf(file), err)
		}
		defer f.Close()
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, largestText+1))
	if err != nil {
		return "", files.Error(NameOf(file), err)
	}
	if len(text) > largestText {
		return "", fmt.Errorf("%s: the file is larger than %d MiB: expected %s", NameOf(file), largestText>>20, expected)
	}
	return strings.TrimPrefix(string(text), byteOrderMark), nil
}
