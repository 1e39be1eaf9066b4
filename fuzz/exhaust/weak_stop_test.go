package exhaust

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/fuzz/internal/given"
	"stealproof/fuzz/programs"
	"stealproof/ref"
)

// A walk that is stopped again and again, written down, read and gone on with,
// ends with the same sums as one that was not. The lock makes executions that
// wait, the swaps of tz writes that are reckoned with late.
func TestInterruptedWeakSearchesLoseNothing(t *testing.T) {
	for _, c := range []struct{ spec, program string }{
		{"abp", "0: push push pop\n1: steal steal"},
		{"blocking", "0: enq deq\n1: deq"},
		{"tz:capacity=4", "0: enq\n1: deq"},
	} {
		setup := weakSetupOf(t, "ptx", c.spec, c.program)
		want := sums(exhaust(t, &Search{Subject: setup.Subject, Programs: alone(setup)}))
		stops := 0
		x := &Search{Subject: setup.Subject, Programs: alone(setup)}
		for x.Limit = 1; ; x.Limit += 1 + stops/5 {
			r := exhaust(t, x)
			if r.Checkpoint == nil {
				assert.Equal(t, want, sums(r), "%s, stopped %d times", c.spec, stops)
				break
			}
			require.True(t, r.Checkpoint.Left())
			x.Resume = reread(t, r.Checkpoint)
			stops++
		}
		assert.Greater(t, stops, 3, c.spec)
	}
}

// The same of many programs that several workers have begun.
func TestInterruptedWeakSearchOfAllPrograms(t *testing.T) {
	subject := given.On(t, "ptx", given.Subject(t, "abp"))
	programs, err := programs.All(subject, programs.Bounds{Shape: programs.Shape{4, 2}})
	require.NoError(t, err)
	want := sums(exhaust(t, &Search{Subject: subject, Programs: programs}))
	x := &Search{Subject: subject, Programs: programs, Jobs: 3}
	for x.Limit = 50; ; x.Limit += 50 {
		r := exhaust(t, x)
		if r.Checkpoint == nil {
			assert.Equal(t, want, sums(r))
			assert.Greater(t, x.Limit, 100)
			return
		}
		x.Resume = reread(t, r.Checkpoint)
	}
}

func TestWeakCheckpointsThatDoNotFit(t *testing.T) {
	setup := weakSetupOf(t, "ptx", "abp", "0: push push pop pop\n1: steal steal")
	text := stopped(t, searchOf(setup))
	for memory, want := range map[string]string{"ptx:place=block": "its memory is ptx, not ptx:place=block", "": "its memory is ptx, not sc"} {
		other := setupOf(t, "abp", "0: push push pop pop\n1: steal steal")
		if memory != "" {
			other = weakSetupOf(t, memory, "abp", "0: push push pop pop\n1: steal steal")
		}
		c, err := ReadCheckpoint(strings.NewReader(text))
		require.NoError(t, err)
		_, err = (&Search{Subject: other.Subject, Programs: alone(other), Resume: c}).Run(t.Context())
		assert.ErrorContains(t, err, want)
	}
	for _, c := range []struct{ from, to, want string }{
		{"\ngraphs ", "\ngraph ", `expected "graphs" or "decisions", found`},
		{"\ngraphs ", "\ngraphs x", "expected how many there are"},
		{"\ngraph 0:", "\ngraph x:", "expected a line as in"},
		{"\ngraph 0:-1:", "\ngraph 0:5:", "expected a process, and events before this one"},
		{"executed=10", "executed=ten", "expected a line as in"},
		{"executed=10", "executed=11", "the checksum does not match"},
	} {
		require.Contains(t, text, c.from)
		_, err := ReadCheckpoint(strings.NewReader(strings.Replace(text, c.from, c.to, 1)))
		assert.ErrorContains(t, err, c.want)
	}
	// Who looks at the executions has the orders of fences one by one.
	x := searchOf(setup)
	x.Each = func(*ref.Execution) {}
	text = stopped(t, x)
	for _, c := range []struct{ from, to, want string }{
		{"\ndecisions ", "\ndecide ", `expected "graphs" or "decisions", found`},
		{"\ndecisions 0/", "\ndecisions 9/", "expected the number of an outcome"},
		{"\ndecisions 0/", "\ndecisions x/", "expected a line as in"},
		{"\nwrites ", "\nwrites x,", "expected numbers"},
		{"\nwrites ", "\nwrites 1;", "do not count the same locations"},
	} {
		require.Contains(t, text, c.from)
		_, err := ReadCheckpoint(strings.NewReader(strings.Replace(text, c.from, c.to, 1)))
		assert.ErrorContains(t, err, c.want)
	}
}

