package format

import (
	"bytes"
	"fmt"
	"io"
)

// maxLine bounds what a single line may hold, so that a file without line ends
// is refused and not loaded.
const maxLine = 1 << 20

// byteOrderMark stands at the beginning of texts that some editors wrote, and says
// nothing.
const byteOrderMark = "\ufeff"

// lines cuts a stream into lines. The slices it hands out live in one buffer
// and are good until the next call.
type lines struct {
	r          io.Reader
	buf        []byte
	start, end int
	number     int   // of the line handed out last
	err        error // why no more can be read
}

func newLines(r io.Reader) *lines { return &lines{r: r, buf: make([]byte, 64<<10)} }

// next returns the next line without its end. At the end of the stream the
// error is io.EOF.
func (l *lines) next() ([]byte, error) {
	searched := 0
	for {
		unread := l.buf[l.start:l.end]
		i := bytes.IndexByte(unread[searched:], '\n')
		if i >= 0 && searched+i <= maxLine {
			return l.take(searched+i, 1), nil
		}
		searched = len(unread)
		if i >= 0 || searched > maxLine {
			l.number++
			return nil, fmt.Errorf("the line is longer than %d bytes: expected one operation per line", maxLine)
		}
		if l.err == nil {
			l.fill()
			continue
		}
		if l.err == io.EOF && searched > 0 {
			return l.take(searched, 0), nil
		}
		return nil, l.err
	}
}

// take hands out n bytes and passes over the line's end.
func (l *lines) take(n, end int) []byte {
	line := l.buf[l.start : l.start+n]
	l.start += n + end
	l.number++
	return line
}

// fill reads more behind what is unread, which moves to the front first.
func (l *lines) fill() {
	l.end = copy(l.buf, l.buf[l.start:l.end])
	l.start = 0
	if l.end == len(l.buf) {
		l.buf = append(l.buf, make([]byte, len(l.buf))...)
	}
	for range patience {
		n, err := l.r.Read(l.buf[l.end:])
		l.end += n
		if l.err = err; n > 0 || err != nil {
			return
		}
	}
	l.err = io.ErrNoProgress
}

// patience is how often a reader may say that there is nothing yet.
const patience = 100
