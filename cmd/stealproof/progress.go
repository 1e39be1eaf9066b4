package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"
)

// progress shows on a terminal how far a long piece of work has come, and
// nothing elsewhere. Its methods may be called by several goroutines.
type progress struct {
	mu    sync.Mutex
	w     io.Writer
	what  string
	total int
	start time.Time
	last  time.Time
	shown bool
	about bool // the total is an estimate
}

const (
	progressAfter = 300 * time.Millisecond
	progressEvery = 100 * time.Millisecond
)

func newProgress(w io.Writer, what string, total int) *progress {
	f, isFile := w.(*os.File)
	if !isFile || !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	now := time.Now()
	return &progress{w: w, what: what, total: total, start: now, last: now.Add(progressAfter - progressEvery)}
}

// at shows that so many of the total are done.
func (p *progress) at(done int) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if now.Sub(p.last) < progressEvery {
		return
	}
	p.last, p.shown = now, true
	rate := float64(done) / now.Sub(p.start).Seconds()
	if p.total == 0 {
		fmt.Fprintf(p.w, "\r\x1b[K%s: %d, %.0f/s", p.what, done, rate)
		return
	}
	about := ""
	if p.about {
		about = "about "
		p.total = max(p.total, done) // it was too low
	}
	left := time.Duration(0)
	if rate > 0 && p.total > done {
		left = time.Duration(float64(p.total-done) / rate * float64(time.Second))
	}
	fmt.Fprintf(p.w, "\r\x1b[K%s: %d of %s%d, %.0f/s, %s%s left", p.what, done, about, p.total, rate, about, left.Round(time.Second))
}

// say shows how far work has come that cannot be counted.
func (p *progress) say(format string, values ...any) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if now := time.Now(); now.Sub(p.last) >= progressEvery {
		p.last, p.shown = now, true
		fmt.Fprintf(p.w, "\r\x1b[K"+format, values...)
	}
}

// done removes the line.
func (p *progress) done() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
