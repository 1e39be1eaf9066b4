package mutants_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/cmd/stealproof/internal/commandtest"
	"stealproof/cmd/stealproof/internal/exit"
	"stealproof/fuzz/mutate"
	"stealproof/ref"
)

// The page on mutants shows what the command prints: compared as a whole for the
// structures that are quick, and else for the names.
func TestPageOfMutants(t *testing.T) {
	text := commandtest.Page(t, "mutation.md")
	quick := []string{"list"}
	switch {
	case commandtest.Large():
		quick = append(quick, "blocking")
	case testing.Short():
		quick = nil
	}
	for _, name := range quick {
		o := commandtest.Run(t, "mutants", "--all", name)
		assert.Equal(t, exit.Holds, o.Code)
		table, details, _ := strings.Cut(o.Out, "\n\n")
		assert.Contains(t, text, details, "to bring it up to date: stealproof mutants --all")
		for line := range strings.SplitSeq(table, "\n") {
			assert.Contains(t, text, line+"\n")
		}
	}
	for _, d := range ref.Designs() {
		_, section, found := strings.Cut(text, "\n"+d.Name+": up to ")
		require.True(t, found, d.Name)
		section, _, _ = strings.Cut(section, "\n\n")
		listed := mutantsIn(section)
		for _, m := range d.Mutants() {
			delete(listed, m.String())
		}
		assert.Empty(t, listed, "%s has no such mutants", d.Name)
		survivors, _, _ := strings.Cut(section, "\n  same results")
		for name := range mutate.Reasons[d.Name] {
			assert.Contains(t, survivors, "\n    "+name+"\n")
		}
		assert.NotContains(t, section, "UNEXPLAINED")
	}
}

// mutantsIn finds the names of mutants in a text.
func mutantsIn(text string) map[string]bool {
	names := map[string]bool{}
	for word := range strings.FieldsSeq(text) {
		word = strings.TrimSuffix(word, ",")
		if line, op, found := strings.Cut(word, "."); found && line != "" && op != "" {
			names[word] = true
		}
	}
	return names
}

func TestMutantsCommand(t *testing.T) {
	commandtest.InFolder(t, nil)
	o := commandtest.Run(t, "mutants", "--only", "unlock.drop", "--save", "cases", "list")
	assert.Equal(t, exit.Holds, o.Code)
	assert.Contains(t, o.Out, "list              1        1           0             0          0  100.0%            0\n")
	o = commandtest.Run(t, "replay", "cases/list.unlock.drop.case")
	assert.Equal(t, exit.Violation, o.Code)
	assert.Contains(t, o.Out, "violation (stuck)")

	// without the text of reasons, which are for the structure itself
	o = commandtest.Run(t, "mutants", "--only", "host.drop", "static:capacity=8")
	assert.Equal(t, exit.Undecided, o.Code)
	assert.Contains(t, o.Out, "UNEXPLAINED")
	o = commandtest.Run(t, "mutants", "--only", "host.drop", "static")
	assert.Equal(t, exit.Holds, o.Code)

	o = commandtest.Cancelled(t, "mutants", "list")
	assert.Equal(t, exit.Interrupted, o.Code)
}

// The mutants of a module are patches of its text, which replay.
func TestMutantsOfAModule(t *testing.T) {
	module, err := filepath.Abs("../../../../gpu/examples/ticket.ptx")
	require.NoError(t, err)
	commandtest.InFolder(t, nil)
	// the consumer's load of the value, and its fence before that
	o := commandtest.Run(t, "mutants", module, "--model", "fifo", "--only", ".split", "--save", "cases", "--all")
	assert.Equal(t, exit.Holds, o.Code, o.Out+o.Err)
	assert.Regexp(t, `ticket-ptx +2 +2 +0 +0 +0 +100.0% +0\n`, o.Out)
	saved, err := filepath.Glob("cases/ticket-ptx.*.split.case")
	require.NoError(t, err)
	require.Len(t, saved, 2)
	o = commandtest.Run(t, "replay", "--module", module, saved[1])
	assert.Equal(t, exit.Violation, o.Code, o.Err)
	assert.Contains(t, o.Out, "structure ticket-ptx:mutant=ticket.ptx:")

	// on sc orders are not looked at
	o = commandtest.Run(t, "mutants", module, "--model", "fifo", "--only", ".weakest")
	assert.Regexp(t, `ticket-ptx +0 +0 +0 +0 +0 +- +7\n`, o.Out)
	for args, want := range map[string]string{
		"":                            "say with --model what it is",
		"--model fifo --only vanish":  "--only vanish: no mutant has this in its name, as in ticket.ptx:",
		"--model fifo --patch x.drop": `patch "x.drop": ticket.ptx has no access x: there are ticket.ptx:`,
	} {
		o := commandtest.Run(t, append([]string{"mutants", module}, strings.Fields(args)...)...)
		assert.Equal(t, exit.Usage, o.Code)
		assert.Contains(t, o.Err, want)
	}
}

func TestBadCommandLines(t *testing.T) {
	for args, want := range map[string]string{
		"mutants deque":               `unknown structure "deque": expected one of abp, tz, the, blocking, static, list`,
		"mutants --jobs -1":           `--jobs -1: expected at least 1, or 0 for one per processor`,
		"mutants --only vanish":       `--only vanish: no mutant has this in its name, as in pop-write-tail.drop`,
		"mutants --memory x=y list":   `--memory "x=y": expected sc, ptx, rc11, tso, or where the processes run as in ptx:place=block`,
		"mutants --memory weird list": `--memory "weird": expected sc, ptx, rc11, tso, or where`,
		"explore abp:mutant=drop":     `structure abp: mutant "drop": expected an access and what becomes of it, as in push-read-tail.drop; the accesses are `,
	} {
		o := commandtest.Run(t, strings.Fields(args)...)
		assert.Equal(t, exit.Usage, o.Code, args)
		assert.Empty(t, o.Out, args)
		assert.Contains(t, o.Err, "stealproof: "+want, args)
		assert.Equal(t, 1, strings.Count(o.Err, "\n"), "one line: %s", o.Err)
	}
}
