package histories_test

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/cmd/stealproof/internal/commandtest"
	"stealproof/cmd/stealproof/internal/exit"
	"stealproof/cmd/stealproof/internal/version"
	"stealproof/linearize/draw/page/pagetest"
)

// envelope is what stands behind the fields that check has had from the beginning.
func envelope(file string, code int, finding string) string {
	return fmt.Sprintf(`,"tool":"stealproof","version":%q,"schema":1,"command":"check","question":{"files":[%q]},"exit_code":%d,"findings":[%s]}`+"\n",
		version.Name(), file, code, finding)
}

func TestJSONIsOneObject(t *testing.T) {
	commandtest.InFolder(t, map[string]string{"good.jsonl": commandtest.Holding, "twice.jsonl": commandtest.Violated})
	elapsed := regexp.MustCompile(`"elapsed_ms":[0-9]+`)

	o := commandtest.Run(t, "check", "--json", "twice.jsonl")
	assert.Equal(t, exit.Violation, o.Code)
	assert.Empty(t, o.Err)
	assert.Equal(t, `{"verdict":"violation","operations":3,"objects":1,"checker":"direct","elapsed_ms":N,`+
		`"violations":[{"file":"twice.jsonl","object":3,"kind":"duplicate","explanation":"`+commandtest.Explanation+`","operations":[2,3,4]}],"file":"twice.jsonl"`+
		envelope("twice.jsonl", 1, `{"item":"twice.jsonl","kind":"duplicate","level":"error","message":"`+commandtest.Explanation+`","file":"twice.jsonl","line":2,"object":3,"operations":[2,3,4]}`),
		elapsed.ReplaceAllString(o.Out, `"elapsed_ms":N`))

	o = commandtest.Run(t, "check", "--json", "good.jsonl")
	assert.Equal(t, exit.Holds, o.Code)
	assert.Equal(t, `{"verdict":"linearizable","operations":2,"objects":1,"checker":"monitor","elapsed_ms":N,"violations":[],"file":"good.jsonl"`+envelope("good.jsonl", 0, ""),
		elapsed.ReplaceAllString(o.Out, `"elapsed_ms":N`))
}

func TestJSONOfSeveralFilesIsALineEach(t *testing.T) {
	commandtest.InFolder(t, map[string]string{"good.jsonl": commandtest.Holding, "bad.jsonl": commandtest.Broken, "twice.jsonl": commandtest.Violated})
	o := commandtest.Run(t, "check", "--json", "good.jsonl", "bad.jsonl", "twice.jsonl")
	o.RequireRefused(t, `bad.jsonl:2: the field "value" is missing: enq ok needs it`)
	var verdicts, files []string
	for line := range strings.Lines(o.Out) {
		var object struct{ Verdict, File string }
		require.NoError(t, json.Unmarshal([]byte(line), &object))
		verdicts, files = append(verdicts, object.Verdict), append(files, object.File)
	}
	assert.Equal(t, []string{"good.jsonl", "twice.jsonl"}, files, "each line says what it is about")
	assert.Equal(t, []string{"linearizable", "violation"}, verdicts)
}

func TestJSONSaysWhy(t *testing.T) {
	commandtest.InFolder(t, map[string]string{"good.jsonl": commandtest.Holding, "none.jsonl": commandtest.FIFOHeader})
	for _, test := range []struct{ flag, file, want string }{
		{"--timeout=1ns", "good.jsonl", `"undecided":[{"object":0,"reason":"the time limit of 1ns was met while it was read"}]`},
		{"--timeout=1h", "none.jsonl", `"notes":["the history has no operations: nothing was checked"]`},
		{"--certify", "good.jsonl", `"notes":["certificates: of 1 object (2 operations) the order found by the monitor was replayed`},
	} {
		assert.Contains(t, commandtest.Run(t, "check", "--json", test.flag, test.file).Out, test.want)
	}
}

