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
	r := rand.New(rand.NewPCG(6, 7))
	verdicts := map[Verdict]int{}
	for range amount(2000) {
		text := (&randomProgram{Rand: r, threads: 3, instructions: 3, placed: true, barriers: r.IntN(4) == 0, branches: r.IntN(3) == 0}).text()
		term := func() string {
			return fmt.Sprintf("%s %s %d", pick(r, []string{"x", "y", "P0:r0", "P1:r0", "P1:r1"}), pick(r, []string{"==", "!="}), r.IntN(3))
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
		verdicts[all.Verdict]++
	}
	assert.Positive(t, verdicts[Holds])
	assert.Positive(t, verdicts[Fails])
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

// verdictOf is what a list of all states says.
func verdictOf(t *Test, states []State) Verdict {
	some, all := false, true
	for _, s := range states {
		if !s.Filtered {
			some, all = some || s.Satisfies, all && s.Satisfies
		}
	}
	if map[Quantifier]bool{Exists: some, NotExists: !some, Forall: all}[t.Statement] {
		return Holds
	}
	return Fails
}
