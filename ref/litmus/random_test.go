package litmus

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/ref/axioms"
)

// randomProgram writes a small test. All numbers stay from 0 to 3.
type randomProgram struct {
	*rand.Rand
	threads, instructions int // at most
	placed                bool
	barriers, branches    bool
	quorums               bool // barriers with a number of participants
	syncs                 bool // such barriers, with the same number for all
	proxies               bool
	loops                 bool // of the first thread
}

var (
	someScopes = []string{"cta", "cluster", "gpu", "sys"}
	somePlaces = []string{"cta 0,gpu 0", "cta 0,gpu 0", "cta 1,gpu 0", "cta 0,gpu 1"}
	clustered  = []string{"cta 0,cluster 0,gpu 0", "cta 0,cluster 0,gpu 0", "cta 1,cluster 0,gpu 0", "cta 0,cluster 1,gpu 0"}
)

func pick[T any](r *rand.Rand, among []T) T { return among[r.IntN(len(among))] }

func (p *randomProgram) text() string {
	threads := 2 + p.IntN(p.threads-1)
	var b strings.Builder
	b.WriteString("PTX random\n{ x=0; y=0; ")
	if p.proxies {
		b.WriteString("a @ generic aliases x; s @ surface aliases x; u @ surface aliases a; t @ texture aliases x; v @ texture aliases y; ")
	}
	b.WriteString("}\n")
	places := pick(p.Rand, [][]string{somePlaces, clustered})
	columns := make([][]string, threads)
	rows := 0
	for t := range threads {
		if t > 0 {
			b.WriteString(" | ")
		}
		place := places[0]
		if p.placed {
			place = pick(p.Rand, places)
		}
		fmt.Fprintf(&b, "P%d@%s", t, place)
		columns[t] = p.column(t)
		rows = max(rows, len(columns[t]))
	}
	b.WriteString(" ;\n")
	for row := range rows {
		for t := range threads {
			if t > 0 {
				b.WriteString(" | ")
			}
			if row < len(columns[t]) {
				b.WriteString(columns[t][row])
			}
		}
		b.WriteString(" ;\n")
	}
	b.WriteString("exists (x == 0)\n")
	return b.String()
}

func (p *randomProgram) column(thread int) []string {
	var rows []string
	for range 2 + p.IntN(p.instructions-1) {
		rows = append(rows, p.instruction())
	}
	if p.branches && p.IntN(3) == 0 {
		at := p.IntN(len(rows))
		rows = append(rows, "LC0:")
		rows[at] = pick(p.Rand, []string{"beq", "bne"}) + " r0, 1, LC0"
	}
	if p.loops && thread == 0 {
		at := p.IntN(len(rows))
		rows[at] = "LC1: " + strings.TrimPrefix(rows[at], "LC0:")
		rows = append(rows, pick(p.Rand, []string{"beq", "bne"})+" r0, 1, LC1")
	}
	return rows
}

func (p *randomProgram) value() string {
	return pick(p.Rand, []string{"1", "2", "3", "r0", "r1"})
}

func (p *randomProgram) instruction() string {
	register, location, scope := pick(p.Rand, []string{"r0", "r1"}), pick(p.Rand, []string{"x", "y"}), pick(p.Rand, someScopes)
	if p.proxies {
		if location = pick(p.Rand, []string{"x", "a", "y"}); p.IntN(2) == 0 {
			return p.proxied(register)
		}
	}
	switch n := p.IntN(20); {
	case n < 6:
		order := pick(p.Rand, []string{"weak", "relaxed." + scope, "acquire." + scope})
		return fmt.Sprintf("ld.%s %s, %s", order, register, location)
	case n < 12:
		order := pick(p.Rand, []string{"weak", "relaxed." + scope, "release." + scope})
		return fmt.Sprintf("st.%s %s, %s", order, location, p.value())
	case n < 14:
		return fmt.Sprintf("fence.%s.%s", pick(p.Rand, []string{"acq_rel", "sc", "sc", "acquire", "release"}), scope)
	case n < 15 && p.syncs:
		return pick(p.Rand, []string{"bar.cta.sync 1, 0, 2", "bar.cta.sync 1, r0, 2"})
	case n < 16 && p.quorums:
		return pick(p.Rand, []string{"bar.cta.sync 1, 0, 2", "bar.cta.sync 1, 0, 2", "bar.cta.sync 1, 0, 3", "bar.cta.arrive 1, 0, 2", "bar.cta.arrive 1, 0", "bar.cta.sync 1, r0, 2"})
	case n < 15 && p.barriers:
		return pick(p.Rand, []string{"bar.cta.sync 0", "bar.cta.sync 0, 1", "bar.cta.arrive 0", "bar.cta.sync 0, r0"})
	case n < 16:
		return fmt.Sprintf("ld %s, %s", register, p.value())
	default:
		order := pick(p.Rand, []string{"relaxed", "acquire", "release", "acq_rel"})
		op := pick(p.Rand, []string{"xor", "or", "exch", "cas", "cas"})
		if op == "cas" {
			return fmt.Sprintf("atom.%s.%s.cas %s, %s, %s, %s", order, scope, register, location, pick(p.Rand, []string{"0", "1", "r1"}), p.value())
		}
		return fmt.Sprintf("atom.%s.%s.%s %s, %s, %s", order, scope, op, register, location, p.value())
	}
}

