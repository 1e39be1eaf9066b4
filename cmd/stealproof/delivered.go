package main

import (
	"io"
	"sync"
)

// delivered remembers whether everything printed got where it should: a report
// that a full disk swallowed must not end in success.
type delivered struct {
	to  io.Writer
	mu  sync.Mutex
	err error // the first
}

func (d *delivered) Write(p []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.err != nil {
		return 0, d.err
	}
	n, err := d.to.Write(p)
	d.err = err
	return n, err
}
