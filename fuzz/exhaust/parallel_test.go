package exhaust

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/fuzz"
	"stealproof/fuzz/choice"
	"stealproof/fuzz/internal/given"
	"stealproof/fuzz/programs"
	"stealproof/model"
)

// searches are programs of a few thousand executions, that hold and that fail.
var searches = []struct{ spec, program string }{
	{"abp", "0: push push pop pop\n1: steal steal\n2: steal"},
	{"abp", "0: push push push pop pop\n1: steal steal\n2: steal"},
	{"tz:capacity=4", "0: enq enq\n1: deq\n2: deq"},
	{"blocking", "0: enq deq\n1: enq deq\n2: deq"},
	{"abp:defect=counter-kept-on-swap", "0: push push pop pop push\n1: steal steal"},
	{"abp:defect=head-reset-first", "0: push push pop pop\n1: steal steal"},
	{"tz:capacity=4,variant=original", "0: enq enq\n1: deq\n2: deq"},
}

// sums are what must not depend on who did what when.
func sums(r *Result) string {
	s := fmt.Sprintf("%s, %d executed, %d cut, %d dead ends, %d of %d programs", r.Verdict, r.Executions, r.Cut, r.DeadEnds, r.Exhausted, r.Programs)
	if r.Failure != nil {
		return s + "\n" + r.Failure.Case.String()
	}
	return fmt.Sprintf("%s, %d histories", s, r.Histories)
}

func inParts(t *testing.T, x *Search, part int) *Result {
	t.Helper()
	r, err := x.inParts(t.Context(), part)
	require.NoError(t, err)
	return r
}

// One worker or many, in large parts or small: the verdict, the executions and
// the counterexample are the same. How much is cut depends on the parts, since
// a part that is given away tries more than it has a reason for.
func TestAnyNumberOfWorkersFindsTheSame(t *testing.T) {
	every := given.Amount(testing.Short(), 6, 3, 1)
	for i, c := range searches {
		if i%every > 0 {
			continue
		}
		setup := given.Setup(t, c.spec, c.program)
		whole := inParts(t, &Search{Subject: setup.Subject, Programs: alone(setup), Jobs: 1}, 1<<40)
		for _, part := range []int{1, 7, 100} {
			want := sums(inParts(t, &Search{Subject: setup.Subject, Programs: alone(setup), Jobs: 1}, part))
			for _, jobs := range []int{2, 3, 8} {
				r := inParts(t, &Search{Subject: setup.Subject, Programs: alone(setup), Jobs: jobs}, part)
				assert.Equal(t, want, sums(r), "%s, parts of %d, %d workers", c.spec, part, jobs)
				assert.Equal(t, whole.Verdict, r.Verdict)
				if whole.Verdict == model.Linearizable {
					assert.Equal(t, whole.Executions, r.Executions, "parts neither repeat nor lose an execution")
					assert.Equal(t, whole.Histories, r.Histories)
				}
			}
		}
	}
}

// The first of many programs that fails is the one that is reported.
func TestWorkersReportTheFirstProgramThatFails(t *testing.T) {
	subject := given.Subject(t, "abp:width=1")
	programs, err := programs.All(subject, programs.Bounds{Shape: programs.Shape{5, 1}})
	require.NoError(t, err)
	want := sums(exhaust(t, &Search{Subject: subject, Programs: programs, Jobs: 1}))
	assert.Contains(t, want, "0: push pop push pop\n1: steal\n")
	for _, jobs := range []int{2, 5} {
		assert.Equal(t, want, sums(exhaust(t, &Search{Subject: subject, Programs: programs, Jobs: jobs})))
	}
}

// A search that is stopped again and again, written down, read and gone on
// with, ends with the same sums as one that was not.
func TestInterruptedSearchesLoseNothing(t *testing.T) {
	for i, c := range searches[:5] {
		if testing.Short() && i != 2 && i != 4 {
			continue
		}
		setup := given.Setup(t, c.spec, c.program)
		want := sums(inParts(t, &Search{Subject: setup.Subject, Programs: alone(setup), Jobs: 1, AllHistories: true}, 50))
		for _, stride := range []int{1, 13, 400} {
			if stride < 400 && i != 2 && i != 4 && !given.Large() {
				continue // the others are stopped a hundred times
			}
			x := &Search{Subject: setup.Subject, Programs: alone(setup), Jobs: 1, AllHistories: true}
			stops := 0
			for x.Limit = stride; ; x.Limit += stride * (1 + stops/50) {
				r := inParts(t, x, 50)
				if r.Checkpoint == nil {
					assert.Equal(t, want, sums(r), "%s, stopped %d times", c.spec, stops)
					break
				}
				require.True(t, r.Checkpoint.Left())
				stops++
				x.Jobs = 1 + stops%3
				x.Resume = reread(t, r.Checkpoint)
			}
			if stride == 1 {
				assert.Greater(t, stops, 3)
			}
		}
	}
}

