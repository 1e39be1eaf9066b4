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

// TestTutorial runs the commands of the tutorial, in order and in one folder,
// and compares what they print with what the page shows.
func TestTutorial(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh to run the tutorial's commands")
	}
	page, err := os.ReadFile("../../docs/tutorial.md")
	require.NoError(t, err)
	bin, dir := t.TempDir(), t.TempDir()
	out, err := exec.Command("go", "build", "-o", filepath.Join(bin, "stealproof"), ".").CombinedOutput()
	require.NoError(t, err, "%s", out)

	steps := tutorialSteps(string(page))
	require.Greater(t, len(steps), 5)
	for _, s := range steps {
		cmd := exec.Command(shell, "-e", "-c", s.commands)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s\n%s", s.commands, out)
		require.Equal(t, withoutTimes(s.output), withoutTimes(string(out)), s.commands)
	}
	require.FileExists(t, filepath.Join(dir, "broken.html"))
	require.FileExists(t, filepath.Join(dir, "report.xml"))
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

var elapsed = regexp.MustCompile(`(?m), in [0-9.]+(ns|µs|ms|s)$`)

func withoutTimes(s string) string {
	return elapsed.ReplaceAllString(strings.TrimSpace(s), ", in …")
}