// stopped is the checkpoint of a search that was stopped after ten executions.
func stopped(t *testing.T, x *Search) string {
	x.Limit = 10
	r := exhaust(t, x)
	require.NotNil(t, r.Checkpoint)
	var b bytes.Buffer
	require.NoError(t, r.Checkpoint.Write(&b))
	return b.String()
}

// Estimates are random, but of the same seed always the same. How many
// executions there are is known from making them; the mean of a few estimates
// promises the order of magnitude.
func TestWeakEstimates(t *testing.T) {
	for _, c := range []struct{ spec, program string }{
		{"abp", "0: push push pop\n1: steal\n2: steal"},
		{"abp", "0: push push pop\n1: steal steal"},
		{"tz:capacity=4", "0: enq enq\n1: enq"},
		{"blocking", "0: enq\n1: enq deq"},
	} {
		if c.spec != "abp" && !given.Large() {
			continue // its estimates take as many executions as all the others
		}
		setup := weakSetupOf(t, "ptx", c.spec, c.program)
		x := &Search{Subject: setup.Subject, Programs: alone(setup)}
		r := exhaust(t, &Search{Subject: setup.Subject, Programs: alone(setup)})
		exact, err := x.estimateProgram(t.Context(), setup.Program, 1)
		require.NoError(t, err)
		assert.True(t, exact.Exact, c.spec)
		assert.Equal(t, float64(r.Executions), exact.Executions, c.spec)
		var sum float64
		const seeds, few = 8, 10
		for seed := range uint64(seeds) {
			sampled, err := x.estimateWeak(t.Context(), setup.Program, seed, few, 1_000)
			require.NoError(t, err)
			assert.Equal(t, r.Executions < few, sampled.Exact, c.spec)
			sum += sampled.Executions
		}
		t.Logf("%s: %d executions, estimates %.0f in the mean", c.spec, r.Executions, sum/seeds)
		assert.Less(t, sum/seeds, 2*float64(r.Executions), c.spec)
		assert.Greater(t, sum/seeds, float64(r.Executions)/2, c.spec)
	}
}

// Several workers share the graphs of a program: the sums and the failure are those of one
// alone.
func TestAnyNumberOfWorkersOnOneWeakProgram(t *testing.T) {
	shared := 0
	for i, c := range []struct {
		search        Search
		spec, program string
	}{
		{Search{}, "chase-lev", "0: push push pop pop\n1: steal\n2: steal"},
		{Search{Clients: true}, "herlihy-wing", "0: enq\n1: enq\n2: deq\n3: deq"},
		{Search{}, "abp:variant=book", "0: push push pop\n1: steal\n2: steal"},
		{Search{Clients: true}, "relaxed-treiber", "0: put\n1: put\n2: take\n3: take"},
		{Search{AllHistories: true}, "abp", "0: push push pop\n1: steal\n2: steal"},
		{Search{}, "the", "0: push[4,8) pop(2) pop(3)\n1: steal(3)"},
		{Search{}, "test-waits-for-ever", "0: enq\n1: deq\n2: enq enq"},
	} {
		if testing.Short() && i > 2 {
			return
		}
		setup := weakSetupOf(t, "ptx", c.spec, c.program)
		x := c.search
		x.Subject, x.Programs, x.Jobs = setup.Subject, alone(setup), 1
		want := exhaust(t, &x)
		for _, jobs := range []int{2, 4} {
			x.Jobs, x.sharing = jobs, 1
			list, err := x.workWeak(t.Context())
			require.NoError(t, err)
			shared += list.shared
			got := sumWeak(list.walks)
			assert.Equal(t, sums(want), sums(got), "%s\n%s", c.spec, c.program)
			assert.Equal(t, want.DeadEnds, got.DeadEnds)
		}
	}
	assert.Greater(t, shared, 10)
}
