package machine

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/ref/ptx/syntax"
)

// Every kernel of every module in the repository can be decoded, harness and all.
func TestModulesOfTheRepository(t *testing.T) {
	for _, pattern := range []string{"ptx/*.ptx", "examples/*.ptx", "testdata/bad/*.ptx"} {
		files, err := filepath.Glob("../../../gpu/" + pattern)
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			m, err := syntax.Parse(filepath.Base(file), string(text))
			require.NoError(t, err)
			for _, f := range m.Functions {
				_, err := Decode(m, f.Name)
				assert.NoError(t, err)
			}
		}
	}
}
