package main

import (
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/ref/litmus"
)

const (
	litmusMP = `PTX MP
"message passing"
{ x=0; y=0; }
 P0@cta 0,gpu 0        | P1@cta 1,gpu 0        ;
 st.weak x, 1          | ld.acquire.gpu r0, y  ;
 st.release.gpu y, 1   | ld.weak r1, x         ;
exists (P1:r0 == 1 /\ P1:r1 == 0)
`
	litmusLock = `PTX exchange-lock
{ }
 P0@cta 0,gpu 0                    ;
 LC0: atom.acquire.gpu.exch r0, l, 1 ;
 bne r0, 0, LC0                    ;
forall (l == 0)
`
	litmusOpen = `PTX open
{ l=1; }
 P0@cta 0,gpu 0                    ;
 LC0: atom.acquire.gpu.exch r0, l, 1 ;
 bne r0, 0, LC0                    ;
exists (l == 2)
`
)

// litmusSB allows what no interleaving does.
var litmusSB = `PTX SB
{ }
 P0@cta 0,gpu 0        | P1@cta 1,gpu 0        ;
 st.relaxed.gpu x, 1   | st.relaxed.gpu y, 1   ;
 ld.relaxed.gpu r0, y  | ld.relaxed.gpu r0, x  ;
locations [x]
exists (P0:r0 == 0 /\ P1:r0 == 0)
`

func litmusFolder(t *testing.T) {
	t.Helper()
	inFolder(t, map[string]string{"mp.litmus": litmusMP, "sb.litmus": litmusSB, "lock.litmus": litmusLock, "open.litmus": litmusOpen, "bad.litmus": strings.Replace(litmusMP, "st.weak", "st.week", 1)})
}

func TestLitmus(t *testing.T) {
	litmusFolder(t)
	o := stealproof(t, "litmus", "mp.litmus", "sb.litmus")
	assert.Equal(t, outcomeOfRun{exitHolds, "mp.litmus MP fails\nsb.litmus SB holds\n", ""}, o, "a statement that is false is an answer")

	o = stealproof(t, "litmus", "-v", "--model", "tso", "sb.litmus")
	assert.Equal(t, outcomeOfRun{exitHolds, `sb.litmus SB holds
  * P0:r0=0 P1:r0=0 x=1  (1 execution)
    P0:r0=0 P1:r0=1 x=1  (1 execution)
    P0:r0=1 P1:r0=0 x=1  (1 execution)
    P0:r0=1 P1:r0=1 x=1  (1 execution)
`, ""}, o)
	assert.Equal(t, "sb.litmus SB fails\n", stealproof(t, "litmus", "--model", "sc", "sb.litmus").out)
	assert.Equal(t, "- MP fails\n", stealproofReading(t, litmusMP, "litmus", "-").out)

	o = stealproof(t, "litmus", "--json", "mp.litmus")
	assert.Equal(t, `{"file":"mp.litmus","name":"MP","verdict":"fails","states":[`+
		`{"values":{"P1:r0":0,"P1:r1":0},"executions":1,"satisfies":false},`+
		`{"values":{"P1:r0":0,"P1:r1":1},"executions":1,"satisfies":false},`+
		`{"values":{"P1:r0":1,"P1:r1":1},"executions":1,"satisfies":false}]}`+"\n", o.out)
}

func TestLitmusExitCodes(t *testing.T) {
	litmusFolder(t)
	o := stealproof(t, "litmus", "open.litmus", "mp.litmus")
	assert.Equal(t, exitUndecided, o.code)
	assert.Equal(t, "open.litmus open undecided\nmp.litmus MP fails\n", o.out)
	assert.Equal(t, "stealproof: open.litmus: undecided: a loop goes on beyond the bound (--unroll)\n", o.err)

	o = stealproof(t, "litmus", "open.litmus", "bad.litmus", "mp.litmus", "gone.litmus")
	assert.Equal(t, exitUsage, o.code, "what is wrong wins over what is open")
	assert.Equal(t, "open.litmus open undecided\nmp.litmus MP fails\n", o.out, "the others are decided")
	assert.Contains(t, o.err, `stealproof: bad.litmus:5:5: "st.week": expected weak, relaxed or release, found "week"`+"\n")
	assert.Contains(t, o.err, "stealproof: gone.litmus: no such file or directory\n")

	assert.Equal(t, exitInterrupted, stealproofCancelled(t, "litmus", "mp.litmus").code)
	o = stealproof(t, "litmus", "--timeout", "1ns", "mp.litmus")
	assert.Equal(t, exitUndecided, o.code)
	assert.Equal(t, "mp.litmus MP undecided\n", o.out)
	assert.Equal(t, "stealproof: mp.litmus: undecided: the time limit was met\n", o.err)
}

