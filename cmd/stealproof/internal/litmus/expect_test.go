package litmus

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/ref/litmus"
)

// TestManyExpectations: comparing takes a step for each listed test, not for each
// pair of tests, also where all files have one name; and paths match as they do
// one by one.
func TestManyExpectations(t *testing.T) {
	const files = 50_000
	expected := &expectations{file: "want.csv"}
	answers := make([]answer, files)
	for i := range files {
		path := filepath.Join(fmt.Sprint("folder", i), "a.litmus")
		expected.lines = append(expected.lines, expectation{i + 1, filepath.Join("published", path), litmus.Holds})
		answers[files-1-i] = answer{file: path}
	}
	index := newAnswerIndex(answers)
	for i, line := range expected.lines {
		answer, err := index.find(expected, line)
		require.NoError(t, err)
		require.Same(t, &answers[files-1-i], answer)
	}
	_, err := index.find(expected, expectation{7, "a.litmus", litmus.Holds})
	assert.EqualError(t, err, "want.csv:7: a.litmus may be "+answers[0].file+" or "+answers[1].file+": expected one of them")
	answer, err := index.find(expected, expectation{7, "1/a.litmus", litmus.Holds})
	assert.NoError(t, err)
	assert.Nil(t, answer, "an ending begins behind a separator")
}