func TestJUnit(t *testing.T) {
	commandtest.InFolder(t, map[string]string{"good.jsonl": commandtest.Holding, "bad.jsonl": commandtest.Broken, "twice.jsonl": commandtest.Violated, "none <&>.jsonl": commandtest.FIFOHeader})
	o := commandtest.Run(t, "check", "--junit", "report.xml", "good.jsonl", "twice.jsonl", "bad.jsonl", "none <&>.jsonl")
	assert.Equal(t, exit.Usage, o.Code)
	text, err := os.ReadFile("report.xml")
	require.NoError(t, err)
	var suite struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Cases    []struct {
			Name    string `xml:"name,attr"`
			Failure *struct {
				Message string `xml:"message,attr"`
			} `xml:"failure"`
			Error *struct {
				Message string `xml:"message,attr"`
			} `xml:"error"`
		} `xml:"testcase"`
	}
	require.NoError(t, xml.Unmarshal(text, &suite))
	assert.Equal(t, 4, suite.Tests)
	assert.Equal(t, 1, suite.Failures)
	assert.Equal(t, 2, suite.Errors, "what is broken or not run must not look like success")
	require.Len(t, suite.Cases, 4)
	assert.Equal(t, "good.jsonl", suite.Cases[0].Name)
	assert.Nil(t, suite.Cases[0].Failure)
	assert.Nil(t, suite.Cases[0].Error)
	require.NotNil(t, suite.Cases[1].Failure)
	assert.Equal(t, commandtest.Explanation, suite.Cases[1].Failure.Message)
	require.NotNil(t, suite.Cases[2].Error)
	assert.Equal(t, `bad.jsonl:2: the field "value" is missing: enq ok needs it`, suite.Cases[2].Error.Message)
	assert.Equal(t, "none <&>.jsonl", suite.Cases[3].Name)
	assert.NotNil(t, suite.Cases[3].Error)
}

func TestQuiet(t *testing.T) {
	commandtest.InFolder(t, map[string]string{"good.jsonl": commandtest.Holding, "twice.jsonl": commandtest.Violated, "bad.jsonl": commandtest.Broken})
	assert.Equal(t, commandtest.Outcome{Code: exit.Holds}, commandtest.Run(t, "check", "--quiet", "good.jsonl"))
	o := commandtest.Run(t, "check", "--quiet", "good.jsonl", "twice.jsonl")
	assert.Equal(t, exit.Violation, o.Code)
	assert.Contains(t, o.Out, commandtest.Explanation)
	assert.NotContains(t, o.Out, "good.jsonl")
	commandtest.Run(t, "check", "--quiet", "bad.jsonl").RequireRefused(t, `bad.jsonl:2: the field "value" is missing: enq ok needs it`)
}

func TestHTML(t *testing.T) {
	commandtest.InFolder(t, map[string]string{"good.jsonl": commandtest.Holding, "twice.jsonl": commandtest.Violated})
	require.Equal(t, exit.Violation, commandtest.Run(t, "check", "--html", "twice.html", "twice.jsonl").Code)
	text, err := os.ReadFile("twice.html")
	require.NoError(t, err)
	assert.Contains(t, string(text), "<!DOCTYPE html>")
	assert.Contains(t, string(text), "17")

	other := strings.ReplaceAll(commandtest.Violated, "17", "29")
	require.NoError(t, os.WriteFile("other.jsonl", []byte(other), 0o644))
	o := commandtest.Run(t, "check", "--html", "all.html", "--svg", "first.svg", "good.jsonl", "twice.jsonl", "other.jsonl")
	assert.Empty(t, o.Err)
	text, err = os.ReadFile("all.html")
	require.NoError(t, err)
	page := pagetest.Parse(t, string(text))
	assert.Equal(t, 3, page.Classes["picture timeline"], "all files are drawn")
	for _, part := range []string{"<h1>Violation (duplicate) on object 3 of twice.jsonl, and 2 more</h1>", "value 29 left twice", "<h2>Linearizable: good.jsonl</h2>"} {
		assert.Contains(t, string(text), part)
	}
	text, err = os.ReadFile("first.svg")
	require.NoError(t, err)
	pagetest.WellFormed(t, string(text))
	assert.Contains(t, string(text), "value 17 left twice")

	o = commandtest.Run(t, "check", "--html", "good.html", "--svg", "good.svg", "good.jsonl")
	require.Equal(t, exit.Holds, o.Code)
	assert.Equal(t, "stealproof: good.svg is not written: there is no violation to draw\n", o.Err)
	_, err = os.Stat("good.svg")
	assert.ErrorIs(t, err, fs.ErrNotExist)
	text, err = os.ReadFile("good.html")
	require.NoError(t, err)
	assert.Contains(t, string(text), "<h1>Linearizable: good.jsonl</h1>")

	require.NoError(t, os.WriteFile("none.jsonl", []byte(commandtest.FIFOHeader), 0o644))
	o = commandtest.Run(t, "check", "--html", "none.html", "none.jsonl")
	assert.Equal(t, "stealproof: none.html is not written: there is nothing to draw\n", o.Err)
}

