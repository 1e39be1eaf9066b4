package console

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// Bar shows on a terminal how far a long piece of work has come, and
// nothing elsewhere. Its methods may be called by several goroutines.
type Bar struct {
	mu    sync.Mutex
	w     io.Writer
	work  work
	last  time.Time
	shown bool // there is a line on the terminal
	ended bool // somebody who was not waited for may still show something
}

// work is what a bar shows the progress of.
type work struct {
	what  string
	total int
	about bool          // the total is an estimate
	limit time.Duration // it ends after this time, if there is no total
	start time.Time
}

const (
	barAfter = 300 * time.Millisecond
	barEvery = 100 * time.Millisecond
)

// Bar begins a piece of work of so many parts, or of unknown size where that is 0.
func (c *Console) Bar(what string, total int) *Bar { return c.bar(work{what: what, total: total}) }

// EstimatedBar is Bar for work of about so many parts.
func (c *Console) EstimatedBar(what string, total int) *Bar {
	return c.bar(work{what: what, total: max(1, total), about: true})
}

// TimedBar is Bar for work that is ended after a time.
func (c *Console) TimedBar(what string, limit time.Duration) *Bar {
	return c.bar(work{what: what, limit: limit})
}

func (c *Console) bar(w work) *Bar {
	if !isTerminal(c.Err) {
		return nil
	}
	w.start = time.Now()
	return &Bar{w: c.Err, work: w, last: w.start.Add(barAfter - barEvery)}
}

// At shows that so many parts are done.
func (b *Bar) At(done int) {
	if b != nil {
		b.show(func(now time.Time) string { return b.work.line(done, now) })
	}
}

// Say shows how far work has come that cannot be counted.
func (b *Bar) Say(format string, values ...any) {
	if b != nil {
		b.show(func(time.Time) string { return fmt.Sprintf(format, values...) })
	}
}

func (b *Bar) show(line func(now time.Time) string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if now := time.Now(); !b.ended && now.Sub(b.last) >= barEvery {
		b.last, b.shown = now, true
		fmt.Fprintf(b.w, "\r\x1b[K%s", line(now))
	}
}

// Clear removes the line, so that something else can be printed.
func (b *Bar) Clear() {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.shown {
		fmt.Fprint(b.w, "\r\x1b[K")
		b.shown = false
	}
}

// Done removes the line for good.
func (b *Bar) Done() {
	if b == nil {
		return
	}
	b.Clear()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ended = true
}

// line says how much is done, how fast, and for how long it will go on.
func (w work) line(done int, now time.Time) string {
	rate := float64(done) / now.Sub(w.start).Seconds()
	if w.total == 0 {
		line := fmt.Sprintf("%s: %d, %.0f/s", w.what, done, rate)
		if w.limit > 0 {
			line += fmt.Sprintf(", %s left", max(0, w.start.Add(w.limit).Sub(now)).Round(time.Second))
		}
		return line
	}
	total, about := w.total, ""
	if w.about {
		total, about = max(total, done), "about " // it may have been too low
	}
	left := time.Duration(0)
	if rate > 0 && total > done {
		left = time.Duration(float64(total-done) / rate * float64(time.Second))
	}
	return fmt.Sprintf("%s: %d of %s%d, %.0f/s, %s%s left", w.what, done, about, total, rate, about, left.Round(time.Second))
}