// A statement about no execution is said to be that, and is no success.
func TestLitmusAboutNothing(t *testing.T) {
	const waits = "PTX waits\n{ x=0; }\n P0@cta 0,gpu 0 ;\n LC0: ld.relaxed.gpu r0, x ;\n bne r0, 1, LC0 ;\n"
	const why = "no execution comes to an end, since somebody waits or spins for ever: the statement is about none"
	for statement, want := range map[string]outcomeOfRun{
		"forall (x == 0)":      {exitUndecided, "- waits undecided\n", "stealproof: -: undecided: " + why + "\n"},
		"~exists (P0:r0 == 1)": {exitUndecided, "- waits undecided\n", "stealproof: -: undecided: " + why + "\n"},
		"exists (x == 0)":      {exitHolds, "- waits fails\n", "stealproof: -: fails: " + why + "\n"},
	} {
		assert.Equal(t, want, stealproofReading(t, waits+statement, "litmus", "-"))
	}
	o := stealproofReading(t, waits+"forall (x == 0)", "litmus", "--json", "-")
	assert.Equal(t, exitUndecided, o.code)
	assert.Contains(t, o.out, `"verdict":"undecided","why":"no execution comes to an end`)
}

func TestLitmusExpectations(t *testing.T) {
	litmusFolder(t)
	write := func(text string) { require.NoError(t, os.WriteFile("want.csv", []byte(text), 0o644)) }

	write("mp.litmus,0\r\nsb.litmus,1\r\n")
	o := stealproof(t, "litmus", "--expect", "want.csv", "mp.litmus", "sb.litmus")
	assert.Equal(t, exitHolds, o.code)
	assert.Equal(t, "mp.litmus MP fails\nsb.litmus SB holds\n", o.out)
	assert.Equal(t, "want.csv: 2 tests as expected, 0 differ, 0 not found\n", o.err)
	assert.Equal(t, o, stealproof(t, "litmus", "--expect", "want.csv"), "without files, those that are listed")

	write("published/ptx/mp.litmus,1\nsb.litmus,1\nother.litmus,0\nopen.litmus,1\n")
	o = stealproof(t, "litmus", "--expect", "want.csv", "mp.litmus", "./sb.litmus", "open.litmus")
	assert.Equal(t, exitViolation, o.code, "a difference wins over what is open")
	assert.Equal(t, `mp.litmus MP fails
./sb.litmus SB holds
open.litmus open undecided
differs: mp.litmus MP: expected holds, found fails
not found: other.litmus: listed in want.csv, line 3
differs: open.litmus open: expected holds, found undecided
`, o.out)

	write("bad.litmus,1\n")
	o = stealproof(t, "litmus", "--expect", "want.csv", "bad.litmus")
	assert.Equal(t, exitUsage, o.code)
	assert.Equal(t, "differs: bad.litmus: expected holds, found no test\n", o.out)

	write("mp.litmus,yes\n")
	stealproof(t, "litmus", "--expect", "want.csv", "mp.litmus").requireRefused(t, `want.csv:1: expected PATH,1 (holds) or PATH,0 (fails), found "mp.litmus,yes"`)
	write("mp.litmus,1\nmp.litmus,0\n")
	stealproof(t, "litmus", "--expect", "want.csv", "mp.litmus").requireRefused(t, `want.csv:2: mp.litmus is listed on line 1 already`)
	write("\n")
	stealproof(t, "litmus", "--expect", "want.csv", "mp.litmus").requireRefused(t, `want.csv: expected lines PATH,1 (holds) and PATH,0 (fails), found none`)
	stealproof(t, "litmus", "--expect", "gone.csv", "mp.litmus").requireRefused(t, `gone.csv: no such file or directory`)
}

// TestManyExpectations: comparing takes a step for each listed test, not for each
// pair of tests, also where all files have one name; and paths match as they do
// one by one.
func TestManyExpectations(t *testing.T) {
	const files = 50_000
	expected := &litmusExpectations{file: "want.csv"}
	answers := make([]litmusAnswer, files)
	for i := range files {
		path := filepath.Join(fmt.Sprint("folder", i), "a.litmus")
		expected.lines = append(expected.lines, litmusExpectation{i + 1, filepath.Join("published", path), litmus.Holds})
		answers[files-1-i] = litmusAnswer{file: path}
	}
	index := newAnswerIndex(answers)
	for i, line := range expected.lines {
		answer, err := index.find(expected, line)
		require.NoError(t, err)
		require.Same(t, &answers[files-1-i], answer)
	}
	_, err := index.find(expected, litmusExpectation{7, "a.litmus", litmus.Holds})
	assert.EqualError(t, err, "want.csv:7: a.litmus may be "+answers[0].file+" or "+answers[1].file+": expected one of them")
	answer, err := index.find(expected, litmusExpectation{7, "1/a.litmus", litmus.Holds})
	assert.NoError(t, err)
	assert.Nil(t, answer, "an ending begins behind a separator")
}

