package litmus_test

import (
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/cmd/stealproof/internal/commandtest"
	"stealproof/cmd/stealproof/internal/exit"
	"stealproof/cmd/stealproof/internal/version"
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
	commandtest.InFolder(t, map[string]string{"mp.litmus": litmusMP, "sb.litmus": litmusSB, "lock.litmus": litmusLock, "open.litmus": litmusOpen, "bad.litmus": strings.Replace(litmusMP, "st.weak", "st.week", 1)})
}

func TestLitmus(t *testing.T) {
	litmusFolder(t)
	o := commandtest.Run(t, "litmus", "mp.litmus", "sb.litmus")
	assert.Equal(t, commandtest.Outcome{Code: exit.Holds, Out: "mp.litmus MP fails\nsb.litmus SB holds\n"}, o, "a statement that is false is an answer")

	o = commandtest.Run(t, "litmus", "-v", "--model", "tso", "sb.litmus")
	assert.Equal(t, commandtest.Outcome{Code: exit.Holds, Out: `sb.litmus SB holds
  * P0:r0=0 P1:r0=0 x=1  (1 execution)
    P0:r0=0 P1:r0=1 x=1  (1 execution)
    P0:r0=1 P1:r0=0 x=1  (1 execution)
    P0:r0=1 P1:r0=1 x=1  (1 execution)
`}, o)
	assert.Equal(t, "sb.litmus SB fails\n", commandtest.Run(t, "litmus", "--model", "sc", "sb.litmus").Out)
	assert.Equal(t, "- MP fails\n", commandtest.Reading(t, litmusMP, "litmus", "-").Out)

	o = commandtest.Run(t, "litmus", "--json", "mp.litmus")
	assert.Equal(t, `{"file":"mp.litmus","name":"MP","verdict":"fails","states":[`+
		`{"values":{"P1:r0":0,"P1:r1":0},"executions":1,"satisfies":false},`+
		`{"values":{"P1:r0":0,"P1:r1":1},"executions":1,"satisfies":false},`+
		`{"values":{"P1:r0":1,"P1:r1":1},"executions":1,"satisfies":false}],`+
		`"tool":"stealproof","version":"`+version.Name()+`","schema":1,"command":"litmus","question":{"memory":"ptx","files":["mp.litmus"]},"exit_code":0,"findings":[]}`+"\n", o.Out)
}

func TestLitmusExitCodes(t *testing.T) {
	litmusFolder(t)
	o := commandtest.Run(t, "litmus", "open.litmus", "mp.litmus")
	assert.Equal(t, exit.Undecided, o.Code)
	assert.Equal(t, "open.litmus open undecided\nmp.litmus MP fails\n", o.Out)
	assert.Equal(t, "stealproof: open.litmus: undecided: a loop goes on beyond the bound (--unroll)\n", o.Err)

	o = commandtest.Run(t, "litmus", "open.litmus", "bad.litmus", "mp.litmus", "gone.litmus")
	assert.Equal(t, exit.Usage, o.Code, "what is wrong wins over what is open")
	assert.Equal(t, "open.litmus open undecided\nmp.litmus MP fails\n", o.Out, "the others are decided")
	assert.Contains(t, o.Err, `stealproof: bad.litmus:5:5: "st.week": expected weak, relaxed or release, found "week"`+"\n")
	assert.Contains(t, o.Err, "stealproof: gone.litmus: no such file or directory\n")

	assert.Equal(t, exit.Interrupted, commandtest.Cancelled(t, "litmus", "mp.litmus").Code)
	o = commandtest.Run(t, "litmus", "--timeout", "1ns", "mp.litmus")
	assert.Equal(t, exit.Undecided, o.Code)
	assert.Equal(t, "mp.litmus MP undecided\n", o.Out)
	assert.Equal(t, "stealproof: mp.litmus: undecided: the time limit was met\n", o.Err)
}

