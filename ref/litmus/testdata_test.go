package litmus

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/ref/axioms"
)

// TestLibrary decides the tests in testdata. Each begins with its verdict and
// why it is right.
func TestLibrary(t *testing.T) {
	files, err := filepath.Glob("testdata/*.litmus")
	require.NoError(t, err)
	require.Greater(t, len(files), 40)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		verdict, reason, found := strings.Cut(strings.ReplaceAll(strings.TrimPrefix(string(text), "(* "), "\n  ", ""), ": ")
		require.True(t, found && len(reason) > 10, file)
		test, err := Parse(file, string(text))
		require.NoError(t, err)
		assert.Equal(t, strings.TrimSuffix(filepath.Base(file), ".litmus"), test.Name)
		for _, all := range []bool{false, true} {
			r := Decide(t.Context(), test, Options{AllStates: all})
			assert.Equal(t, verdict, r.Verdict.String(), "%s, all states: %v: %v", file, all, r.States)
			assert.Equal(t, r.Verdict == Undecided || strings.Contains(reason, "for ever"), r.Why != "", "%s: %s", file, r.Why)
			if r.Witness != nil {
				assert.Nil(t, axioms.Check(axioms.PTX, r.Witness.Graph), file)
				assert.Empty(t, r.Witness.Relations().Open(), file)
			}
		}
	}
}