func TestLitmusFolders(t *testing.T) {
	t.Chdir(t.TempDir())
	o := stealproof(t, "litmus", "--generate", "library")
	assert.Equal(t, exitHolds, o.code)
	assert.Regexp(t, `^library: [0-9]+ litmus tests written, and their verdicts under ptx to expected.csv\n$`, o.out)
	o = stealproof(t, "litmus", "library", "--jobs", "2")
	assert.Equal(t, exitHolds, o.code)
	assert.GreaterOrEqual(t, strings.Count(o.out, "\n"), 500)
	assert.Equal(t, o.out, stealproof(t, "litmus", "library", "--jobs", "1").out, "the order is that of the files")

	o = stealproof(t, "litmus", "--expect", filepath.Join("library", "expected.csv"))
	assert.Equal(t, exitHolds, o.code)
	assert.Regexp(t, `^library/expected.csv: [0-9]+ tests as expected, 0 differ, 0 not found\n$`, filepath.ToSlash(o.err))
	o = stealproof(t, "litmus", "--model", "tso", "--expect", filepath.Join("library", "expected.csv"))
	assert.Equal(t, exitViolation, o.code, "the verdicts are those of PTX")
	assert.Contains(t, o.out, "LB+relaxed+gpu+ctas: expected holds, found fails\n")

	require.NoError(t, os.Mkdir("empty", 0o777))
	o = stealproof(t, "litmus", "empty")
	assert.Equal(t, exitUsage, o.code)
	assert.Equal(t, "stealproof: empty: expected files *.litmus in this folder, found none\n", o.err)
}

func TestLitmusPictures(t *testing.T) {
	litmusFolder(t)
	for file, want := range map[string]string{"mp.litmus": "forbidden by ptx, axiom “causality”", "sb.litmus": "allowed by ptx"} {
		require.Equal(t, exitHolds, stealproof(t, "litmus", "--svg", "out.svg", file).code)
		text, err := os.ReadFile("out.svg")
		require.NoError(t, err)
		assert.Contains(t, string(text), want)
		d := xml.NewDecoder(strings.NewReader(string(text)))
		for err == nil {
			_, err = d.Token()
		}
		assert.ErrorIs(t, err, io.EOF)
	}
	require.Equal(t, exitUndecided, stealproof(t, "litmus", "--svg", "out.svg", "open.litmus").code)
	text, err := os.ReadFile("out.svg")
	require.NoError(t, err)
	assert.Contains(t, string(text), "undecided: a loop goes on beyond the bound (--unroll)", "not forbidden by an axiom")
	stealproof(t, "litmus", "--svg", "out.svg", "mp.litmus", "sb.litmus").requireRefused(t, "--svg: expected one test to draw, found 2")
	o := stealproof(t, "litmus", "--svg", filepath.Join("gone", "out.svg"), "mp.litmus")
	assert.Equal(t, exitUsage, o.code)
}

func TestLitmusBadCommandLines(t *testing.T) {
	litmusFolder(t)
	for args, want := range map[string]string{
		"litmus":                          `litmus: expected a litmus test, or '-' for standard input (see "stealproof litmus --help")`,
		"litmus --model arm mp.litmus":    `--model: unknown memory model "arm": expected one of ptx, ra, tso, sc`,
		"litmus --unroll 0 mp.litmus":     `--unroll 0: expected a number from 1 to 1000`,
		"litmus --jobs -1 mp.litmus":      `--timeout and --jobs cannot be negative`,
		"litmus --unroll all mp.litmus":   `--unroll "all": expected a number (see "stealproof litmus --help")`,
		"litmus --generate g mp.litmus":   `--generate only writes tests: expected no file to decide`,
		"litmus --generate g --model tso": `--model does not apply to --generate: it only writes tests`,
		"litmus --generate g --expect e":  `--expect does not apply to --generate: it only writes tests`,
		"litmus - -":                      `litmus: '-' is named twice: standard input can be read once`,
	} {
		stealproof(t, strings.Fields(args)...).requireRefused(t, want)
	}
}
