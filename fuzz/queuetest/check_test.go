package queuetest

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/model"
	"stealproof/ref"
)

// stand is a test that is watched while it fails.
type stand struct {
	testing.TB
	name     string
	deadline time.Time
	failed   bool
	out      strings.Builder
}

func (s *stand) Name() string { return s.name }

func (s *stand) Helper() {}

func (s *stand) Logf(format string, args ...any) { fmt.Fprintf(&s.out, format+"\n", args...) }

func (s *stand) Errorf(format string, args ...any) { s.Logf(format, args...); s.failed = true }

func (s *stand) Fatalf(format string, args ...any) { s.Errorf(format, args...); runtime.Goexit() }

func (s *stand) Fatal(args ...any) { s.Fatalf("%s", fmt.Sprint(args...)) }

func (s *stand) Deadline() (time.Time, bool) { return s.deadline, !s.deadline.IsZero() }

// during runs f as a test of that name would, in a folder of its own.
func during(t *testing.T, name string, f func(s *stand)) *stand {
	t.Helper()
	s := &stand{TB: t, name: name}
	done := make(chan struct{})
	go func() {
		defer close(done)
		f(s)
	}()
	<-done
	return s
}

func quick(q Queue) Queue {
	q.Checks = 300
	return q
}

// unlocked pops without the lock: two processes take the same task.
func unlocked() Queue {
	return quick(NewDeque("unlocked", func(s *ref.Space) Deque { return &unlockedDeque{newCounterDeque(s)} }))
}

type unlockedDeque struct{ *counterDeque }

func (d *unlockedDeque) Steal(m ref.Memory) (uint64, model.Result) {
	if m.Load(d.full, plain) == 0 {
		return 0, model.Empty
	}
	v := m.Load(d.task, plain)
	m.Store(d.full, 0, plain)
	return v, model.OK
}

// mended is the same queue, mended.
func mended() Queue {
	q := quick(NewDeque("unlocked", func(s *ref.Space) Deque { return newCounterDeque(s) }))
	q.Capacity = 1
	return q
}

// The life of a bug: it is found, shrunk, saved, found again at once, shown by the
// command that the failure ends in; and once it is mended the saved case stays as
// a test of its program.
func TestTheLifeOfABug(t *testing.T) {
	t.Chdir(t.TempDir())
	const name = "TestDeque/of_mine"
	s := during(t, name, func(s *stand) { Check(s, unlocked()) })
	require.True(t, s.failed)
	for _, part := range []string{"stealproof: violation (duplicate): value 1 left twice", "; shrunk from ", "0: push pop\n1: steal\n", "| process 1", "<== fatal"} {
		assert.Contains(t, s.out.String(), part)
	}
	files, err := filepath.Glob("testdata/stealproof/TestDeque/of_mine/*.case")
	require.NoError(t, err)
	require.Len(t, files, 1)
	last := "to reproduce: go test -run '^TestDeque$/^of_mine$' -stealproof.case=" + files[0] + "\n"
	assert.True(t, strings.HasSuffix(s.out.String(), last), s.out.String())

	s = during(t, name, func(s *stand) { Check(s, unlocked()) })
	require.True(t, s.failed)
	assert.True(t, strings.HasPrefix(s.out.String(), "stealproof: the saved case "+files[0]+" fails again\n"), s.out.String())
	assert.True(t, strings.HasSuffix(s.out.String(), last))
	files, err = filepath.Glob("testdata/stealproof/TestDeque/of_mine/*.case")
	require.NoError(t, err)
	assert.Len(t, files, 1, "the same case is saved once")

	s = during(t, name, func(s *stand) { newChecker(s, unlocked(), choices{seed: 1, file: files[0]}).check() })
	require.True(t, s.failed)
	assert.Contains(t, s.out.String(), "<== fatal")

	s = during(t, name, func(s *stand) { Check(s, mended()) })
	assert.False(t, s.failed, s.out.String())
	assert.Contains(t, s.out.String(), "stealproof: saved case "+files[0]+" holds now\n")
	assert.Contains(t, s.out.String(), "all executions; ")
	assert.Contains(t, s.out.String(), " (seed 1)\n")
	for _, part := range []string{
		"linearizable on memory sc: ", " operations, all executions; ",
		"\nrandom programs (5+3+2 operations): push: ok ", "%, full ", "; steal: ok ", ", empty ", ", abort never\n",
		"\nnot looked at: orders weaker than sequential consistency: those are looked at on the memory ptx\n",
	} {
		assert.Contains(t, s.out.String(), part)
	}

	s = during(t, name, func(s *stand) { newChecker(s, mended(), choices{seed: 1, file: files[0]}).check() })
	assert.False(t, s.failed, s.out.String())
}