// reread writes a checkpoint and reads it, which must give the same text again.
func reread(t *testing.T, c *Checkpoint) *Checkpoint {
	t.Helper()
	var text, again bytes.Buffer
	require.NoError(t, c.Write(&text))
	read, err := ReadCheckpoint(bytes.NewReader(text.Bytes()))
	require.NoError(t, err, text.String())
	require.NoError(t, read.Write(&again))
	require.Equal(t, text.String(), again.String())
	return read
}

// The same where many programs are stopped between and within them.
func TestInterruptedSearchOfAllPrograms(t *testing.T) {
	subject := given.Subject(t, "abp")
	programs, err := programs.All(subject, programs.Bounds{Shape: programs.Shape{3, 2, 1}})
	require.NoError(t, err)
	want := sums(inParts(t, &Search{Subject: subject, Programs: programs}, 10))
	x := &Search{Subject: subject, Programs: programs, Jobs: 2}
	for stops := 0; ; stops++ {
		ctx, cancel := context.WithCancel(t.Context())
		x.Progress = func(int, int) { cancel() } // after 256 executions
		r, err := x.inParts(ctx, 10)
		cancel()
		require.NoError(t, err)
		if r.Checkpoint == nil {
			assert.Equal(t, want, sums(r))
			assert.Positive(t, stops)
			return
		}
		x.Resume = reread(t, r.Checkpoint)
	}
}

// What does not belong to the search, or is damaged, is refused.
func TestCheckpointsThatDoNotFit(t *testing.T) {
	setup := given.Setup(t, "abp", "0: push push pop pop\n1: steal steal")
	r := exhaust(t, &Search{Subject: setup.Subject, Programs: alone(setup), Limit: 10, Jobs: 1})
	var b bytes.Buffer
	require.NoError(t, r.Checkpoint.Write(&b))
	text := b.String()
	for _, c := range []struct {
		x    Search
		want string
	}{
		{*searchOf(given.Setup(t, "abp:width=2", "0: push push pop pop\n1: steal steal")), "its structure is abp, not abp:width=2"},
		{*searchOf(given.Setup(t, "abp", "0: push push pop\n1: steal steal")), "its programs is 1, "},
		{Search{Subject: setup.Subject, Programs: alone(setup), AllHistories: true}, "its histories is strictest, not all"},
		{Search{Subject: setup.Subject, Programs: alone(setup), Accesses: 5}, "its limit of accesses is 10000, not 5"},
	} {
		c.x.Resume = reread(t, r.Checkpoint)
		_, err := c.x.Run(t.Context())
		assert.ErrorContains(t, err, "the checkpoint is of another search: "+c.want)
	}
	for _, c := range []struct{ text, want string }{
		{"", "line 1: the checkpoint ends too early"},
		{"stealproof-case 1\n", `line 1: expected "stealproof-checkpoint 3", found "stealproof-case 1"`},
		{strings.Replace(text, "checkpoint 3", "checkpoint 7", 1), "line 1: a checkpoint of version 7"},
		{text[:len(text)-40], "the checkpoint ends too early"},
		{strings.Replace(text, "executed=", "executed=1", 1), "the checksum does not match"},
		{strings.Replace(text, "\nnode ", "\nnope ", 1), "expected a node, found"},
		{strings.Replace(text, "choices:0", "choices:x", 1), "choice \"x"},
		{strings.Replace(text, "accesses 1", "accesses z", 1), `line 6: accesses "z0000": expected a number`},
		{strings.Replace(text, "root=", "root=9", 1), "do not go together"},
	} {
		_, err := ReadCheckpoint(strings.NewReader(c.text))
		assert.ErrorContains(t, err, c.want)
	}
}

