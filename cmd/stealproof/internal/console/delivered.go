package console

import (
	"io"
	"sync"
)

// Delivered remembers whether everything printed got where it should: a report
// that a full disk swallowed must not end in success.
type Delivered struct {
	To  io.Writer
	mu  sync.Mutex
	err error // the first
}

// Err is why not everything was printed.
func (d *Delivered) Err() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.err
}

func (d *Delivered) Write(p []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.err != nil {
		return 0, d.err
	}
	n, err := d.To.Write(p)
	d.err = err
	return n, err
}
