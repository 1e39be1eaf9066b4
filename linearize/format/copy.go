package format

import (
	"compress/gzip"
	"io"
)

// CopyLines copies a history of JSON Lines while it checks it, byte for byte, so that
// fields that only others know stay in it. From and to name the formats, jsonl
// or jsonl.gz.
func CopyLines(w io.Writer, r io.Reader, name, from, to string, o Options) error {
	if from == "jsonl.gz" {
		z, err := unzip(r, name)
		if err != nil {
			return err
		}
		r = z
	}
	if to != "jsonl.gz" {
		_, err := readLines(io.TeeReader(r, w), name, o)
		return err
	}
	z := gzip.NewWriter(w)
	if _, err := readLines(io.TeeReader(r, z), name, o); err != nil {
		return err
	}
	return z.Close()
}
