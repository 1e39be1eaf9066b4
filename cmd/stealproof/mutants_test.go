package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/fuzz"
	"stealproof/ref"
)

func page(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/" + name)
	require.NoError(t, err)
	return string(text)
}

// The page on progress shows what the command prints.
func TestPageOfProgress(t *testing.T) {
	o := stealproof(t, "progress")
	assert.Equal(t, exitHolds, o.code)
	assert.Contains(t, page(t, "progress.md"), "```\n"+o.out+"```\n", "to bring it up to date: stealproof progress")
}

// The page on mutants shows what the command prints: compared as a whole for the
// structures that are quick, and else for the names.
func TestPageOfMutants(t *testing.T) {
	text := page(t, "mutation.md")
	quick := []string{"list", "blocking"}
	if testing.Short() {
		quick = quick[:1]
	}
	for _, name := range quick {
		o := stealproof(t, "mutants", "--all", name)
		assert.Equal(t, exitHolds, o.code)
		table, details, _ := strings.Cut(o.out, "\n\n")
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
		for name := range fuzz.Survivors[d.Name] {
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
	inFolder(t, nil)
	o := stealproof(t, "mutants", "--only", "unlock.drop", "--save", "cases", "list")
	assert.Equal(t, exitHolds, o.code)
	assert.Contains(t, o.out, "list              1        1           0             0          0  100.0%            0\n")
	o = stealproof(t, "replay", "cases/list.unlock.drop.case")
	assert.Equal(t, exitViolation, o.code)
	assert.Contains(t, o.out, "violation (stuck)")

	// without the text of reasons, which are for the structure itself
	o = stealproof(t, "mutants", "--only", "steal-swap-head.never", "abp:variant=book")
	assert.Equal(t, exitUndecided, o.code)
	assert.Contains(t, o.out, "UNEXPLAINED")
	o = stealproof(t, "mutants", "--only", "steal-swap-head.never", "abp")
	assert.Equal(t, exitHolds, o.code)

	o = stealproofCancelled(t, "mutants", "list")
	assert.Equal(t, exitInterrupted, o.code)
}

func TestProgressCommand(t *testing.T) {
	inFolder(t, nil)
	o := stealproof(t, "progress", "--save", "cases", "blocking", "tz:capacity=4")
	assert.Equal(t, exitHolds, o.code)
	assert.Contains(t, o.out, "tz:capacity=4: lock-free in ")
	assert.Contains(t, o.out, "blocking:capacity=2: blocking in ")
	assert.NotContains(t, o.out, "skeleton")
	o = stealproof(t, "replay", "cases/blocking-capacity-2.deq.case")
	assert.Equal(t, exitViolation, o.code)
	assert.Contains(t, o.out, "is suspended for ever in its enq")

	o = stealproofCancelled(t, "progress")
	assert.Equal(t, exitInterrupted, o.code)
}

func TestBadCommandLinesOfMutantsAndProgress(t *testing.T) {
	for args, want := range map[string]string{
		"mutants deque":                `unknown structure "deque": expected one of abp, tz, the, blocking, static, list`,
		"mutants --jobs -1":            `--jobs -1: expected at least 1, or 0 for one per processor`,
		"mutants --only vanish":        `--only vanish: no mutant has this in its name, as in pop-write-tail.drop`,
		"mutants --memory x=y list":    `--memory "x=y": expected sc, ptx, or where the processes run as in ptx:place=block`,
		"mutants --memory weird list":  `--memory "weird": expected sc, ptx, or where`,
		"progress deque":               `unknown structure "deque": expected one of abp, tz, the, blocking, static, list`,
		"progress abp:width=3":         `structure abp:width=3: nothing is expected of its progress; expected one of abp, `,
		"progress --memory native abp": `--memory native: expected sc or ptx: every execution is made, and there the machine decides who goes next`,
		"progress --memory weird abp":  `--memory "weird": expected sc, ptx, or where`,
		"explore abp:mutant=drop":      `structure abp: mutant "drop": expected an access and what becomes of it, as in push-read-tail.drop; the accesses are `,
	} {
		o := stealproof(t, strings.Fields(args)...)
		assert.Equal(t, exitUsage, o.code, args)
		assert.Empty(t, o.out, args)
		assert.Contains(t, o.err, "stealproof: "+want, args)
		assert.Equal(t, 1, strings.Count(o.err, "\n"), "one line: %s", o.err)
	}
}
