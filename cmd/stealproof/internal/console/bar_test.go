package console

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// A bar says what is known: of how many, of about how many, or until when.
func TestLinesOfBars(t *testing.T) {
	start := time.Now()
	for _, test := range []struct {
		work work
		done int
		want string
	}{
		{work{what: "objects", total: 100}, 40, "objects: 40 of 100, 20/s, 3s left"},
		{work{what: "objects", total: 100}, 0, "objects: 0 of 100, 0/s, 0s left"},
		{work{what: "programs"}, 40, "programs: 40, 20/s"},
		{work{what: "executions", total: 100, about: true}, 40, "executions: 40 of about 100, 20/s, about 3s left"},
		{work{what: "executions", total: 30, about: true}, 40, "executions: 40 of about 40, 20/s, about 0s left"},
		{work{what: "executions", limit: 3 * time.Second}, 40, "executions: 40, 20/s, 1s left"},
		{work{what: "executions", limit: time.Second}, 40, "executions: 40, 20/s, 0s left"},
	} {
		test.work.start = start
		assert.Equal(t, test.want, test.work.line(test.done, start.Add(2*time.Second)))
	}
}

// What is shown after the end would stay on the terminal.
func TestBarsEnd(t *testing.T) {
	var shown strings.Builder
	b := &Bar{w: &shown, work: work{what: "objects", total: 100}}
	b.Done()
	assert.Empty(t, shown.String(), "nothing was shown, and nothing is removed")
	b = &Bar{w: &shown, work: work{what: "objects", total: 100}}
	b.Say("first")
	b.Clear()
	b.last = time.Time{}
	b.Say("second")
	b.Done()
	b.last = time.Time{}
	b.At(7)
	assert.Equal(t, "\r\x1b[Kfirst\r\x1b[K\r\x1b[Ksecond\r\x1b[K", shown.String())
}
