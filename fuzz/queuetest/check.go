package queuetest

import (
	"context"
	"strings"
	"testing"
	"time"
	"unicode"

	"stealproof/model"
)

// Check tests a queue and fails the test if it does not hold, or if that could
// not be decided: see the package. It stops in time for the test's deadline.
func Check(t testing.TB, q Queue) {
	t.Helper()
	c, err := chosen()
	if err != nil {
		t.Fatalf("stealproof: %v", err)
	}
	newChecker(t, q, c).check()
}

// MakeCheck returns Check as a function for t.Run.
func MakeCheck(q Queue) func(*testing.T) {
	return func(t *testing.T) {
		t.Helper()
		Check(t, q)
	}
}

// checker is one call of Check or one input of a fuzz target.
type checker struct {
	t       testing.TB
	queue   Queue
	choices choices
	flags   Flags
	folder  string // of the saved cases
}

func newChecker(t testing.TB, q Queue, c choices) *checker {
	switch {
	case c.checks > 0:
		q.Checks = c.checks
	case testing.Short() && (q.Checks == 0 || q.Checks > shortChecks):
		q.Checks = shortChecks
	}
	var progress func(string)
	if testing.Verbose() {
		progress = func(what string) { t.Logf("stealproof: %s", what) }
	}
	return &checker{
		t: t, queue: q, choices: c, folder: folderOf(t.Name()),
		flags: Flags{Seed: c.seed, Memory: c.memory, Short: testing.Short(), Progress: progress},
	}
}

func (k *checker) check() {
	k.t.Helper()
	ctx, cancel := k.deadline()
	defer cancel()
	if k.choices.file != "" {
		k.only(ctx, k.choices.file)
		return
	}
	k.savedCases(ctx)
	r, err := Find(ctx, k.queue, k.flags)
	if err != nil {
		k.t.Fatalf("stealproof: %v", err)
	}
	if r.Verdict == model.Linearizable {
		k.t.Logf("stealproof: %s (seed %d)%s", r, k.flags.Seed, &r.Looked)
		return
	}
	k.fail(r)
}

// deadline is when to stop so that there is time to say what was found.
func (k *checker) deadline() (context.Context, context.CancelFunc) { return deadlineOf(k.t) }

func deadlineOf(t testing.TB) (context.Context, context.CancelFunc) {
	ctx := t.Context()
	d, has := t.(interface{ Deadline() (time.Time, bool) })
	if !has {
		return context.WithCancel(ctx)
	}
	at, has := d.Deadline()
	if !has {
		return context.WithCancel(ctx)
	}
	left := time.Until(at)
	return context.WithTimeout(ctx, left-max(left/10, min(left/2, time.Second)))
}

// fail ends the test with all that is known; the last line is the command that
// shows it again.
func (k *checker) fail(r *Report) {
	k.t.Helper()
	switch {
	case r.Verdict == model.NotRun:
		k.t.Fatalf("stealproof: %s%s", r, &r.Looked)
	case r.Failure == nil:
		k.t.Fatalf("stealproof: %s: the deadline of the test came first\ngive it more time, or less to do: go test -run '%s' -timeout 1h -stealproof.checks=1000", r, pattern(k.t.Name()))
	}
	text := "stealproof: " + r.text()
	k.artifacts(r)
	if len(r.Failure.Case.Program.Processes) == 0 {
		k.t.Fatal(text)
	}
	file, err := save(k.folder, r.Failure.Case)
	if err != nil {
		k.t.Fatalf("%s\nThe case could not be saved: %v\nto reproduce, put it into a file: go test -run '%s' -stealproof.case=FILE", text, err, pattern(k.t.Name()))
	}
	k.t.Fatalf("%s\nto reproduce: %s", text, command(k.t.Name(), file))
}

// command shows a saved case again.
func command(test, file string) string {
	return "go test -run '" + pattern(test) + "' -stealproof.case=" + shellWord(file)
}

// shellWord is a text as a shell takes it for one word that means nothing else.
func shellWord(text string) string {
	plain := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_./,:=@%+-", r)
	}
	if text != "" && strings.IndexFunc(text, func(r rune) bool { return !plain(r) }) < 0 {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// pattern is what -run takes for exactly this test.
func pattern(test string) string {
	parts := strings.Split(test, "/")
	for i, p := range parts {
		parts[i] = "^" + quoted(p) + "$"
	}
	return strings.Join(parts, "/")
}

// quoted escapes what a regular expression would take for something else, and
// the quote of the shell.
func quoted(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case strings.ContainsRune(`\.+*?()|[]{}^$`, r):
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\'':
			b.WriteByte('.')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
