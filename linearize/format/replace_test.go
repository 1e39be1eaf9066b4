package format

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func writes(text string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, text); return err }
}

func TestReplaceWritesAllOrNothing(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.txt")
	require.NoError(t, Replace(path, writes("first")))
	err := Replace(path, func(w io.Writer) error {
		require.NoError(t, writes("half")(w))
		return errors.New("no more")
	})
	require.EqualError(t, err, path+": no more")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "first", string(text))
	left, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Len(t, left, 1, "nothing is left behind")

	require.EqualError(t, Replace(folder, writes("")), folder+": is a directory: expected a file to write to")
	nowhere := filepath.Join(folder, "none", "a.txt")
	require.EqualError(t, Replace(nowhere, writes("")), nowhere+": no such file or directory")
}

func TestReplaceKeepsLinks(t *testing.T) {
	folder := t.TempDir()
	path, link := filepath.Join(folder, "a.txt"), filepath.Join(folder, "link")
	require.NoError(t, os.WriteFile(path, []byte("old"), 0o600))
	if err := os.Symlink("a.txt", link); err != nil {
		t.Skip("no links here: ", err)
	}
	require.NoError(t, Replace(link, writes("new")))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "new", string(text))
	to, err := os.Readlink(link)
	require.NoError(t, err)
	require.Equal(t, "a.txt", to)

	// to what is not there yet, over several links, of which one is in another folder
	require.NoError(t, os.Mkdir(filepath.Join(folder, "sub"), 0o755))
	first, second := filepath.Join(folder, "first"), filepath.Join(folder, "sub", "second")
	require.NoError(t, os.Symlink(filepath.Join("sub", "second"), first))
	require.NoError(t, os.Symlink(filepath.Join("..", "later.txt"), second))
	require.NoError(t, Replace(first, writes("text")))
	text, err = os.ReadFile(filepath.Join(folder, "later.txt"))
	require.NoError(t, err)
	require.Equal(t, "text", string(text))

	round := filepath.Join(folder, "round")
	require.NoError(t, os.Symlink("round", round))
	require.ErrorContains(t, Replace(round, writes("text")), round+": too many links")
}

// Standard output may lead to a file that has something in it already.
func TestReplaceWritesToStandardOutput(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	f, err := os.Create(path)
	require.NoError(t, err)
	defer func(was *os.File) { os.Stdout = was }(os.Stdout)
	os.Stdout = f
	for _, name := range []string{"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"} {
		fmt.Fprintln(f, "before")
		require.NoError(t, Replace(name, writes("text\n")))
	}
	require.NoError(t, f.Close())
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "before\ntext\nbefore\ntext\nbefore\ntext\n", string(text))
}

// What only its owner may read stays so.
func TestReplaceKeepsPermissions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.txt")
	require.NoError(t, os.WriteFile(path, []byte("old"), 0o600))
	require.NoError(t, Replace(path, writes("new")))
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}

// A pipe under a name, as /dev/stdout may be one: whoever reads it gets the
// text. A file in its place would be lost, and /dev/null with it.
func TestReplaceWritesIntoPipes(t *testing.T) {
	if _, err := os.Stat("/dev/fd"); err != nil {
		t.Skip("pipes have no names here")
	}
	r, w, err := os.Pipe()
	require.NoError(t, err)
	require.NoError(t, Replace(fmt.Sprintf("/dev/fd/%d", w.Fd()), writes("text")))
	require.NoError(t, w.Close())
	text, err := io.ReadAll(r)
	require.NoError(t, err)
	require.Equal(t, "text", string(text))
}
