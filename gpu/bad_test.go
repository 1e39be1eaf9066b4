package gpu_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The modules that go wrong keep to the interface: what they are refused for is
// only what they are named after. On a device scripts/h200.sh runs every one.
func TestModulesThatGoWrongKeepToTheInterface(t *testing.T) {
	script, err := os.ReadFile("scripts/h200.sh")
	require.NoError(t, err)
	files, err := filepath.Glob("testdata/bad/*.ptx")
	require.NoError(t, err)
	require.Len(t, files, 8)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Contains(t, string(text), ".u32 stealproof_abi = 3;", file)
		assert.Contains(t, string(text), ".visible .entry stealproof_run(", file)
		assert.Contains(t, string(script), "$modules/"+filepath.Base(file), "%s is not run", file)
	}
}

// What was said on a device is kept: every module had the exit code that was
// expected, and the run after it worked.
func TestModulesThatGoWrongWereAnsweredOnADevice(t *testing.T) {
	log, err := os.ReadFile("testdata/bad/h200.txt")
	require.NoError(t, err)
	text := string(log)
	exits := regexp.MustCompile(`exit (\d+), expected (\d+)`).FindAllStringSubmatch(text, -1)
	require.Len(t, exits, 14)
	for _, e := range exits {
		assert.Equal(t, e[2], e[1])
	}
	assert.Contains(t, text, "== modules that go wrong: 0 unexpected answers")
	files, err := filepath.Glob("testdata/bad/*.ptx")
	require.NoError(t, err)
	for _, file := range files {
		assert.Contains(t, text, "--module gpu/"+file)
	}
	assert.NotContains(t, strings.ToLower(text), "/tmp/", "paths of a machine")
}
