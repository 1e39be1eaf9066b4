package command_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/cmd/stealproof/internal/commandtest"
	"stealproof/cmd/stealproof/internal/exit"
)

// Every command has a page, and man can read it where there is one.
func TestManual(t *testing.T) {
	commandtest.InFolder(t, nil)
	require.Equal(t, exit.Holds, commandtest.Run(t, "man", "--dir", "man1").Code)
	for _, name := range append(strings.Split(commands(t), ", "), "gpu-run", "gpu-table", "completion-bash") {
		text, err := os.ReadFile("man1/stealproof-" + name + ".1")
		require.NoError(t, err)
		for _, part := range []string{`.TH "STEALPROOF-` + strings.ToUpper(name) + `" "1"`, "\n.SH SYNOPSIS\n\\fBstealproof " + strings.ReplaceAll(name, "-", " "), "\n.SH EXIT STATUS\n"} {
			assert.Contains(t, string(text), part, name)
		}
		for line := range strings.Lines(string(text)) {
			assert.NotRegexp(t, `^\.[^A-Znf]`, line, name)
		}
	}
	page := commandtest.Run(t, "man", "check").Out
	assert.Contains(t, page, "\n.TP\n\\fB\\-\\-max\\-violations int\\fR\nreport so many violations of each file")
	assert.Contains(t, page, "\n.SH OPTIONS OF ALL COMMANDS\n")
	commandtest.Run(t, "man", "chek").RequireRefused(t, `unknown command "chek": expected one of `+commands(t)+` (see "stealproof --help")`)
	if groff, err := exec.LookPath("groff"); err == nil {
		out, err := exec.Command(groff, "-man", "-Tutf8", "-ww", "man1/stealproof-check.1").CombinedOutput()
		require.NoError(t, err)
		assert.Contains(t, string(out), "Decide history files")
	}
}

func TestSchemaIsPrinted(t *testing.T) {
	o := commandtest.Run(t, "schema")
	assert.Equal(t, exit.Holds, o.Code)
	assert.True(t, json.Valid([]byte(o.Out)))
}
