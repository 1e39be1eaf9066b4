package litmus

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/ref/axioms"
)

func program(t testing.TB, p *randomProgram) (*Test, string) {
	t.Helper()
	text := p.text()
	test, err := Parse("random", text)
	require.NoError(t, err, text)
	return test, text
}

func requireSubset(t testing.TB, fewer, more map[string]bool, text string, why string) {
	t.Helper()
	for outcome := range fewer {
		require.True(t, more[outcome], "%s: outcome %s\n%s", why, outcome, text)
	}
}

// strengthen makes one instruction stronger, if it can be.
func strengthen(r *rand.Rand, test *Test) {
	th := &test.Threads[r.IntN(len(test.Threads))]
	i := &th.Code[r.IntN(len(th.Code))]
	switch {
	case i.Op == Load && i.Order < axioms.Acquire:
		i.Order++
	case i.Op == Store && i.Order == axioms.Weak:
		i.Order = axioms.Relaxed
	case i.Op == Store && i.Order == axioms.Relaxed:
		i.Order = axioms.Release
	case i.Op == Fence && (i.Order == axioms.Acquire || i.Order == axioms.Release):
		i.Order = axioms.AcqRel
	case i.Op == Fence:
		i.Order = axioms.SC
	case i.Op == Atomic || i.Op == Exchange || i.Op == Compare:
		i.Order = axioms.AcqRel
	}
}

// TestStrongerIsFewer: a stronger order, a wider scope, or threads that are
// placed closer never add an outcome.
func TestStrongerIsFewer(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(6, 2))
	changed := 0
	for range amount(2000) {
		p := &randomProgram{Rand: r, threads: 3, instructions: 3, placed: true, barriers: r.IntN(3) == 0, branches: r.IntN(3) == 0}
		test, text := program(t, p)
		before := outcomes(t, test, axioms.PTX)
		switch r.IntN(3) {
		case 0:
			for range 3 {
				strengthen(r, test)
			}
		case 1:
			for i := range test.Threads {
				for k := range test.Threads[i].Code {
					test.Threads[i].Code[k].Scope = axioms.System
				}
			}
		case 2:
			for i := range test.Threads {
				test.Threads[i].Place = axioms.Place{}
			}
		}
		after := outcomes(t, test, axioms.PTX)
		requireSubset(t, after, before, text, "stronger")
		if len(after) < len(before) {
			changed++
		}
	}
	assert.Greater(t, changed, 10, "some change must matter")
}

// compile changes two weak accesses that stand beside one another, as a compiler may: two of
// different locations change places, unless one needs what the other gives; the second of
// two loads of a location gives what the first has read; of two stores the first is left
// out. It says what it did, nothing if there are no such two at random.
func compile(r *rand.Rand, test *Test) string {
	th := &test.Threads[r.IntN(len(test.Threads))]
	if len(th.Code) < 2 {
		return ""
	}
	k := r.IntN(len(th.Code) - 1)
	a, b := &th.Code[k], &th.Code[k+1]
	weak := func(i *Instruction) bool { return (i.Op == Load || i.Op == Store) && i.Order == axioms.Weak }
	needs := func(i, j *Instruction) bool {
		return j.Op == Load && i.Op == Store && i.A.IsRegister && i.A.Register == j.Register
	}
	switch {
	case !weak(a) || !weak(b):
		return ""
	case a.Location != b.Location:
		if needs(a, b) || needs(b, a) || a.Op == Load && b.Op == Load && a.Register == b.Register {
			return ""
		}
		*a, *b = *b, *a
		return fmt.Sprintf("%s and %s change places", accessName(b), accessName(a))
	case a.Op == Load && b.Op == Load:
		*b = Instruction{Op: Move, Register: b.Register, A: Operand{IsRegister: true, Register: a.Register}}
		return "one load for two"
	case a.Op == Store && b.Op == Store:
		th.Code = slices.Delete(th.Code, k, k+1)
		return "one store for two"
	}
	return ""
}

func accessName(i *Instruction) string {
	if i.Op == Load {
		return "load"
	}
	return "store"
}

// TestCompilersStayWithinTheModel: whatever a compiler does to weak accesses in this way, the
// model has all that comes of it, as long as loops end.
func TestCompilersStayWithinTheModel(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(9, 11))
	changed := map[string]int{}
	for range amount(6000) {
		test, text := program(t, &randomProgram{Rand: r, threads: 3, instructions: 4})
		changes := *test
		changes.Threads = slices.Clone(test.Threads)
		for p := range changes.Threads {
			changes.Threads[p].Code = slices.Clone(test.Threads[p].Code)
		}
		what := ""
		for n := 0; what == "" && n < 40; n++ {
			what = compile(r, &changes)
		}
		if what == "" {
			continue
		}
		changed[what]++
		requireSubset(t, outcomes(t, &changes, axioms.PTX), outcomes(t, test, axioms.PTX), text, what)
	}
	assert.Len(t, changed, 6, changed)
	t.Log(changed)
}

