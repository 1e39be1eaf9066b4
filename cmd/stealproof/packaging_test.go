package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/cmd/stealproof/internal/commandtest"
)

func bash(t *testing.T) string {
	t.Helper()
	shell, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash")
	}
	return shell
}

// script is a file of the repository, by its whole name.
func script(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(root, name))
	require.NoError(t, err)
	return path
}

// The last step of the action, in the environment that a runner gives it.
func TestActionRuns(t *testing.T) {
	shell, action := bash(t), script(t, ".ci/action")
	folder, environment := program(t)
	for _, test := range []struct {
		name, command, undecided string
		code                     int
		verdict, annotation      string
	}{
		{"holds", "check good.jsonl", "", 0, "holds", ""},
		{"a pattern", "check *.jsonl", "", 1, "violation", "::error file=twice.jsonl,line=2,"},
		{"an argument a line", "check\n--quiet\na name.jsonl\n", "", 0, "holds", ""},
		{"undecided", "check --timeout 1ns good.jsonl", "", 3, "undecided", "::warning file=good.jsonl,"},
		{"undecided is a warning", "check --timeout 1ns good.jsonl", "warn", 0, "undecided", "::warning file=good.jsonl,"},
		{"wrong", "check nothing.jsonl", "", 2, "no verdict", "::error file=nothing.jsonl,"},
		{"no command", "chek", "", 2, "no verdict", ""},
		{"a structure", "explore abp:width=0", "", 1, "violation", "::error title=violation (duplicate)::"},
	} {
		t.Run(test.name, func(t *testing.T) {
			commandtest.InFolder(t, map[string]string{"good.jsonl": commandtest.Holding, "twice.jsonl": commandtest.Violated, "a name.jsonl": commandtest.Holding})
			if test.name == "a pattern" {
				require.NoError(t, os.Remove("a name.jsonl"))
			}
			cmd := exec.Command(shell, action, filepath.Join(folder, "stealproof"))
			cmd.Env = append(environment, "STEALPROOF_COMMAND="+test.command, "STEALPROOF_UNDECIDED="+test.undecided, "STEALPROOF_REPORTS=out", "GITHUB_OUTPUT=output", "GITHUB_STEP_SUMMARY=summary")
			out, _ := cmd.CombinedOutput()
			require.Equal(t, test.code, cmd.ProcessState.ExitCode(), "%s", out)
			assert.Contains(t, string(out), test.annotation)
			outputs, err := os.ReadFile("output")
			require.NoError(t, err)
			assert.Contains(t, string(outputs), "verdict="+test.verdict+"\njson=out/report.json\njunit=out/report.xml\nsarif=out/report.sarif\n")
			for name := range strings.FieldsSeq("report.json report.xml report.sarif") {
				if test.name != "no command" {
					assert.FileExists(t, filepath.Join("out", name))
				}
			}
			assert.FileExists(t, "summary")
		})
	}
}

// What the action gives its steps, and takes from them, is what the script reads and
// writes; and the inputs that it reads are declared.
func TestActionAndItsScriptAgree(t *testing.T) {
	read := func(name string) string {
		text, err := os.ReadFile(script(t, name))
		require.NoError(t, err)
		return string(text)
	}
	action, steps := read("action.yml"), read(".ci/action")
	words := func(pattern, text string) (all []string) {
		seen := map[string]bool{}
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
			if !seen[m[1]] {
				seen[m[1]] = true
				all = append(all, m[1])
			}
		}
		return all
	}
	assert.ElementsMatch(t, words(`(STEALPROOF_[A-Z]+)`, steps), words(`(STEALPROOF_[A-Z]+):`, action))
	assert.ElementsMatch(t, words(`outputs\.([a-z-]+)`, action), words(`echo "([a-z-]+)=`, steps))
	for _, input := range words(`inputs\.([a-z]+)`, action) {
		assert.Contains(t, action, "\n  "+input+":\n")
	}
}

// The steps of the Dockerfile, one after the other in plain folders: what is copied is
// enough for what is run, and what is run leaves what the image starts.
func TestContainer(t *testing.T) {
	if os.Getenv("STEALPROOF_RELEASE") == "" {
		t.Skip("builds a release: make release-check runs it")
	}
	shell := bash(t)
	text, err := os.ReadFile(script(t, "Dockerfile"))
	require.NoError(t, err)
	build := t.TempDir() // its root folder
	inside := strings.NewReplacer(" /src", " "+build+"/src", " /out", " "+build+"/out", " /usr/", " "+build+"/image/usr/").Replace
	var folder, image string
	for line := range strings.Lines(string(text)) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "WORKDIR":
			if folder == "" {
				folder = build + rest
				require.NoError(t, os.MkdirAll(folder, 0o755))
			}
		case "COPY":
			if from, _ := strings.CutPrefix(rest, "--from=build "); from != rest {
				image = build + strings.Fields(from)[0]
				continue
			}
			files, err := exec.Command("git", append([]string{"-C", script(t, "."), "ls-files", "-z", "--"}, strings.Fields(rest[:strings.LastIndex(rest, " ")])...)...).Output()
			require.NoError(t, err)
			pack := exec.Command("tar", "--null", "-C", script(t, "."), "-T", "-", "-cf", filepath.Join(build, "files.tar"))
			pack.Stdin = strings.NewReader(string(files))
			out, err := pack.CombinedOutput()
			require.NoError(t, err, "%s", out)
			out, err = exec.Command("tar", "-C", folder, "-xf", filepath.Join(build, "files.tar")).CombinedOutput()
			require.NoError(t, err, "%s", out)
		case "RUN":
			if strings.HasPrefix(rest, "apk ") {
				continue // of the image that is not here
			}
			cmd := exec.Command(shell, "-e", "-c", inside(rest))
			cmd.Dir = folder
			cmd.Env = append(os.Environ(), "VERSION=v9.8.7")
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s\n%s", line, out)
		}
	}
	out, err := exec.Command(image, "version").CombinedOutput()
	require.NoError(t, err, "%s", out)
	assert.Contains(t, string(out), "stealproof v9.8.7, ")
}
