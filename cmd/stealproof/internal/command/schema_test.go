package command_test

import (
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/cmd/stealproof/internal/commandtest"
	"stealproof/cmd/stealproof/internal/exit"
	"stealproof/cmd/stealproof/internal/report/reporttest"
)

const mp = `PTX MP
{ x=0; y=0; }
 P0@cta 0,gpu 0        | P1@cta 1,gpu 0        ;
 st.weak x, 1          | ld.weak r0, y         ;
 st.weak y, 1          | ld.weak r1, x         ;
exists (P1:r0 == 1 /\ P1:r1 == 0)
`

// machineLine is a command line, and what its report says.
type machineLine struct {
	args    string
	code    int
	verdict string
	kinds   string // of the findings, in their order
	items   int    // at least
}

// machineLines are all commands, with findings and without. GPU commands, which need a
// device, are looked at where their tests have one that is made up.
func machineLines(root string) []machineLine {
	examples := filepath.Join(root, "gpu", "examples")
	ring, hasty := filepath.Join(examples, "ticket.ptx"), filepath.Join(examples, "ticket-trusts-turn.ptx")
	return []machineLine{
		{"check good.jsonl", exit.Holds, "linearizable", "", 0},
		{"check twice.jsonl", exit.Violation, "violation", "duplicate", 0},
		{"check none.jsonl", exit.Undecided, "undecided", "not-run", 0},
		{"check --stats --certify twice.jsonl", exit.Violation, "violation", "duplicate", 0},
		{"check --timeout 1ns good.jsonl", exit.Undecided, "undecided", "undecided", 0},
		{"check --checker oracle good.jsonl", exit.Usage, "not run", "", 0},
		{"convert good.jsonl good.sph", exit.Holds, "holds", "", 0},
		{"explore abp --runs 100", exit.Holds, "linearizable", "", 0},
		{"explore abp:width=0 --save found.case --history found.jsonl", exit.Violation, "violation", "duplicate", 0},
		{"explore abp:variant=book --memory ptx --owner 2 --thieves 1x1", exit.Violation, "violation", "invented", 0},
		{"explore abp --memory native --runs 10", exit.Holds, "linearizable", "", 0},
		{"explore " + hasty + " --model fifo --processes 2x2", exit.Violation, "violation", "false-empty", 0},
		{"explore abp --exhaustive --owner 2 --thieves 1x1", exit.Holds, "linearizable", "", 0},
		{"explore abp --exhaustive --owner 3 --thieves 1x2 --runs 3 --checkpoint left.txt", exit.Undecided, "undecided", "", 0},
		{"explore abp:variant=book --exhaustive --memory ptx --owner 2 --thieves 1x1 --races", exit.Violation, "violation", "data-race* invented", 0},
		{"explore abp --exhaustive --clients 2 --memory ptx", exit.Holds, "linearizable", "", 0},
		{"explore blocking --memory ptx --fences --processes 2x1 --runs 20", exit.Holds, "holds", "", 2},
		{"explore --list", exit.Holds, "holds", "", 6},
		{"explore nothing", exit.Usage, "not run", "", 0},
		{"replay holds.case", exit.Holds, "linearizable", "", 0},
		{"replay fails.case", exit.Violation, "violation", "duplicate", 0},
		{"replay cases", exit.Violation, "violation", "unexpected not-run", 3},
		{"progress blocking", exit.Holds, "holds", "", 2},
		{"progress " + ring + " --model fifo --for 1ms", exit.Undecided, "undecided", "undecided*", 0},
		{"mutants blocking --only unlock", exit.Holds, "holds", "", 3},
		{"mutants abp:capacity=3 --for 1ms", exit.Undecided, "undecided", "undecided*", 0},
		{"compare abp:capacity=2 abp:capacity=2 --shape 2+1", exit.Holds, "holds", "", 1},
		{"compare " + ring + " " + hasty + " --model fifo", exit.Violation, "violation", "difference", 1},
		{"litmus mp.litmus", exit.Holds, "holds", "", 0},
		{"litmus --expect want.csv mp.litmus", exit.Violation, "violation", "unexpected unexpected", 0},
		{"lint " + ring, exit.Holds, "holds", "", 1},
		{"lint " + filepath.Join(examples, "warp-ring-trusting.ptx"), exit.Violation, "violation", "weak-order", 1},
		{"verify --quick --for 1ms", exit.Undecided, "undecided", "", 0},
		{"verify --quick --long", exit.Usage, "not run", "", 0},
		{"gpu list", exit.Usage, "not run", "", 0},
		{"gpu run abp", exit.Usage, "not run", "", 0},
		{"gpu bench abp", exit.Usage, "not run", "", 0},
		{"gpu table", exit.Usage, "not run", "", 0},
		{"gpu calibrate", exit.Usage, "not run", "", 0},
		{"version", exit.Holds, "holds", "", 0},
		{"chek", exit.Usage, "not run", "", 0},
		{"explore --bogus", exit.Usage, "not run", "", 0},
	}
}