// A statement about no execution is said to be that, and is no success.
func TestLitmusAboutNothing(t *testing.T) {
	const waits = "PTX waits\n{ x=0; }\n P0@cta 0,gpu 0 ;\n LC0: ld.relaxed.gpu r0, x ;\n bne r0, 1, LC0 ;\n"
	const why = "no execution comes to an end, since somebody spins for ever: the statement is about none"
	for statement, want := range map[string]commandtest.Outcome{
		"forall (x == 0)":      {Code: exit.Undecided, Out: "- waits undecided\n", Err: "stealproof: -: undecided: " + why + "\n"},
		"~exists (P0:r0 == 1)": {Code: exit.Undecided, Out: "- waits undecided\n", Err: "stealproof: -: undecided: " + why + "\n"},
		"exists (x == 0)":      {Code: exit.Holds, Out: "- waits fails\n", Err: "stealproof: -: fails: " + why + "\n"},
	} {
		assert.Equal(t, want, commandtest.Reading(t, waits+statement, "litmus", "-"))
	}
	o := commandtest.Reading(t, waits+"forall (x == 0)", "litmus", "--json", "-")
	assert.Equal(t, exit.Undecided, o.Code)
	assert.Contains(t, o.Out, `"verdict":"undecided","why":"no execution comes to an end`)
}

// Executions in which somebody waits for ever count, and the output says so.
func TestLitmusWaitingForEver(t *testing.T) {
	const meets = "PTX meets\n{ }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 0,gpu 0 ;\n bar.cta.sync 0, 0, 2 | bar.cta.sync 0, 0, 2 | bar.cta.sync 0, 0, 2 ;\n ld r0, 1 | ld r0, 1 | ld r0, 1 ;\n"
	const statement = "~exists (0:r0 = 1 /\\ 1:r0 = 1 /\\ 2:r0 = 1)"
	o := commandtest.Reading(t, meets+statement, "litmus", "-v", "-")
	assert.Equal(t, commandtest.Outcome{Code: exit.Holds, Out: `- meets holds
    P0:r0=1 P1:r0=1 P2:r0=unset  (1 execution, P2 waits for ever)
    P0:r0=1 P1:r0=unset P2:r0=1  (1 execution, P1 waits for ever)
    P0:r0=unset P1:r0=1 P2:r0=1  (1 execution, P0 waits for ever)
`, Err: "stealproof: -: holds: executions in which somebody waits for ever at a barrier count as far as they run\n"}, o)
	o = commandtest.Reading(t, meets+"exists (0:r0 = 1)", "litmus", "--json", "-")
	assert.Contains(t, o.Out, `"why":"only by executions in which somebody waits for ever at a barrier`)
	assert.Contains(t, o.Out, `{"values":{"P0:r0":null},"executions":1,"satisfies":false,"waiting":["P0"]}`)
}

func TestLitmusExpectations(t *testing.T) {
	litmusFolder(t)
	write := func(text string) { require.NoError(t, os.WriteFile("want.csv", []byte(text), 0o644)) }

	write("mp.litmus,0\r\nsb.litmus,1\r\n")
	o := commandtest.Run(t, "litmus", "--expect", "want.csv", "mp.litmus", "sb.litmus")
	assert.Equal(t, exit.Holds, o.Code)
	assert.Equal(t, "mp.litmus MP fails\nsb.litmus SB holds\n", o.Out)
	assert.Equal(t, "want.csv: 2 tests as expected, 0 differ, 0 not found\n", o.Err)
	assert.Equal(t, o, commandtest.Run(t, "litmus", "--expect", "want.csv"), "without files, those that are listed")

	write("published/ptx/mp.litmus,1\nsb.litmus,1\nother.litmus,0\nopen.litmus,1\n")
	o = commandtest.Run(t, "litmus", "--expect", "want.csv", "mp.litmus", "./sb.litmus", "open.litmus")
	assert.Equal(t, exit.Violation, o.Code, "a difference wins over what is open")
	assert.Equal(t, `mp.litmus MP fails
./sb.litmus SB holds
open.litmus open undecided
differs: mp.litmus MP: expected holds, found fails
not found: other.litmus: listed in want.csv, line 3
differs: open.litmus open: expected holds, found undecided
`, o.Out)

	write("bad.litmus,1\n")
	o = commandtest.Run(t, "litmus", "--expect", "want.csv", "bad.litmus")
	assert.Equal(t, exit.Usage, o.Code)
	assert.Equal(t, "differs: bad.litmus: expected holds, found no test\n", o.Out)

	write("mp.litmus,yes\n")
	commandtest.Run(t, "litmus", "--expect", "want.csv", "mp.litmus").RequireRefused(t, `want.csv:1: expected PATH,1 (holds) or PATH,0 (fails), found "mp.litmus,yes"`)
	write("mp.litmus,1\nmp.litmus,0\n")
	commandtest.Run(t, "litmus", "--expect", "want.csv", "mp.litmus").RequireRefused(t, `want.csv:2: mp.litmus is listed on line 1 already`)
	write("\n")
	commandtest.Run(t, "litmus", "--expect", "want.csv", "mp.litmus").RequireRefused(t, `want.csv: expected lines PATH,1 (holds) and PATH,0 (fails), found none`)
	commandtest.Run(t, "litmus", "--expect", "gone.csv", "mp.litmus").RequireRefused(t, `gone.csv: no such file or directory`)
}