// proxied is an instruction of another proxy, or a fence of proxies.
func (p *randomProgram) proxied(register string) string {
	surface := pick(p.Rand, []string{"s", "u", "s"})
	switch p.IntN(10) {
	case 0, 1:
		return fmt.Sprintf("sust.%s %s, %s", pick(p.Rand, []string{"weak", "relaxed.gpu"}), surface, p.value())
	case 2:
		return fmt.Sprintf("suld.%s %s, %s", pick(p.Rand, []string{"weak", "relaxed.gpu"}), register, surface)
	case 3, 4:
		return fmt.Sprintf("tld.weak %s, %s", register, pick(p.Rand, []string{"t", "t", "v"}))
	case 5:
		return fmt.Sprintf("suatom.relaxed.gpu.xor %s, %s, %s", register, surface, p.value())
	}
	return "fence.proxy." + pick(p.Rand, []string{"alias", "alias", "surface", "surface", "texture", "constant"})
}

// outcomes are all final states that the search finds.
func outcomes(t testing.TB, test *Test, m axioms.Model) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	variables := test.allVariables()
	_, err := Each(context.Background(), test, Options{Model: m, variables: variables}, func(e *Execution) bool {
		return e.states(variables, func(values []Value) bool {
			found[stateText(values, e.Waiting)] = true
			return true
		})
	})
	require.NoError(t, err)
	return found
}

// stateText has the values, and the threads that wait for ever, if any do.
func stateText(values []Value, waiting []int) string {
	text := strings.Trim(fmt.Sprint(values), "[]")
	if len(waiting) > 0 {
		text += fmt.Sprint(" waiting ", waiting)
	}
	return text
}

// TestSearchAgreesWithGuessing compares the outcomes of random programs, found
// by the search and by guessing everything.
func TestSearchAgreesWithGuessing(t *testing.T) {
	t.Parallel()
	runs := amount(5000)
	r := rand.New(rand.NewPCG(6, 1))
	weak, compared, waiting := 0, 0, 0
	for i := range runs {
		p := &randomProgram{Rand: r, threads: 3, instructions: 3, placed: r.IntN(2) == 0, barriers: r.IntN(3) == 0, branches: r.IntN(3) == 0}
		switch r.IntN(8) {
		case 0, 1:
			p.quorums, p.barriers, p.placed = true, false, false
		case 2, 3, 4:
			p.proxies, p.instructions = true, 4
		}
		text := p.text()
		test, err := Parse("random", text)
		require.NoError(t, err, text)
		if !guessable(test) {
			continue
		}
		compared++
		want, got := naiveOutcomes(test), outcomes(t, test, axioms.PTX)
		require.Equal(t, want, got, "program %d:\n%s", i, text)
		for outcome := range got {
			if strings.Contains(outcome, "waiting") {
				waiting++
				break
			}
		}
		if len(got) > len(outcomes(t, test, axioms.SequentialConsistency)) {
			weak++
		}
	}
	t.Logf("%d programs, %d of them with outcomes that no interleaving has, %d in which somebody may wait for ever", compared, weak, waiting)
	assert.Positive(t, waiting)
	assert.Greater(t, compared, runs/2)
	assert.Greater(t, weak, runs/20, "programs must tell the models apart")
}

// guessable says whether a program has few enough reads and writes.
func guessable(t *Test) bool {
	reads, fences, writes := 0, 0, map[int]int{}
	for _, th := range t.Threads {
		for _, i := range th.Code {
			switch i.Op {
			case Load, Atomic, Exchange, Compare:
				reads++
			case Fence:
				fences++
			}
			switch i.Op {
			case Store, Atomic, Exchange, Compare:
				writes[i.Location]++
			}
		}
	}
	for _, n := range writes {
		if n > 3 {
			return false
		}
	}
	return reads <= 4 && fences <= 3
}