func inFolderOfInputs(t *testing.T, root string) {
	commandtest.InFolder(t, map[string]string{
		"good.jsonl": commandtest.Holding, "twice.jsonl": commandtest.Violated, "none.jsonl": commandtest.FIFOHeader, "mp.litmus": mp, "want.csv": "mp.litmus,0\nother.litmus,1\n",
		"holds.case": commandtest.SmallCase,
	})
	fails, err := os.ReadFile(filepath.Join(root, "fuzz", "testdata", "cases", "abp-width0.case"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile("fails.case", fails, 0o644))
	require.NoError(t, os.Mkdir("cases", 0o755))
	other := strings.Replace(string(fails), "violation duplicate", "linearizable", 1)
	for name, text := range map[string]string{"a.case": commandtest.SmallCase, "b.case": other, "c.case": strings.Replace(commandtest.SmallCase, "abp", "mine", 1)} {
		require.NoError(t, os.WriteFile(filepath.Join("cases", name), []byte(text), 0o644))
	}
}

// What every command prints for machines is a report by the schema, and says what the
// exit code says.
func TestAllKeepToTheSchema(t *testing.T) {
	root := commandtest.Root(t)
	inFolderOfInputs(t, root)
	seen := map[string]bool{}
	for _, m := range machineLines(root) {
		if testing.Short() && strings.Contains(m.args, "--fences") {
			continue
		}
		o := commandtest.Run(t, append([]string{"--json"}, strings.Fields(m.args)...)...)
		require.Equal(t, m.code, o.Code, "%s\n%s", m.args, o.Err)
		lines := reporttest.Require(t, o.Out)
		require.NotEmpty(t, lines, m.args)
		last := lines[len(lines)-1]
		seen[last["command"].(string)] = true
		verdict := m.verdict
		if m.args == "litmus mp.litmus" || m.args == "check none.jsonl" { // the line of a file
			verdict = last["verdict"].(string)
		}
		assert.Equal(t, verdict, last["verdict"], m.args)
		assert.Equal(t, json.Number(string(rune('0'+m.code))), last["exit_code"], m.args)
		assert.Equal(t, m.code == exit.Usage, last["error"] != nil, m.args)
		items, _ := last["items"].([]any)
		assert.GreaterOrEqual(t, len(items), m.items, m.args)
		var kinds []string
		for _, f := range last["findings"].([]any) {
			kinds = append(kinds, f.(map[string]any)["kind"].(string))
		}
		pattern := "^" + regexp.MustCompile(`([a-z-]+)\*( ?)`).ReplaceAllString(m.kinds, `(($1)( |$$))*`) + "$"
		assert.Regexp(t, pattern, strings.Join(kinds, " "), m.args)
	}
	for _, name := range strings.Split(commands(t), ", ") {
		if !slices.Contains([]string{"completion", "gpu", "man", "schema"}, name) {
			assert.True(t, seen[name], "no report of %s was looked at", name)
		}
	}
}

// In all formats there is what the exit code says: whoever reads only one of them is not
// told that something holds which does not.
func TestReportsInAllFormats(t *testing.T) {
	if testing.Short() {
		t.Skip("runs every command")
	}
	root := commandtest.Root(t)
	inFolderOfInputs(t, root)
	for _, m := range machineLines(root) {
		command := strings.Fields(m.args)[0]
		if command == "chek" || strings.Contains(m.args, "--bogus") {
			continue
		}
		args := append(strings.Fields(m.args), "--github", "--report", "r.xml", "--report=r.sarif", "--report=r.tap", "--report=gitlab=r.gitlab", "--report=r.json")
		o := commandtest.Run(t, args...)
		require.Equal(t, m.code, o.Code, "%s\n%s", m.args, o.Err)
		success := m.code == exit.Holds
		read := func(name string) string {
			text, err := os.ReadFile(name)
			require.NoError(t, err, m.args)
			require.NoError(t, os.Remove(name))
			return string(text)
		}
		var suite struct {
			Failures int `xml:"failures,attr"`
			Errors   int `xml:"errors,attr"`
			Tests    int `xml:"tests,attr"`
		}
		require.NoError(t, xml.Unmarshal([]byte(read("r.xml")), &suite), m.args)
		assert.Positive(t, suite.Tests, m.args)
		assert.Equal(t, success, suite.Failures+suite.Errors == 0, "%s\n%+v", m.args, suite)
		assert.Equal(t, success, !strings.Contains(read("r.tap"), "\nnot ok "), m.args)
		var issues []map[string]any
		require.NoError(t, json.Unmarshal([]byte(read("r.gitlab")), &issues), m.args)
		assert.Equal(t, success, len(issues) == 0, m.args)
		assert.Equal(t, success, !strings.Contains(o.Out, "::error ") && !strings.Contains(o.Out, "::warning "), m.args)
		whole := reporttest.Require(t, read("r.json"))
		require.Len(t, whole, 1)
		requireSARIF(t, m.args, read("r.sarif"), len(issues))
	}
}

// A command that was interrupted says so, and is no success in any format, though all
// that it had decided may be.
func TestReportsOfWhatWasEnded(t *testing.T) {
	root := commandtest.Root(t)
	inFolderOfInputs(t, root)
	for _, args := range []string{"check good.jsonl", "explore abp", "explore abp --exhaustive --owner 3 --thieves 1x2", "mutants blocking", "progress blocking", "litmus mp.litmus", "replay cases", "verify --quick", "compare --kernels"} {
		o := commandtest.Cancelled(t, append(strings.Fields(args), "--report=r.xml", "--report=r.json")...)
		require.Equal(t, exit.Interrupted, o.Code, "%s\n%s", args, o.Err)
		text, err := os.ReadFile("r.json")
		require.NoError(t, err)
		r := reporttest.Require(t, string(text))[0]
		assert.Equal(t, json.Number("130"), r["exit_code"], args)
		assert.Contains(t, r["limits"], "interrupted", args)
		text, err = os.ReadFile("r.xml")
		require.NoError(t, err)
		assert.Regexp(t, `<testsuite [^>]*(failures|errors)="[1-9]`, string(text), args)
	}
}

// requireSARIF asks for what the specification of SARIF 2.1.0 does of a log: that each
// result names a rule that is there, says something, is somewhere, and is told apart.
func requireSARIF(t *testing.T, args, text string, results int) {
	t.Helper()
	var log struct {
		Schema  string `json:"$schema"`
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct {
					Name  string
					Rules []struct{ ID string }
				}
			}
			Results []struct {
				RuleID              string
				RuleIndex           int
				Level               string
				Message             struct{ Text string }
				PartialFingerprints map[string]string
				Locations           []struct {
					PhysicalLocation *struct {
						ArtifactLocation struct{ URI string }
						Region           *struct{ StartLine int }
					}
					LogicalLocations []struct{ FullyQualifiedName string }
				}
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(text), &log), args)
	require.Equal(t, "2.1.0", log.Version)
	require.Len(t, log.Runs, 1)
	run := log.Runs[0]
	require.Equal(t, "stealproof", run.Tool.Driver.Name)
	require.Len(t, run.Results, results, args)
	prints := map[string]bool{}
	for _, r := range run.Results {
		require.Equal(t, run.Tool.Driver.Rules[r.RuleIndex].ID, r.RuleID)
		require.Contains(t, []string{"error", "warning"}, r.Level)
		require.NotEmpty(t, r.Message.Text, args)
		require.Len(t, r.Locations, 1)
		require.NotEmpty(t, r.Locations[0].LogicalLocations[0].FullyQualifiedName, args)
		if p := r.Locations[0].PhysicalLocation; p != nil {
			require.NotEmpty(t, p.ArtifactLocation.URI, args)
			require.True(t, p.Region == nil || p.Region.StartLine > 0)
		}
		print := r.PartialFingerprints["stealproof/v1"]
		require.Len(t, print, 32)
		require.False(t, prints[print], "two findings have one print")
		prints[print] = true
	}
}