func TestLitmusFolders(t *testing.T) {
	t.Chdir(t.TempDir())
	o := commandtest.Run(t, "litmus", "--generate", "library")
	assert.Equal(t, exit.Holds, o.Code)
	assert.Regexp(t, `^library: [0-9]+ litmus tests written, and their verdicts under ptx to expected.csv\n$`, o.Out)
	o = commandtest.Run(t, "litmus", "library", "--jobs", "2", "--expect", filepath.Join("library", "expected.csv"))
	assert.Equal(t, exit.Holds, o.Code)
	assert.GreaterOrEqual(t, strings.Count(o.Out, "\n"), 500)
	assert.Equal(t, o.Out, commandtest.Run(t, "litmus", "library", "--jobs", "1").Out, "the order is that of the files")
	assert.Regexp(t, `^library/expected.csv: [0-9]+ tests as expected, 0 differ, 0 not found\n$`, filepath.ToSlash(o.Err))
	o = commandtest.Run(t, "litmus", "--model", "tso", "--expect", filepath.Join("library", "expected.csv"))
	assert.Equal(t, exit.Violation, o.Code, "the verdicts are those of PTX")
	assert.Contains(t, o.Out, "LB+relaxed+gpu+ctas: expected holds, found fails\n")

	require.NoError(t, os.Mkdir("empty", 0o777))
	o = commandtest.Run(t, "litmus", "empty")
	assert.Equal(t, exit.Usage, o.Code)
	assert.Equal(t, "stealproof: empty: expected files *.litmus in this folder, found none\n", o.Err)
}

func TestLitmusPictures(t *testing.T) {
	litmusFolder(t)
	for file, want := range map[string]string{"mp.litmus": "forbidden by ptx, axiom “causality”", "sb.litmus": "allowed by ptx"} {
		require.Equal(t, exit.Holds, commandtest.Run(t, "litmus", "--svg", "out.svg", file).Code)
		text, err := os.ReadFile("out.svg")
		require.NoError(t, err)
		assert.Contains(t, string(text), want)
		d := xml.NewDecoder(strings.NewReader(string(text)))
		for err == nil {
			_, err = d.Token()
		}
		assert.ErrorIs(t, err, io.EOF)
	}
	require.Equal(t, exit.Undecided, commandtest.Run(t, "litmus", "--svg", "out.svg", "open.litmus").Code)
	text, err := os.ReadFile("out.svg")
	require.NoError(t, err)
	assert.Contains(t, string(text), "undecided: a loop goes on beyond the bound (--unroll)", "not forbidden by an axiom")
	commandtest.Run(t, "litmus", "--svg", "out.svg", "mp.litmus", "sb.litmus").RequireRefused(t, "--svg: expected one test to draw, found 2")
	o := commandtest.Run(t, "litmus", "--svg", filepath.Join("gone", "out.svg"), "mp.litmus")
	assert.Equal(t, exit.Usage, o.Code)
}

func TestLitmusBadCommandLines(t *testing.T) {
	litmusFolder(t)
	for args, want := range map[string]string{
		"litmus":                          `litmus: expected a litmus test, or '-' for standard input (see "stealproof litmus --help")`,
		"litmus --model arm mp.litmus":    `--model: unknown memory model "arm": expected one of ptx, rc11, tso, sc`,
		"litmus --unroll 0 mp.litmus":     `--unroll 0: expected a number from 1 to 1000`,
		"litmus --jobs -1 mp.litmus":      `--jobs -1: expected at least 1, or 0 for one per processor`,
		"litmus --unroll all mp.litmus":   `--unroll "all": expected a number (see "stealproof litmus --help")`,
		"litmus --generate g mp.litmus":   `--generate only writes tests: expected no file to decide`,
		"litmus --generate g --model tso": `--model does not apply to --generate: it only writes tests`,
		"litmus --generate g --expect e":  `--expect does not apply to --generate: it only writes tests`,
		"litmus - -":                      `litmus: '-' is named twice: standard input can be read once`,
	} {
		commandtest.Run(t, strings.Fields(args)...).RequireRefused(t, want)
	}
}
