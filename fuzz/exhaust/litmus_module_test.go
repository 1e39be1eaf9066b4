package exhaust

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/fuzz/internal/given"
	"stealproof/model"
	"stealproof/ref"
	"stealproof/ref/litmus"
	"stealproof/ref/litmus/library"
	"stealproof/ref/litmus/module"
	"stealproof/ref/ptx"
)

// Litmus tests written as PTX modules have the outcomes that the axioms allow: what
// executes the kernels of queues, and the memory beneath it, by another hand.

// moduleOf makes the kernel of a test's module the operations of a structure; nil if the
// test cannot be written as one, or not be executed here.
func moduleOf(t testing.TB, test *litmus.Test) *litmusThreads {
	if !runs(test) {
		return nil
	}
	w, err := module.Write(test)
	if err != nil {
		return nil
	}
	m, err := ptx.Load("test.ptx", []byte(w.Text))
	require.NoError(t, err, "%s", w.Text)
	f, err := m.Foreign(model.Bag, ptx.Setup{})
	require.NoError(t, err, "%s", w.Text)
	s := &litmusThreads{test: test, registers: make([][]int64, len(test.Threads))}
	s.prepare(t, f, placed(s.test))
	word := func(at int) ref.Location {
		l, found := s.setup.Space.Find(fmt.Sprintf("+%d", at))
		require.True(t, found)
		return l
	}
	for _, at := range w.Locations {
		s.locations = append(s.locations, word(at))
	}
	for _, row := range w.Registers {
		kept := []ref.Location{}
		for _, at := range row {
			kept = append(kept, word(at))
		}
		s.kept = append(s.kept, kept)
	}
	return s
}

// agreesAsModule compares the outcomes of a test's module with those of the axioms,
// without load buffering and, if asked for, with it: what an access depends on is read
// off the registers.
func agreesAsModule(t testing.TB, text string, buffering bool) (compared, buffers bool) {
	test, err := litmus.Parse("test", text)
	require.NoError(t, err)
	s := moduleOf(t, test)
	if s == nil {
		return false, false
	}
	got, _, _ := s.executed(t, false)
	require.Equal(t, allowed(t, test, false), got, "%s", text)
	if !buffering {
		return true, false
	}
	_, want := outcomesOf(t, test)
	require.Equal(t, want, s.searched(t, false), "%s", text)
	return true, len(want) > 0
}

func TestLitmusModulesAgreeWithTheAxioms(t *testing.T) {
	every, randomPrograms := given.Amount(testing.Short(), 80, 20, 1), given.Amount(testing.Short(), 10, 60, 100)
	var texts []string
	costly := map[string]bool{} // minutes, with load buffering: four threads, all of whose accesses read and write
	for i, g := range library.Tests() {
		if i%every == 0 {
			texts = append(texts, g.Text)
			costly[g.Text] = g.Mechanism == "atomics" && (g.Shape == "IRIW" || g.Shape == "CoRR2")
		}
	}
	own, err := filepath.Glob("../../ref/litmus/testdata/*.litmus")
	require.NoError(t, err)
	for _, file := range own {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		texts = append(texts, string(text))
	}
	random := rand.New(rand.NewPCG(3, 11))
	for range randomPrograms {
		texts = append(texts, randomBuffering(random))
	}
	compared, with := 0, 0
	for _, text := range texts {
		was, buffers := agreesAsModule(t, text, !costly[text])
		if was {
			compared++
		}
		if buffers {
			with++
		}
	}
	t.Logf("%d of %d tests are modules that were compared, %d of them with load buffering", compared, len(texts), with)
	assert.Greater(t, compared, len(texts)/2, "the others have barriers or proxies")
	assert.Greater(t, with, compared/20)
}
