package litmus

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/ref/axioms"
)

// TestStoppingEarlyDecidesTheSame: what is left out once it cannot decide the
// statement changes no verdict.
func TestStoppingEarlyDecidesTheSame(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(6, 7))
	verdicts, reasons := map[Verdict]int{}, map[string]int{}
	for range amount(2000) {
		text := (&randomProgram{Rand: r, threads: 3, instructions: 3, placed: true, barriers: r.IntN(4) == 0, quorums: r.IntN(4) == 0, proxies: r.IntN(4) == 0, branches: r.IntN(3) == 0}).text()
		names := variableNames(t, text)
		term := func() string {
			return fmt.Sprintf("%s %s %d", pick(r, names), pick(r, []string{"==", "!="}), r.IntN(3))
		}
		statement := fmt.Sprintf("%s (%s %s ~(%s %s %s))", pick(r, quantifierNames), term(), pick(r, []string{`/\`, `\/`}), term(), pick(r, []string{`/\`, `\/`}), term())
		if r.IntN(2) == 0 {
			statement = "filter (" + term() + ") " + statement
		}
		text = strings.Replace(text, "exists (x == 0)", statement, 1)
		test, err := Parse("random", text)
		require.NoError(t, err, text)
		m := axioms.Model(r.IntN(4))
		early, all := Decide(t.Context(), test, Options{Model: m}), Decide(t.Context(), test, Options{Model: m, AllStates: true})
		require.Equal(t, all.Verdict, early.Verdict, text)
		require.Equal(t, all.Witness == nil, early.Witness == nil, text)
		require.Equal(t, verdictOf(test, all.States), all.Verdict, text)
		require.Equal(t, all.Why, early.Why, text)
		verdicts[all.Verdict]++
		reasons[all.Why]++
	}
	assert.Positive(t, verdicts[Holds])
	assert.Positive(t, verdicts[Fails])
	assert.Positive(t, verdicts[Undecided], "some statements are about no execution")
	for _, why := range []string{nothingLeft, onlyWaiting, someWait} {
		assert.Positive(t, reasons[why], why)
	}
}

// variableNames are those of which a statement about the program may speak.
func variableNames(t *testing.T, text string) []string {
	t.Helper()
	test, err := Parse("random", text)
	require.NoError(t, err, text)
	var names []string
	for _, v := range test.allVariables() {
		names = append(names, test.VariableName(v))
	}
	return names
}

// What was not looked at is said as it is: a thread without a loop is too long,
// not unrolled too little.
func TestWhyUndecided(t *testing.T) {
	for text, want := range map[string]string{
		"LC0: atom.relaxed.gpu.exch r0, x, 1 ;\n bne r0, 0, LC0": cutLoop,
		strings.Repeat("st.weak x, 1 ;\n", 300):                  cutLength,
		"LC0: add r0, r0, 1 ;\n bne r0, 5000, LC0":               cutLength,
	} {
		test, err := Parse("t", strings.Replace(oneThread(strings.TrimSuffix(text, " ;\n")), "x == 1", "x == 77", 1))
		require.NoError(t, err)
		r := Decide(t.Context(), test, Options{})
		assert.Equal(t, Undecided, r.Verdict, text)
		assert.Equal(t, want, r.Why, text)
	}
}

// What is said of all executions is not true of none: not where somebody spins
// for ever, and not where the filter leaves nothing. That some execution reaches
// a state is false there.
func TestAboutNothing(t *testing.T) {
	const (
		spin  = "LC0: ld.acquire.gpu r0, x | ;\n bne r0, 1, LC0 | "
		reads = "ld.relaxed.gpu r0, x | ld.relaxed.gpu r0, x"
	)
	for _, c := range []struct{ code, statement, why string }{
		{spin, "~exists (x == 1)", nothingEnds},
		{spin, "filter (x == 0) forall (x == 0)", nothingEnds},
		{reads, "filter (P0:r0 == 1) forall (P1:r0 == 0)", nothingLeft},
		{reads, "filter (x == 1) ~exists (P1:r0 == 0)", nothingLeft},
		{spin, "exists (x == 0)", nothingEnds},
		{reads, "filter (x == 1) exists (P1:r0 == 0)", nothingLeft},
		{reads, "filter (P0:r0 == 0) forall (P1:r0 == 0)", ""}, // one execution is something
		{reads, "~exists (P1:r0 == 1)", ""},
		{reads, "exists (P1:r0 == 1)", ""},
	} {
		test, err := Parse("t", "PTX t\n{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n "+c.code+" ;\n"+c.statement)
		require.NoError(t, err)
		want := map[bool]Verdict{true: Holds, false: Undecided}[c.why == ""]
		if test.Statement == Exists {
			want = Fails
		}
		for _, m := range []axioms.Model{axioms.PTX, axioms.RC11, axioms.TSO, axioms.SequentialConsistency} {
			for _, all := range []bool{false, true} {
				r := Decide(t.Context(), test, Options{Model: m, AllStates: all})
				assert.Equal(t, want, r.Verdict, "%s\n%s, %s", c.code, c.statement, m)
				assert.Equal(t, c.why, r.Why, "%s\n%s, %s", c.code, c.statement, m)
			}
		}
	}
}

// Executions in which somebody waits for ever count as far as they run, and the
// verdict says that it rests upon them.
func TestWaitingForEver(t *testing.T) {
	const (
		deadlock = "bar.cta.sync 0, 0, 2 | ;\n bar.cta.sync 1, 0, 2 | bar.cta.sync 0, 0, 3"
		perhaps  = "ld.relaxed.gpu r0, x | st.relaxed.gpu x, 1 ;\n bne r0, 1, LC0 | ;\n bar.cta.sync 0, 0, 1 | ;\n LC0: | ;\n beq r0, 1, LC1 | ;\n bar.cta.sync 1, 0, 2 | ;\n LC1: ld r1, 1 |"
	)
	for _, c := range []struct {
		code, statement string
		want            Verdict
		why             string
	}{
		{deadlock, "forall (x == 0)", Holds, someWait},
		{deadlock, "~exists (x == 0)", Fails, onlyWaiting},
		{deadlock, "exists (x == 0)", Holds, onlyWaiting},
		{deadlock, "exists (x == 1)", Fails, someWait},
		{perhaps, "exists (P0:r0 == 1)", Holds, ""}, // then nobody waits
		{perhaps, "exists (P0:r0 == 0)", Holds, onlyWaiting},
		{perhaps, "exists (P0:r0 == 0 /\\ P0:r1 == 0)", Fails, someWait},
		{perhaps, "forall (P0:r0 == 1 /\\ P0:r1 == 1 \\/ P0:r0 == 0 /\\ P0:r1 == 1)", Holds, someWait},
		{perhaps, "filter (P0:r0 == 1) forall (P0:r1 == 1)", Holds, ""},
		{perhaps, "filter (P0:r1 == 1) forall (P0:r0 == 1)", Holds, ""}, // what is not true is left out
		{perhaps, "filter (P0:r0 == 0) exists (P0:r1 == 1)", Fails, someWait},
	} {
		test, err := Parse("t", "PTX t\n{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n "+c.code+" ;\n"+c.statement)
		require.NoError(t, err)
		for _, m := range []axioms.Model{axioms.PTX, axioms.RC11, axioms.TSO, axioms.SequentialConsistency} {
			for _, all := range []bool{false, true} {
				r := Decide(t.Context(), test, Options{Model: m, AllStates: all})
				assert.Equal(t, c.want, r.Verdict, "%s\n%s, %s", c.code, c.statement, m)
				assert.Equal(t, c.why, r.Why, "%s\n%s, %s", c.code, c.statement, m)
				if c.why == onlyWaiting {
					assert.NotEmpty(t, r.Witness.Waiting)
				}
			}
		}
	}
}

// verdictOf is what a list of all states says.
func verdictOf(t *Test, states []State) Verdict {
	some, all, seen := false, true, false
	for _, s := range states {
		if !s.Filtered {
			some, all, seen = some || s.Satisfies, all && !s.Refutes, true
		}
	}
	if !seen && t.Statement != Exists {
		return Undecided
	}
	if map[Quantifier]bool{Exists: some, NotExists: !some, Forall: all}[t.Statement] {
		return Holds
	}
	return Fails
}