// Statistics are drawn with the timelines.
func TestStatisticsOnThePage(t *testing.T) {
	commandtest.InFolder(t, map[string]string{"twice.jsonl": commandtest.Violated})
	o := commandtest.Run(t, "check", "--quiet", "--stats", "--html", "twice.html", "twice.jsonl")
	require.Equal(t, exit.Violation, o.Code)
	text, err := os.ReadFile("twice.html")
	require.NoError(t, err)
	pagetest.Parse(t, string(text))
	assert.Contains(t, string(text), "<h2>Statistics of twice.jsonl</h2>")
	assert.Contains(t, string(text), "How long deq ok took")
}

func TestReportsThatCannotBeWritten(t *testing.T) {
	commandtest.InFolder(t, map[string]string{"twice.jsonl": commandtest.Violated})
	_, err := os.Stat("/dev/full")
	hasFull := err == nil
	for _, flag := range []string{"--html", "--svg", "--porcupine-html", "--junit"} {
		o := commandtest.Run(t, "check", flag, "no/such/report", "twice.jsonl")
		o.RequireRefused(t, "no/such/report: no such file or directory")
		assert.Empty(t, o.Out, "that is known before anything is decided")
		if !hasFull {
			continue // there is no disk that is always full
		}
		o = commandtest.Run(t, "check", flag, "/dev/full", "twice.jsonl")
		assert.Equal(t, exit.Usage, o.Code)
		assert.Contains(t, o.Out, commandtest.Explanation, "the verdict is on the screen nevertheless")
		assert.Equal(t, "stealproof: /dev/full: no space left on device\n", o.Err)
	}
}

// What nobody would read is not printed, but counted.
func TestManyViolations(t *testing.T) {
	var text strings.Builder
	text.WriteString(commandtest.FIFOHeader)
	for object := range 2000 {
		fmt.Fprintf(&text, `{"object":%d,"process":0,"op":"deq","result":"ok","value":17,"call":125,"return":160}`+"\n", object)
	}
	commandtest.InFolder(t, map[string]string{"many.jsonl": text.String()})
	for args, want := range map[string]int{"": 1000, "--max-violations 3": 3, "--max-violations 0": 2000, "--max-violations 2000": 2000} {
		args := append(strings.Fields("check --github --junit report.xml "+args), "many.jsonl")
		o := commandtest.Run(t, args...)
		assert.Equal(t, exit.Violation, o.Code)
		assert.Equal(t, want, strings.Count(o.Out, "many.jsonl: violation (invented) on object "))
		assert.Equal(t, want, strings.Count(o.Out, "::error "))
		report, err := os.ReadFile("report.xml")
		require.NoError(t, err)
		assert.Equal(t, want, strings.Count(string(report), "&#xA;object ")+1)
		o = commandtest.Run(t, append(args, "--json")...)
		assert.Equal(t, want, strings.Count(o.Out, `"explanation":`))
		assert.Equal(t, want, strings.Count(o.Out, `"message":`))
		assert.Equal(t, want < 2000, strings.Contains(o.Out, fmt.Sprintf("2000 violations were found, of which %d are reported", want)))
	}
	commandtest.Run(t, "check", "--max-violations", "-1", "many.jsonl").RequireRefused(t, "--max-violations -1: expected at least 1, or 0 for all")
}
