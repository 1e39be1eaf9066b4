package format

import (
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
)

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
