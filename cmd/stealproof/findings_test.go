package main

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/cmd/stealproof/internal/command"
	"stealproof/cmd/stealproof/internal/commandtest"
	"stealproof/cmd/stealproof/internal/exit"
)

// Every command of docs/findings.md runs and decides: a structure that holds,
// or the violation that the page speaks of.
func TestCommandsOfTheFindings(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a page of commands")
	}
	text, err := os.ReadFile("../../docs/findings.md")
	require.NoError(t, err)
	holds := map[string]bool{
		"explore abp:variant=book": true, "explore abp:variant=release2011": true,
		"explore tz": true, "explore tz:capacity=4,declare=2": true,
		"explore abp --exhaustive --owner 3 --thieves 2x2":   true,
		"explore tz:capacity=4 --exhaustive --processes 3+2": true,
	}
	commands := commandsOf(string(text))
	require.GreaterOrEqual(t, len(commands), 10)
	for _, args := range commands {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			want := exit.Violation
			if holds[strings.Join(args, " ")] {
				want = exit.Holds
			}
			args = cheaper(t, args, want)
			for i := range args {
				args[i] = strings.Replace(args[i], "fuzz/testdata", "../../fuzz/testdata", 1)
			}
			var out, errs bytes.Buffer
			assert.Equal(t, want, command.Run(t.Context(), args, strings.NewReader(""), &out, &errs), "%s%s", out.String(), errs.String())
		})
	}
}

// Every command of the pages about weak memory runs, and decides as they say:
// most find what an order that was left out allows.
func TestCommandsOfTheWeakMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("runs two pages of commands")
	}
	holds := map[string]bool{
		"explore abp --memory ptx": true, "explore abp --memory ptx:place=block": true,
		"explore abp --memory ptx --exhaustive --owner 5 --thieves 1x2": true,
		"mutants --memory ptx --only fence abp":                         true,
		lostSwapAcquires:                                                true,
		"explore abp --memory rc11":                                     true,
		"explore abp --memory tso --exhaustive --owner 4 --thieves 1x2": true,
		"progress --memory ptx abp":                                     true, // though two variants have wrong results
	}
	elsewhere := []string{"--fences", "--save", "--svg"} // long, and tested in fuzz; or with a file
	for _, page := range []string{"fences.md", "weak-memory.md"} {
		text, err := os.ReadFile("../../docs/" + page)
		require.NoError(t, err)
		commands := commandsOf(string(text))
		require.GreaterOrEqual(t, len(commands), 6)
		for _, args := range commands {
			name := strings.Join(args, " ")
			if slices.ContainsFunc(elsewhere, func(flag string) bool { return strings.Contains(name, flag) }) {
				continue
			}
			t.Run(name, func(t *testing.T) {
				want := exit.Violation
				switch {
				case holds[name], args[0] == "litmus":
					want = exit.Holds
				}
				args = cheaper(t, args, want)
				for i := range args {
					args[i] = strings.Replace(strings.Replace(args[i], "fuzz/testdata", "../../fuzz/testdata", 1), "ref/litmus", "../../ref/litmus", 1)
				}
				var out, errs bytes.Buffer
				assert.Equal(t, want, command.Run(t.Context(), args, strings.NewReader(""), &out, &errs), "%s%s", out.String(), errs.String())
			})
		}
	}
}

const lostSwapAcquires = "explore abp:orders=pop-swap-head.acquire --memory ptx:buffering=yes --exhaustive --owner 4 --thieves 2"

// takesLong are commands that nothing makes cheaper without taking their point away.
var takesLong = []string{
	"mutants --memory ptx --only fence abp",
	"replay fuzz/testdata/cases/abp-width16-wrap.case", // TestFolderOfStoredCases of replay has the whole folder
	lostSwapAcquires, // of which TestTheSixthFenceIsNeeded in fuzz/exhaust runs the program that matters
	"explore the:failed=empty-if-equal --owner 3 --thieves 1x3 --runs 1000000",
	"explore tz:capacity=4,variant=original --exhaustive --processes 2+1+1",
}

// cheaper is the command with fewer executions, where it holds, or without making
// small what it finds: "make large" runs it as it stands on the page.
func cheaper(t *testing.T, args []string, want int) []string {
	t.Helper()
	if commandtest.Large() {
		return args
	}
	text := strings.Join(args, " ")
	if slices.Contains(takesLong, text) {
		t.Skip("make large runs this")
	}
	given := func(words ...string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
	}
	switch {
	case args[0] != "explore":
	case want == exit.Holds && !given("--runs", "--exhaustive", "--program"):
		return append(slices.Clip(args), "--runs", "2000")
	case want == exit.Violation && !given("native", "--no-shrink"):
		return append(slices.Clip(args), "--no-shrink")
	}
	return args
}

// commandsOf finds the indented commands of a page, with quotes over lines.
func commandsOf(text string) [][]string {
	var all [][]string
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		command, found := strings.CutPrefix(lines[i], "    stealproof ")
		if !found {
			continue
		}
		for strings.Count(command, "'")%2 == 1 {
			i++
			command += "\n" + strings.TrimSpace(lines[i])
		}
		var args []string
		for k, part := range strings.Split(command, "'") {
			if k%2 == 1 {
				args = append(args, part)
			} else {
				args = append(args, strings.Fields(part)...)
			}
		}
		all = append(all, args)
	}
	return all
}
