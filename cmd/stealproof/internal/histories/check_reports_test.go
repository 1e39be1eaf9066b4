package histories_test

import (
	"encoding/json"
	"encoding/xml"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/cmd/stealproof/internal/commandtest"
	"stealproof/cmd/stealproof/internal/exit"
)

func TestJSONIsTheObjectOfTheContract(t *testing.T) {
	commandtest.InFolder(t, map[string]string{"good.jsonl": commandtest.Holding, "twice.jsonl": commandtest.Violated})
	elapsed := regexp.MustCompile(`"elapsed_ms":[0-9]+`)

	o := commandtest.Run(t, "check", "--json", "twice.jsonl")
	assert.Equal(t, exit.Violation, o.Code)
	assert.Empty(t, o.Err)
	assert.Equal(t, `{"verdict":"violation","operations":3,"objects":1,"checker":"direct","elapsed_ms":N,`+
		`"violations":[{"file":"twice.jsonl","object":3,"kind":"duplicate","explanation":"`+commandtest.Explanation+`","operations":[2,3,4]}],"file":"twice.jsonl"}`+"\n",
		elapsed.ReplaceAllString(o.Out, `"elapsed_ms":N`))

	o = commandtest.Run(t, "check", "--json", "good.jsonl")
	assert.Equal(t, exit.Holds, o.Code)
	assert.Equal(t, `{"verdict":"linearizable","operations":2,"objects":1,"checker":"monitor","elapsed_ms":N,"violations":[],"file":"good.jsonl"}`+"\n",
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
	commandtest.Run(t, "check", "--html", "first.html", "good.jsonl", "twice.jsonl", "other.jsonl")
	text, err = os.ReadFile("first.html")
	require.NoError(t, err)
	assert.Contains(t, string(text), "twice.jsonl", "the first of all files is drawn")
	assert.NotContains(t, string(text), "value 29")

	o := commandtest.Run(t, "check", "--html", "good.html", "good.jsonl")
	require.Equal(t, exit.Holds, o.Code)
	assert.Equal(t, "stealproof: good.html is not written: there is no violation to draw\n", o.Err)
	_, err = os.Stat("good.html")
	assert.ErrorIs(t, err, fs.ErrNotExist, "without a violation there is nothing to draw")
}

func TestReportsThatCannotBeWritten(t *testing.T) {
	commandtest.InFolder(t, map[string]string{"twice.jsonl": commandtest.Violated})
	for _, flag := range []string{"--html", "--junit"} {
		o := commandtest.Run(t, "check", flag, "no/such/report", "twice.jsonl")
		assert.Equal(t, exit.Usage, o.Code)
		assert.Contains(t, o.Out, commandtest.Explanation, "the verdict is on the screen nevertheless")
		assert.Contains(t, o.Err, "no/such/report: no such file or directory\n")
		assert.Equal(t, 1, strings.Count(o.Err, "\n"))
	}
}
