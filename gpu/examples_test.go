package gpu_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What a vendor writes besides the queue stays short.
func TestExampleIsShort(t *testing.T) {
	text, err := os.ReadFile("examples/ticket.cu")
	require.NoError(t, err)
	assert.LessOrEqual(t, strings.Count(string(text), "\n"), 30)
}

// The page shows the class as it is.
func TestPageShowsTheExample(t *testing.T) {
	page, err := os.ReadFile("../docs/vendor.md")
	require.NoError(t, err)
	source, err := os.ReadFile("examples/ticket.cu")
	require.NoError(t, err)
	shown := block(t, string(page), "cuda")
	assert.Contains(t, string(source), shown)
}

// The page's commands for clang make the module that is shipped, with the
// interface that the runner looks for.
func TestVendorsCompile(t *testing.T) {
	if _, err := exec.LookPath("clang-16"); err != nil {
		t.Skip("clang-16 is not installed: the commands of docs/vendor.md cannot be tested here")
	}
	page, err := os.ReadFile("../docs/vendor.md")
	require.NoError(t, err)
	folder := t.TempDir()
	for _, part := range []string{"include", "examples"} {
		require.NoError(t, os.CopyFS(filepath.Join(folder, "gpu", part), os.DirFS(part)))
	}
	cmd := exec.Command("bash", "-ec", block(t, string(page), "clang"))
	cmd.Dir = folder
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	made, err := os.ReadFile(filepath.Join(folder, "ticket.ptx"))
	require.NoError(t, err)
	shipped, err := os.ReadFile("examples/ticket.ptx")
	require.NoError(t, err)
	assert.Equal(t, string(shipped), string(made))
}

func TestExamplesKeepToTheInterface(t *testing.T) {
	files, err := filepath.Glob("examples/*.ptx")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Contains(t, string(text), ".version 7.0\n.target sm_70\n", file)
		assert.Contains(t, string(text), ".visible .global .align 4 .u32 stealproof_abi = 3;", file)
		for _, name := range []string{"describe", "prepare", "run", "run_raw", "run_bare"} {
			assert.Contains(t, string(text), ".visible .entry stealproof_"+name+"(", file)
		}
	}
}

// The sample's own accesses are those of CUDA's old functions, not the header's.
func TestExampleIsOfItsOwnStyle(t *testing.T) {
	text, err := os.ReadFile("examples/ticket.ptx")
	require.NoError(t, err)
	for _, access := range []string{"membar.gl;", "ld.volatile.u64", "st.volatile.u64", "atom.cas.b64"} {
		assert.Contains(t, string(text), access)
	}
}

// block is the first one of a language on a page.
func block(t testing.TB, page, language string) string {
	t.Helper()
	m := regexp.MustCompile("(?ms)^```" + language + "\n(.*?)^```$").FindStringSubmatch(page)
	require.NotNil(t, m, language)
	return m[1]
}
