package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestVendorsHistory runs what the page for vendors shows without a GPU.
func TestVendorsHistory(t *testing.T) {
	runPage(t, "vendor.md", 1)
}

// TestTutorial runs the commands of the tutorial, in order and in one folder,
// and compares what they print with what the page shows.
func TestTutorial(t *testing.T) {
	dir := runPage(t, "tutorial.md", 6)
	require.FileExists(t, filepath.Join(dir, "broken.html"))
	require.FileExists(t, filepath.Join(dir, "report.xml"))
	drawn, err := os.ReadFile(filepath.Join(dir, "timeline.svg"))
	require.NoError(t, err)
	shown, err := os.ReadFile("../../docs/timeline.svg")
	require.NoError(t, err)
	require.Equal(t, string(drawn), string(shown), "docs/timeline.svg is what the command of the page draws")
}

// TestTestingPage runs the page on testing a queue of one's own, from an empty
// folder to a mended deque.
func TestTestingPage(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a module")
	}
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	t.Setenv("STEALPROOF", root)
	t.Setenv("GOPROXY", "off") // all that is needed is here
	t.Setenv("GOFLAGS", "")
	runPage(t, "testing.md", 5)
}

// runPage runs the commands of a page in a folder of its own.
func runPage(t *testing.T, name string, least int) (dir string) {
	t.Helper()
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh to run the commands of the page")
	}
	page, err := os.ReadFile("../../docs/" + name)
	require.NoError(t, err)
	_, environment := program(t)
	dir = t.TempDir()
	steps := tutorialSteps(string(page))
	require.GreaterOrEqual(t, len(steps), least)
	for _, s := range steps {
		cmd := exec.Command(shell, "-e", "-c", s.commands)
		cmd.Dir = dir
		cmd.Env = environment
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s\n%s", s.commands, out)
		require.Equal(t, withoutTimes(s.output), withoutTimes(string(out)), s.commands)
	}
	return dir
}

type tutorialStep struct{ commands, output string }

var fenced = regexp.MustCompile("(?ms)^```(sh|output)\n(.*?)^```$")

// tutorialSteps pairs blocks of commands with the output that follows.
func tutorialSteps(page string) []tutorialStep {
	var steps []tutorialStep
	for _, m := range fenced.FindAllStringSubmatch(page, -1) {
		if m[1] == "sh" {
			steps = append(steps, tutorialStep{commands: m[2]})
		} else {
			steps[len(steps)-1].output = m[2]
		}
	}
	return steps
}

var (
	elapsed   = regexp.MustCompile(`(?m), in [0-9.]+(ns|µs|ms|s)$`)
	ofGoTests = regexp.MustCompile(`\(?\b[0-9.]+s(\)|$)`)
)

func withoutTimes(s string) string {
	s = elapsed.ReplaceAllString(strings.TrimSpace(s), ", in …")
	var lines []string
	for line := range strings.Lines(s) {
		if strings.HasPrefix(line, "ok ") || strings.HasPrefix(line, "FAIL") || strings.HasPrefix(line, "--- ") {
			line = ofGoTests.ReplaceAllString(strings.TrimSpace(line), "…") + "\n"
		}
		lines = append(lines, line)
	}
	return strings.TrimSpace(strings.Join(lines, ""))
}
