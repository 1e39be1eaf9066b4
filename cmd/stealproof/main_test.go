package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// beTheProgram is set where the binary of the tests is to be the program.
const beTheProgram = "STEALPROOF_TESTS_ARE_THE_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(beTheProgram) != "" {
		main()
	}
	os.Exit(m.Run())
}

// program is a folder with the program in it, under the name that users know.
// Whatever runs it needs the environment.
func program(t testing.TB) (folder string, environment []string) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	folder = t.TempDir()
	if err := os.Symlink(self, filepath.Join(folder, "stealproof")); err != nil {
		t.Skip("no links here: ", err)
	}
	path := folder + string(os.PathListSeparator) + os.Getenv("PATH")
	return folder, append(os.Environ(), beTheProgram+"=1", "PATH="+path)
}