// Only the strictest histories need a verdict: it is the same if all are judged.
func TestStrictestHistoriesDecide(t *testing.T) {
	shapes := []programs.Shape{{2, 1}, {2, 2}, {3, 1}, {2, 1, 1}, {3, 2}}
	found := map[model.Verdict]int{}
	for i := range given.Amount(testing.Short(), 60, 80, 200) {
		random := choice.NewRandom(uint64(1000 + i))
		subject := given.Subject(t, fuzz.Register[random.IntN(len(fuzz.Register))].Spec)
		setup, err := subject.Prepare(programs.New(subject, shapes[random.IntN(len(shapes))], random))
		require.NoError(t, err)
		if subject.Design().Kind == model.Bag {
			continue // so many operations at once have too many histories
		}
		strict := exhaust(t, &Search{Subject: setup.Subject, Programs: alone(setup), Limit: 500})
		all := exhaust(t, &Search{Subject: setup.Subject, Programs: alone(setup), Limit: 50_000, AllHistories: true})
		if strict.Complete || strict.Failure != nil {
			require.Equal(t, all.Verdict, strict.Verdict, "%s\n%s", subject, setup.Program)
			assert.LessOrEqual(t, strict.Executions, all.Executions)
			found[strict.Verdict]++
		}
	}
	assert.Greater(t, found[model.Violation], 10)
	assert.Greater(t, found[model.Linearizable], 10)
}

// An estimate is exact where the search is small, and of the right size where
// it is not; the same seed gives the same.
func TestEstimates(t *testing.T) {
	small := given.Setup(t, "abp", "0: push push pop pop\n1: steal steal")
	e, err := (&Search{Subject: small.Subject, Programs: alone(small)}).estimateProgram(t.Context(), small.Program, 1)
	require.NoError(t, err)
	assert.True(t, e.Exact)
	assert.EqualValues(t, exhaust(t, &Search{Subject: small.Subject, Programs: alone(small)}).Executions, e.Executions)

	large := given.Setup(t, "abp", "0: push push push pop pop pop\n1: steal steal\n2: steal steal")
	x := &Search{Subject: large.Subject, Programs: alone(large), everyProcess: true}
	e, err = x.estimateProgram(t.Context(), large.Program, 1)
	require.NoError(t, err)
	assert.False(t, e.Exact)
	assert.Positive(t, e.Error)
	const executions = 25_950 // as the search says in make large
	if given.Large() {
		assert.Equal(t, executions, exhaust(t, x).Executions)
	}
	assert.InEpsilon(t, executions, e.Executions, 1.5)
	if testing.Short() {
		return
	}
	again, err := x.estimateProgram(t.Context(), large.Program, 1)
	require.NoError(t, err)
	assert.Equal(t, e.Executions, again.Executions)
}

// Programs come smallest first, each once, and no shape is left out.
func TestAllProgramsWithinBounds(t *testing.T) {
	for _, c := range []struct {
		spec   string
		bounds programs.Bounds
		want   int
	}{
		{"abp", programs.Bounds{Shape: programs.Shape{2, 1}}, (2 + 4) * 2},
		{"abp", programs.Bounds{Shape: programs.Shape{1, 1, 1}}, 2 * 3},              // no, one or two thieves
		{"tz", programs.Bounds{Shape: programs.Shape{1, 1}}, 2 + 3},                  // one alone; two, in either order
		{"the", programs.Bounds{Shape: programs.Shape{1, 1}, Size: 3}, 6 + 6*3},      // 3 pushes, 3 pops; 3 steals
		{"list", programs.Bounds{Shape: programs.Shape{1, 1}, Size: 1}, 2 + 4},       // processes are not alike
		{"static", programs.Bounds{Shape: programs.Shape{2}, Phases: 2}, 2*2 + 4*3},  // the end at 2 or 3 places
		{"the:bits=3,base=6", programs.Bounds{Shape: programs.Shape{1}, Size: 2}, 4}, // indices that there are
	} {
		subject := given.Subject(t, c.spec)
		programs, err := programs.All(subject, c.bounds)
		require.NoError(t, err)
		assert.Len(t, programs, c.want, c.spec)
		texts, before := map[string]bool{}, 0
		for i := range programs {
			_, err := subject.Prepare(programs[i])
			require.NoError(t, err)
			assert.GreaterOrEqual(t, programs[i].Len(), before)
			before = programs[i].Len()
			texts[programs[i].String()] = true
		}
		assert.Len(t, texts, c.want, "each once")
	}
}