func TestReportFlags(t *testing.T) {
	inFolderOfInputs(t, commandtest.Root(t))
	for args, want := range map[string]string{
		"check good.jsonl --report x.html":                  `--report "x.html": expected a file that ends in .xml, .sarif, .tap or .json, or its format, as in junit=report, sarif=, tap=, gitlab= or json=`,
		"explore abp --report junit=":                       `--report junit=: expected a file behind the format, as in junit=report.xml`,
		"check good.jsonl --report junit=good.jsonl":        `--report good.jsonl: expected a file to write, and this is the name of a history`,
		"replay fails.case --report junit=x.case":           `--report x.case: expected a file to write, and this is the name of a saved case`,
		"explore abp --report a.xml --report junit=./a.xml": `--report and --report would both be written to ./a.xml`,
		"check good.jsonl --junit a.xml --report a.xml":     `--report and --junit would both be written to a.xml`,
		"explore abp --report no/such/a.xml":                `no/such/a.xml: no such file or directory`,
		"convert good.jsonl - --json":                       `--json does not apply where the history itself is written to standard output`,
		"completion bash --json":                            `--json, --github and --report do not apply to completion bash: it decides nothing`,
		"gpu --json":                                        `--json, --github and --report do not apply to gpu: it decides nothing`,
	} {
		commandtest.Run(t, strings.Fields(args)...).RequireRefused(t, want)
	}
	o := commandtest.Run(t, "check", "--help", "--json")
	assert.Equal(t, exit.Holds, o.Code)
	assert.NotContains(t, o.Out, `"schema"`, "help is for people")
}

// A print is that of the finding, not of the run: with another seed it stays.
func TestFingerprintsStay(t *testing.T) {
	commandtest.InFolder(t, nil)
	prints := map[string]bool{}
	for _, seed := range []string{"1", "77", "1234"} {
		commandtest.Run(t, "explore", "abp:width=0", "--seed", seed, "--report", "r.sarif")
		text, err := os.ReadFile("r.sarif")
		require.NoError(t, err)
		prints[regexp.MustCompile(`"stealproof/v1": "([0-9a-f]+)"`).FindStringSubmatch(string(text))[1]] = true
	}
	assert.Len(t, prints, 1)
}
