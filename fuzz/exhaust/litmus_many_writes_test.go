package exhaust

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"stealproof/fuzz/internal/given"
)

// Of a word with many writes, those that nobody can read any more are dropped.
// That must not change what can happen later, sc fences included.

// manyWrites writes a program in which process 0 fills a word, all others hear
// of that, process 0 hears of them, and then everybody goes on as in rest.
func manyWrites(writes int, before string, rest [][]string) string {
	columns := make([][]string, len(rest))
	for i := range writes {
		columns[0] = append(columns[0], fmt.Sprintf("st.relaxed.gpu z, %d", i+1))
	}
	columns[0] = append(columns[0], before, "st.release.sys a, 1")
	for p := range rest {
		if p > 0 {
			columns[0] = append(columns[0], fmt.Sprintf("ld.acquire.sys r%d, b%d", p, p), fmt.Sprintf("bne r%d, 1, LC0", p))
			columns[p] = []string{"ld.acquire.sys r0, a", "bne r0, 1, LC0", fmt.Sprintf("st.release.sys b%d, 1", p)}
		}
	}
	rows := 0
	var head []string
	for p := range columns {
		head = append(head, fmt.Sprintf("P%d@cta %d,gpu 0", p, p))
		columns[p] = append(append(columns[p], rest[p]...), "LC0:")
		rows = max(rows, len(columns[p]))
	}
	var b strings.Builder
	b.WriteString("PTX many-writes\n{ }\n" + strings.Join(head, " | ") + " ;\n")
	for row := range rows {
		cells := make([]string, len(columns))
		for p, c := range columns {
			if row < len(c) {
				cells[p] = c[row]
			}
		}
		b.WriteString(strings.Join(cells, " | ") + " ;\n")
	}
	return b.String() + "exists (z == 0)\n"
}

// The last process reads what was written behind a fence that its own one
// precedes, and the word has lost writes before: with no fence made yet, and
// with one.
func TestFencesAgainstTheOrderOfReadsWithManyWrites(t *testing.T) {
	rest := [][]string{
		{"st.relaxed.gpu z, 99", "st.weak u, 1", "fence.sc.gpu", "st.weak x, 1"},
		{"ld.weak r1, x", "st.weak y, 1"},
		{"ld.weak r1, y", "fence.sc.gpu", "ld.weak r2, u"},
	}
	for _, before := range []string{"", "fence.sc.gpu"} {
		for _, writes := range []int{6, 7, 8, 15} {
			_, beyond := agree(t, manyWrites(writes, before, rest))
			if !beyond() {
				t.Errorf("%d writes, %q: no outcome only where a fence is placed before an earlier one", writes, before)
			}
		}
	}
}

func TestWeakMemoryAgreesWithManyWrites(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 9))
	choose := func(among ...string) string { return among[r.IntN(len(among))] }
	scope := func() string { return choose("cta", "gpu", "gpu", "gpu", "sys") }
	for range given.Amount(testing.Short(), 60, 300, 2000) {
		rest := make([][]string, 2+r.IntN(2))
		value := 100
		for p := range rest {
			for k := range 2 + r.IntN(2) {
				value++
				at, register := choose("z", "z", "z", "x"), fmt.Sprintf("r%d", 5+k)
				rest[p] = append(rest[p], []string{
					"ld." + choose("weak", "relaxed."+scope(), "acquire."+scope()) + " " + register + ", " + at,
					fmt.Sprintf("st.%s %s, %d", choose("weak", "relaxed."+scope(), "release."+scope()), at, value),
					fmt.Sprintf("st.%s %s, %d", choose("weak", "relaxed."+scope(), "release."+scope()), at, value),
					"fence." + choose("acq_rel", "sc", "sc") + "." + scope(),
					fmt.Sprintf("atom.%s.%s.add %s, %s, %d", choose("relaxed", "acquire", "release", "acq_rel"), scope(), register, at, value),
				}[r.IntN(5)])
			}
		}
		agree(t, manyWrites(6+r.IntN(4), choose("", "", "fence.sc.gpu"), rest))
	}
}
