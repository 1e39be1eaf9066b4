package litmus

import (
	"encoding/xml"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/ref/axioms"
)

// requireXML asks for a picture that is well formed, and returns its texts.
func requireXML(t testing.TB, svg string) string {
	t.Helper()
	var b strings.Builder
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return b.String()
		}
		require.NoError(t, err, svg)
		if text, isText := token.(xml.CharData); isText {
			b.Write(text)
		}
	}
}

// TestDraw: every generated test has a picture: of a witness, or of a cycle.
func TestDraw(t *testing.T) {
	for i, g := range Generate() {
		if testing.Short() && i%10 != 0 || i%3 != 0 {
			continue
		}
		test, err := Parse(g.Name, g.Text)
		require.NoError(t, err)
		r := Decide(t.Context(), test, Options{})
		text := requireXML(t, Draw(t.Context(), test, Options{}, r))
		assert.Contains(t, text, g.Name)
		if r.Verdict == Holds {
			assert.Contains(t, text, ": allowed by ptx", g.Name)
		} else {
			assert.Contains(t, text, ": forbidden by ptx, axiom ", g.Name)
		}
	}
}

func TestDrawWhatNoValuesReach(t *testing.T) {
	test, err := Parse("t", oneThread("fence.sc.gpu"))
	require.NoError(t, err)
	text := requireXML(t, Draw(t.Context(), test, Options{}, Decide(t.Context(), test, Options{})))
	assert.Contains(t, text, "x == 1: no choice of reads yields these values")
}

// A picture says who waits for ever.
func TestDrawWaiting(t *testing.T) {
	test, err := Parse("t", oneThread("st.weak x, 1 ;\n bar.cta.sync 3, 0, 2 ;\n st.weak x, 2"))
	require.NoError(t, err)
	text := requireXML(t, Draw(t.Context(), test, Options{}, Decide(t.Context(), test, Options{})))
	assert.Contains(t, text, "x == 1: allowed by ptx, only by executions in which somebody waits for ever")
	assert.Contains(t, text, "bar.sync 3, for ever")
}

// TestReasonsAreCycles: whatever a model forbids, the cycle shown is one, of
// pairs that stand in the relations named.
func TestReasonsAreCycles(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	forbidden := map[string]int{}
	for range amount(300) {
		test, text := program(t, &randomProgram{Rand: r, threads: 3, instructions: 3, placed: true, barriers: r.IntN(3) == 0, quorums: r.IntN(3) == 0, proxies: r.IntN(3) == 0})
		for _, m := range []axioms.Model{axioms.PTX, axioms.ReleaseAcquire, axioms.TSO, axioms.SequentialConsistency} {
			seen := 0
			test.each(t.Context(), Options{Model: m}, true, func(e *Execution) bool {
				x := e.Relations()
				f := x.Explain()
				require.Equal(t, x.Allowed(), f == nil, text)
				if f == nil {
					return seen < 200
				}
				seen++
				forbidden[m.String()+": "+f.Axiom]++
				require.NotEmpty(t, f.Cycle, "%s\n%s", f, text)
				for i, s := range f.Cycle {
					require.Equal(t, s.To, f.Cycle[(i+1)%len(f.Cycle)].From, "%s\n%s", f, text)
					if known := x.Relation(s.Relation); s.Relation == "rf" || s.Relation == "co" || s.Relation == "fr" || s.Relation == "po" {
						require.True(t, known.Has(s.From, s.To), "%s\n%s", f, text)
					}
				}
				return seen < 200
			})
		}
	}
	t.Log(forbidden)
	assert.GreaterOrEqual(t, len(forbidden), 10, "axioms of every model")
}