// A queue that has changed so much that the schedule of a saved case no longer fits
// is said so, and the program is searched in other ways.
func TestSavedCasesThatNoLongerFit(t *testing.T) {
	t.Chdir(t.TempDir())
	c, err := model.ParseCase("stealproof-case 1\nmodel: wsdeque\nstructure: unlocked\nschedule: choices:0*90\nverdict: violation duplicate\nprogram:\n0: push pop\n1: steal\n")
	require.NoError(t, err)
	file, err := save("testdata/stealproof/TestX", c)
	require.NoError(t, err)
	s := during(t, "TestX", func(s *stand) { Check(s, mended()) })
	assert.False(t, s.failed, s.out.String())
	assert.Contains(t, s.out.String(), "stealproof: saved case "+file+": its schedule no longer fits the queue (")
	assert.Contains(t, s.out.String(), "so its program was searched anew: linearizable on memory sc: 1 program of 3 operations, all executions")
	s = during(t, "TestX", func(s *stand) { Check(s, unlocked()) })
	assert.True(t, s.failed, "and a violation is found in it again")
	assert.Contains(t, s.out.String(), "the saved case "+file+" fails again")
}

// A saved case that cannot be used is an error, never passed over.
func TestSavedCasesThatCannotBeUsed(t *testing.T) {
	t.Chdir(t.TempDir())
	folder := "testdata/stealproof/TestX"
	require.NoError(t, os.MkdirAll(folder, 0o755))
	q := mended()
	q.Checks = 1 // which goes on all the same
	const good = "stealproof-case 1\nmodel: wsdeque\nstructure: unlocked\nschedule: choices:0\nverdict: violation duplicate\nprogram:\n0: push\n1: steal\n"
	for want, text := range map[string]string{
		`x.case: line 1: not a saved case: expected "stealproof-case 1"`:                        "hello\n",
		`x.case: line 1: this is a case of version 2: expected version 1`:                       strings.Replace(good, "case 1", "case 2", 1),
		`x.case: it is a case of wsdeque abp, this test is of wsdeque unlocked`:                 strings.Replace(good, "unlocked", "abp", 1),
		`x.case: line 7: model wsdeque has no operation "enq"`:                                  strings.Replace(good, "0: push", "0: enq", 1),
		`x.case: structure unlocked: process 1 calls pop on object 0, whose owner is process 0`: strings.Replace(good, "1: steal", "1: pop", 1),
	} {
		require.NoError(t, os.WriteFile(folder+"/x.case", []byte(text), 0o644))
		s := during(t, "TestX", func(s *stand) { Check(s, q) })
		assert.True(t, s.failed)
		assert.Contains(t, s.out.String(), want)
		assert.Contains(t, s.out.String(), "mend the file or delete it")
		s = during(t, "TestX", func(s *stand) { newChecker(s, mended(), choices{file: folder + "/x.case"}).check() })
		assert.True(t, s.failed)
		assert.Contains(t, s.out.String(), want)
	}
	s := during(t, "TestX", func(s *stand) { newChecker(s, mended(), choices{file: "none.case"}).check() })
	assert.True(t, s.failed)
	assert.Contains(t, s.out.String(), "none.case: no such file")
}

// A deadline that comes first is a failure that says so, never a success.
func TestADeadlineThatComesFirst(t *testing.T) {
	t.Chdir(t.TempDir())
	s := during(t, "TestX", func(s *stand) {
		s.deadline = time.Now().Add(-time.Second)
		Check(s, mended())
	})
	assert.True(t, s.failed)
	assert.Contains(t, s.out.String(), "the deadline of the test came first")
	assert.Contains(t, s.out.String(), "go test -run '^TestX$' -timeout")
	assert.NoDirExists(t, "testdata")
}

// A case that cannot be saved is printed all the same.
func TestACaseThatCannotBeSaved(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("testdata", nil, 0o644)) // a file in the way
	s := during(t, "TestX", func(s *stand) { Check(s, unlocked()) })
	assert.True(t, s.failed)
	assert.Contains(t, s.out.String(), "stealproof-case 1\n")
	assert.Contains(t, s.out.String(), "The case could not be saved: ")
}

// An operation that never ends fails the test, with a case that shows it again.
func TestCheckOfWhatNeverEnds(t *testing.T) {
	t.Chdir(t.TempDir())
	var over bool
	q := bad(func(d *counterDeque) {
		d.bad = func(m ref.Memory) {
			for m.Load(d.full, plain); forever(); {
				_ = over
			}
		}
	})
	released.Store(false)
	t.Cleanup(func() { released.Store(true) })
	q.Patience = 300 * time.Millisecond
	s := during(t, "TestX", func(s *stand) { Check(s, q) })
	assert.True(t, s.failed)
	assert.Contains(t, s.out.String(), "violation (endless): process ")
	files, err := filepath.Glob("testdata/stealproof/TestX/endless-*.case")
	require.NoError(t, err)
	require.Len(t, files, 1)
	s = during(t, "TestX", func(s *stand) { newChecker(s, q, choices{file: files[0]}).check() })
	assert.Contains(t, s.out.String(), "violation (endless): process ")
}

func TestArtifacts(t *testing.T) {
	r := find(t, unlocked())
	folder := t.TempDir()
	require.NoError(t, writeArtifacts(folder, r))
	for file, part := range map[string]string{"failure.case": "stealproof-case 1", "columns.txt": "<== fatal", "history.jsonl": "wsdeque", "timeline.html": "<html"} {
		text, err := os.ReadFile(filepath.Join(folder, file))
		require.NoError(t, err)
		assert.Contains(t, string(text), part)
	}
}
