package format

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"stealproof/model"
)

// Format is one way to write a history down.
type Format struct {
	Name    string
	Endings []string // of files
	// Read reads a history from a stream that messages call by name; nil if the
	// format can only be written.
	Read func(r io.Reader, name string, o Options) (*model.History, error)
	// Write writes one; nil if the format can only be read.
	Write func(w io.Writer, h *model.History) error
	// Lacks says why a format is not written, behind "it is read, not written".
	Lacks string
}

// Formats are the formats among which the ending of a file, or a name, decides.
// The first is that of streams and of files without an ending.
type Formats []Format

// Standard returns the formats of this package: JSON Lines, plain or compressed,
// binary records, Jepsen's EDN, and the two plain forms of text. Others may be
// appended: a table of Parquet is in a folder of its own, since it needs a library.
func Standard() Formats {
	return Formats{
		{Name: "jsonl", Endings: []string{".jsonl"}, Read: readLines, Write: Write},
		{Name: "jsonl.gz", Endings: []string{".jsonl.gz"}, Read: readZipped, Write: writeZipped},
		{Name: "sph", Endings: []string{".sph"}, Read: readBinary, Write: writeBinary},
		{Name: "edn", Endings: []string{".edn"}, Read: readEDN},
		{Name: "text", Endings: []string{".txt", ".log"}, Read: readText, Lacks: ", for it has no words for abort, full and several objects"},
	}
}

// of picks the format of a file by its name, or by its ending where none is
// named.
func (all Formats) of(path, name string) (*Format, error) {
	var known []string
	for i := range all {
		f := &all[i]
		if f.Name == name && name != "" {
			return f, nil
		}
		known = append(known, f.Name)
	}
	if name != "" {
		return nil, fmt.Errorf("unknown format %q: expected one of %s", name, strings.Join(known, ", "))
	}
	// a name without an ending is that of a pipe or of somebody's stream
	if path == "-" || filepath.Ext(path) == "" {
		return &all[0], nil
	}
	for i := range all {
		for _, ending := range all[i].Endings {
			if strings.HasSuffix(path, ending) {
				return &all[i], nil
			}
		}
	}
	return nil, errUnknownEnding
}

var errUnknownEnding = errors.New("unknown file ending")

// toRead and toWrite are of, for a format that can be read or written; of a file
// whose ending says nothing they say what would.
func (all Formats) toRead(path, name string) (*Format, error) {
	f, err := all.of(path, name)
	switch {
	case err == errUnknownEnding:
		return nil, &InputError{File: path, Msg: fmt.Sprintf("%v: expected %s, or --from with the name of the format%s", err, all.endings(Format.reads), linesHint(path))}
	case err == nil && f.Read == nil:
		return nil, &InputError{File: path, Msg: fmt.Sprintf("%s is written, not read: expected %s", f.Name, all.endings(Format.reads))}
	}
	return f, err
}

func (all Formats) toWrite(path, name string) (*Format, error) {
	if name == "" && path != "-" {
		if err := all.dotForgotten(path); err != nil {
			return nil, err
		}
	}
	f, err := all.of(path, name)
	if err == errUnknownEnding {
		err = &InputError{File: path, Msg: fmt.Sprintf("%v: expected %s%s", err, all.endings(Format.writes), linesHint(path))}
	}
	if err != nil {
		return nil, err
	}
	return f, all.mustWrite(f, path)
}

// linesHint is for who calls JSON Lines JSON.
func linesHint(path string) string {
	if !strings.EqualFold(filepath.Ext(path), ".json") {
		return ""
	}
	return "; a header and an operation per line is JSON Lines, whose ending is .jsonl"
}

func (all Formats) mustWrite(f *Format, path string) error {
	if f.Write == nil {
		return &InputError{File: path, Msg: fmt.Sprintf("%s is read, not written%s: expected %s", f.Name, f.Lacks, all.endings(Format.writes))}
	}
	return nil
}

func (f Format) reads() bool  { return f.Read != nil }
func (f Format) writes() bool { return f.Write != nil }

// endings lists those of some formats: ".jsonl, .jsonl.gz, .sph or .edn".
func (all Formats) endings(some func(Format) bool) string {
	var list []string
	for _, f := range all {
		if some(f) {
			list = append(list, f.Endings...)
		}
	}
	return strings.Join(list[:len(list)-1], ", ") + " or " + list[len(list)-1]
}

// dotForgotten refuses a name that is an ending without its dot, or the name of a
// format, as in "convert run.jsonl parquet": JSON Lines in a file of that
// name are not what was meant. What is there already and is no file, a pipe say,
// may be called as it likes.
func (all Formats) dotForgotten(path string) error {
	name := filepath.Base(path)
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil
	}
	for _, f := range all {
		for _, ending := range append([]string{"." + f.Name}, f.Endings...) {
			if strings.EqualFold(name, ending[1:]) {
				return &InputError{File: path, Msg: fmt.Sprintf("this is the name of a format, not of a file: did you mean a file like run%s? (--to says the format of a name without an ending)", f.Endings[0])}
			}
		}
	}
	return nil
}

func readZipped(r io.Reader, name string, o Options) (*model.History, error) {
	z, err := unzip(r, name)
	if err != nil {
		return nil, err
	}
	return readLines(z, name, o)
}

// unzip reads what was compressed by gzip; name is that of the file, for errors.
func unzip(r io.Reader, name string) (io.Reader, error) {
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
