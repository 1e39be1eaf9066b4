package litmus

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestCuttingSpinsLosesNothing: following spins as often as other loops finds
// no outcome that cutting them does not find.
func TestCuttingSpinsLosesNothing(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(6, 5))
	looping := 0
	for range amount(800) {
		p := &randomProgram{Rand: r, threads: 2, instructions: 2, placed: true, barriers: r.IntN(4) == 0, loops: true}
		p.quorums = !p.barriers && r.IntN(3) == 0
		test, text := program(t, p)
		variables := test.allVariables()
		found := func(follow bool) map[string]bool {
			all := map[string]bool{}
			_, err := Each(t.Context(), test, Options{variables: variables, Unroll: 2, followSpins: follow}, func(e *Execution) bool {
				return e.states(variables, func(values []Value) bool {
					all[stateText(values, e.Waiting)] = true
					return true
				})
			})
			require.NoError(t, err)
			return all
		}
		cut, followed := found(false), found(true)
		requireSubset(t, followed, cut, text, "spinning")
		requireSubset(t, cut, followed, text, "cut, though not spinning")
		if len(cut) > 0 {
			looping++
		}
	}
	assert.Positive(t, looping)
}

// TestUnroll: a loop that writes counts what it could do beyond the bound.
func TestUnroll(t *testing.T) {
	const text = `PTX t
{ }
 P0@cta 0,gpu 0              | P1@cta 0,gpu 0      ;
 LC0: st.relaxed.cta x, 1    | st.relaxed.cta y, 1 ;
 add r1, r1, 1               |                     ;
 ld.relaxed.cta r0, y        |                     ;
 beq r0, 0, LC0              |                     ;
`
	decide := func(statement string, unroll int) Verdict {
		test, err := Parse("t", text+statement)
		require.NoError(t, err)
		return Decide(t.Context(), test, Options{Unroll: unroll}).Verdict
	}
	assert.Equal(t, Holds, decide("exists (P0:r1 == 3)", 2), "three rounds are two jumps back")
	assert.Equal(t, Undecided, decide("exists (P0:r1 == 3)", 1), "the bound could change that")
	assert.Equal(t, Undecided, decide("forall (x == 1)", 5), "true as far as was looked")
	assert.Equal(t, Fails, decide("forall (P0:r1 == 1)", 1), "a counterexample is one, whatever the bound")
}