// TestModelsAreOrdered: each model allows what the next stronger one allows.
// Of PTX that is so where all accesses are strong and reach everybody, and no thread goes
// on to write what it has released, or to acquire what it has read: that continues a
// pattern in PTX, and nothing in RC11.
func TestModelsAreOrdered(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(6, 3))
	differ := map[axioms.Model]int{}
	for range amount(1000) {
		test, text := program(t, &randomProgram{Rand: r, threads: 3, instructions: 4, barriers: r.IntN(4) == 0, branches: r.IntN(3) == 0, proxies: r.IntN(4) == 0})
		for i := range test.Threads {
			for k := range test.Threads[i].Code {
				if i := &test.Threads[i].Code[k]; i.Op == Load || i.Op == Store {
					i.Order = max(i.Order, axioms.Relaxed)
				}
			}
		}
		weaker := outcomes(t, test, axioms.PTX)
		for _, m := range []axioms.Model{axioms.RC11, axioms.TSO, axioms.SequentialConsistency} {
			stronger := outcomes(t, test, m)
			if m != axioms.RC11 || !continues(test) {
				requireSubset(t, stronger, weaker, text, m.String())
			}
			if len(stronger) < len(weaker) {
				differ[m]++
			}
			weaker = stronger
		}
	}
	for m, n := range differ {
		assert.Positive(t, n, m)
	}
	assert.Len(t, differ, 3, "each model differs from the next on some program")
}

// storeBuffering is the program that tells TSO from SC, with a fence in between.
func storeBuffering(t testing.TB, between axioms.Order) (*Test, string) {
	text := fmt.Sprintf("PTX SB\n{ }\nP0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"+
		"st.relaxed.gpu x, 1 | st.relaxed.gpu y, 1 ;\nfence.%[1]s.gpu | fence.%[1]s.gpu ;\nld.relaxed.gpu r0, y | ld.relaxed.gpu r0, x ;\n"+
		"exists (P0:r0 == 0 /\\ P1:r0 == 0)\n", between)
	test, err := Parse("SB", text)
	require.NoError(t, err)
	return test, text
}

func continues(test *Test) bool {
	for _, th := range test.Threads {
		released, read := map[int]bool{}, map[int]bool{}
		for _, i := range th.Code {
			atomic := i.Op == Atomic || i.Op == Exchange || i.Op == Compare
			if !atomic && i.Op != Load && i.Op != Store {
				continue
			}
			if (atomic || i.Op == Store) && released[i.Location] || (atomic || i.Op == Load) && i.Order.Acquires() && read[i.Location] {
				return true
			}
			released[i.Location] = released[i.Location] || i.Op != Load && i.Order.Releases()
			read[i.Location] = read[i.Location] || i.Op != Store
		}
	}
	return false
}

// TestInterleavingsAndStoreBuffers compares the axioms of SC and TSO with
// machines: threads that take turns, and threads with a buffer of stores each.
func TestInterleavingsAndStoreBuffers(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(6, 4))
	differ, waiting := 0, 0
	for range amount(1000) {
		test, text := program(t, &randomProgram{Rand: r, threads: 3, instructions: 4, branches: r.IntN(3) == 0, syncs: r.IntN(3) == 0})
		if order := r.IntN(50); order < 4 { // which of them drains a buffer
			test, text = storeBuffering(t, fenceOrders[order])
		}
		sc, tso := machineOutcomes(test, false), machineOutcomes(test, true)
		require.Equal(t, sc, outcomes(t, test, axioms.SequentialConsistency), text)
		require.Equal(t, tso, outcomes(t, test, axioms.TSO), text)
		if len(tso) > len(sc) {
			differ++
		}
		for outcome := range sc {
			if strings.Contains(outcome, "waiting") {
				waiting++
				break
			}
		}
	}
	assert.Positive(t, differ)
	assert.Positive(t, waiting, "somebody waits for ever in some program")
}

// amount is how many programs to try: all of them for make large.
func amount(n int) int {
	switch {
	case os.Getenv("STEALPROOF_LARGE") != "":
		return n
	case testing.Short():
		return n / 10
	}
	return n / 6
}

// A register that was set to what it held is set, whatever the thread waits for then.
func TestARegisterSetToItselfIsSet(t *testing.T) {
	text := "PTX itself\n{ x=0; }\nP0@cta 0,gpu 0 ;\nld r0, r0 ;\nbar.cta.sync 1, 0, 2 ;\nld.relaxed.gpu r0, x ;\nexists (P0:r0 == 0)\n"
	test, err := Parse("itself", text)
	require.NoError(t, err)
	want := machineOutcomes(test, false)
	require.Len(t, want, 1)
	for outcome := range want {
		require.NotContains(t, outcome, "unset")
		require.Contains(t, outcome, "waiting")
	}
	assert.Equal(t, want, outcomes(t, test, axioms.SequentialConsistency))
}
