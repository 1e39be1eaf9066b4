package files

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCanWriteChangesNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("old.txt", []byte("old"), 0o600))
	require.NoError(t, os.Symlink("later.txt", "link"))
	require.NoError(t, os.Mkdir("folder", 0o755))
	require.NoError(t, CanWrite("old.txt", "", "new.txt", "link", "/dev/null", "/dev/stdout"))
	text, err := os.ReadFile("old.txt")
	require.NoError(t, err)
	assert.Equal(t, "old", string(text))
	names, err := filepath.Glob("*")
	require.NoError(t, err)
	assert.Equal(t, []string{"folder", "link", "old.txt"}, names)
	hidden, err := filepath.Glob(".*")
	require.NoError(t, err)
	assert.Empty(t, hidden)

	assert.EqualError(t, CanWrite("old.txt", "no/such/folder"), "no/such/folder: no such file or directory")
	assert.EqualError(t, CanWrite("folder"), "folder: is a directory: expected a file to write to")
}
