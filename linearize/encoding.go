package linearize

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"stealproof/linearize/internal/machine"
	"stealproof/model"
)

// ReadOptions direct a reader. The zero value is ready for use.
type ReadOptions struct {
	// Kind is what the objects are, whatever the file says; 0 means as the file
	// says, and is an error where it says nothing.
	Kind model.Kind
	// Memory bounds what the operations may take, in bytes; 0 means half of
	// what the machine has.
	Memory uint64
	// From names the encoding; "" means as the file's ending says.
	From string
}

func (o ReadOptions) memory() uint64 {
	if o.Memory > 0 {
		return o.Memory
	}
	return machine.Memory()
}

// encoding is a way to write histories down.
type encoding struct {
	name    string
	endings []string
	read    func(r io.Reader, name string, o ReadOptions) (*model.History, error) // nil: cannot be read
	write   func(w io.Writer, h *model.History) error                             // nil: cannot be written
	lacks   string                                                                // why it is not
}

var encodings = []*encoding{
	{name: "jsonl", endings: []string{".jsonl"}, read: readLines, write: Write},
	{name: "jsonl.gz", endings: []string{".jsonl.gz"}, read: readZipped, write: writeZipped},
	{name: "sph", endings: []string{".sph"}, read: ReadBinary, write: WriteBinary},
	{name: "edn", endings: []string{".edn"}, read: ReadEDN},
	{name: "text", endings: []string{".txt", ".log"}, read: ReadText, lacks: ", for it has no words for abort, full and several objects"},
	{name: "parquet", endings: []string{".parquet"}, write: WriteParquet},
}

// encodingOf picks the encoding of a file by its name, or by its ending where
// none is named.
func encodingOf(path, name string) (*encoding, error) {
	var known []string
	for _, e := range encodings {
		if e.name == name && name != "" {
			return e, nil
		}
		known = append(known, e.name)
	}
	if name != "" {
		return nil, fmt.Errorf("unknown format %q: expected one of %s", name, strings.Join(known, ", "))
	}
	// a name without an ending is that of a pipe or of somebody's stream
	if path == "-" || filepath.Ext(path) == "" {
		return encodings[0], nil
	}
	for _, e := range encodings {
		for _, ending := range e.endings {
			if strings.HasSuffix(path, ending) {
				return e, nil
			}
		}
	}
	return nil, errUnknownEnding
}

var errUnknownEnding = errors.New("unknown file ending")

// encodingToRead and encodingToWrite are encodingOf with the words for a file
// whose ending says nothing.
func encodingToRead(path, name string) (*encoding, error) {
	e, err := encodingOf(path, name)
	if err == errUnknownEnding {
		reads := func(e *encoding) bool { return e.read != nil }
		err = &InputError{File: path, Msg: fmt.Sprintf("%v: expected %s, or --from with the name of the format", err, endings(reads))}
	}
	return e, err
}

func encodingToWrite(path, name string) (*encoding, error) {
	if name == "" && path != "-" {
		if err := dotForgotten(path); err != nil {
			return nil, err
		}
	}
	e, err := encodingOf(path, name)
	if err == errUnknownEnding {
		writes := func(e *encoding) bool { return e.write != nil }
		err = &InputError{File: path, Msg: fmt.Sprintf("%v: expected %s", err, endings(writes))}
	}
	return e, err
}

// dotForgotten refuses a name that is an ending without its dot, or the name of a
// format, as in "convert run.jsonl parquet": JSON Lines in a file of that
// name are not what was meant. What is there already and is no file, a pipe say,
// may be called as it likes.
func dotForgotten(path string) error {
	name := filepath.Base(path)
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil
	}
	for _, e := range encodings {
		for _, ending := range append([]string{"." + e.name}, e.endings...) {
			if strings.EqualFold(name, ending[1:]) {
				return &InputError{File: path, Msg: fmt.Sprintf("this is the name of a format, not of a file: did you mean a file like run%s? (--to says the format of a name without an ending)", e.endings[0])}
			}
		}
	}
	return nil
}

// endings lists those of some encodings: ".jsonl, .jsonl.gz, .sph or .edn".
func endings(some func(*encoding) bool) string {
	var all []string
	for _, e := range encodings {
		if some(e) {
			all = append(all, e.endings...)
		}
	}
	return strings.Join(all[:len(all)-1], ", ") + " or " + all[len(all)-1]
}

func (e *encoding) mustRead(path string) error {
	if e.read == nil {
		reads := func(e *encoding) bool { return e.read != nil }
		return &InputError{File: path, Msg: fmt.Sprintf("%s is written, not read: expected %s", e.name, endings(reads))}
	}
	return nil
}

func (e *encoding) mustWrite(path string) error {
	if e.write == nil {
		writes := func(e *encoding) bool { return e.write != nil }
		return &InputError{File: path, Msg: fmt.Sprintf("%s is read, not written%s: expected %s", e.name, e.lacks, endings(writes))}
	}
	return nil
}

func readZipped(r io.Reader, name string, o ReadOptions) (*model.History, error) {
	z, err := Unzip(r, name)
	if err != nil {
		return nil, err
	}
	return readLines(z, name, o)
}

// Unzip reads what was compressed by gzip; name is that of the file, for errors.
func Unzip(r io.Reader, name string) (io.Reader, error) {
	z, err := gzip.NewReader(bufio.NewReader(r))
	switch {
	case err == io.EOF:
		return nil, &InputError{File: name, Msg: "the file is empty: expected a gzip file"}
	case err != nil:
		return nil, &InputError{File: name, Msg: unreadable(err)}
	}
	return z, nil
}

func writeZipped(w io.Writer, h *model.History) error {
	z := gzip.NewWriter(w)
	if err := Write(z, h); err != nil {
		return err
	}
	return z.Close()
}

// ReadFrom reads a history from a stream; o.From names how it is written down,
// JSON Lines if it is empty.
func ReadFrom(r io.Reader, name string, o ReadOptions) (*model.History, error) {
	e, err := encodingOf("-", o.From)
	if err != nil {
		return nil, err
	}
	if err := e.mustRead(name); err != nil {
		return nil, err
	}
	return e.read(r, name, o)
}

// WriteTo writes a history to a stream in the named encoding.
func WriteTo(w io.Writer, h *model.History, to string) error {
	e, err := encodingOf("-", to)
	if err != nil {
		return err
	}
	if err := e.mustWrite("standard output"); err != nil {
		return err
	}
	return e.write(w, h)
}

// CanWrite says why no history can be written to a path, or to a stream in the
// named encoding, or nil.
func CanWrite(path, to string) error {
	_, err := WrittenAs(path, to)
	return err
}

// WrittenAs names the encoding in which a history is written to a path, for
// WriteTo, or says why it cannot be. Of a stream, or a name without an ending,
// to is the encoding; an ending says it itself.
func WrittenAs(path, to string) (string, error) {
	if path != "-" && filepath.Ext(path) != "" {
		to = ""
	}
	e, err := encodingToWrite(path, to)
	if err != nil {
		return "", err
	}
	return e.name, e.mustWrite(path)
}
