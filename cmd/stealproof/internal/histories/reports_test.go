package histories_test

import (
	"encoding/json"
	"encoding/xml"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// xmlNode is any element.
type xmlNode struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Children []xmlNode  `xml:",any"`
}

func (n xmlNode) attributes() map[string]string {
	all := map[string]string{}
	for _, a := range n.Attrs {
		all[a.Name.Local] = a.Value
	}
	return all
}

// TestJUnitFollowsTheSchema holds a report with every outcome against the
// rules of the schema that Jenkins published and others took over: which
// elements and attributes there are, and what the counts mean.
func TestJUnitFollowsTheSchema(t *testing.T) {
	dir := t.TempDir()
	good := fileWith(t, "good & <odd>.jsonl", strings.Split(stolenTwice, "\n")[0])
	holds := fileWith(t, "holds.jsonl", strings.Join(strings.Split(stolenTwice, "\n")[:3], "\n"))
	report := filepath.Join(dir, "junit.xml")
	code, _, _ := runIn("", "check", "--junit", report, holds, fileWith(t, "v.jsonl", stolenTwice), good, fileWith(t, "broken.jsonl", "\x01"))
	require.Equal(t, 2, code)
	text, err := os.ReadFile(report)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(text), "<?xml "))
	var suite xmlNode
	require.NoError(t, xml.Unmarshal(text, &suite))

	allowed := map[string][]string{
		"testsuite": {"name", "tests", "failures", "errors", "skipped", "time"},
		"testcase":  {"name", "classname", "time"},
		"failure":   {"message", "type"},
		"error":     {"message", "type"},
	}
	inside := map[string]string{"testcase": "testsuite", "failure": "testcase", "error": "testcase"}
	counts := map[string]int{}
	var visit func(n xmlNode, parent string)
	visit = func(n xmlNode, parent string) {
		name := n.XMLName.Local
		counts[name]++
		require.Contains(t, allowed, name)
		require.Equal(t, inside[name], parent)
		given := n.attributes()
		for _, want := range allowed[name] {
			require.NotEmpty(t, given[want], "%s of %s", want, name)
		}
		require.Len(t, given, len(allowed[name]))
		if seconds, has := given["time"]; has {
			_, err := strconv.ParseFloat(seconds, 64)
			require.NoError(t, err)
		}
		require.LessOrEqual(t, len(n.Children), map[string]int{"testsuite": 1000, "testcase": 1}[name])
		for _, c := range n.Children {
			visit(c, name)
		}
	}
	visit(suite, "")
	for attribute, element := range map[string]string{"tests": "testcase", "failures": "failure", "errors": "error"} {
		require.Equal(t, strconv.Itoa(counts[element]), suite.attributes()[attribute])
	}
	require.Equal(t, map[string]int{"testsuite": 1, "testcase": 4, "failure": 1, "error": 2}, counts)
}

// TestJUnitIsReadByAConsumer hands a report to a library that CI tools use.
func TestJUnitIsReadByAConsumer(t *testing.T) {
	python := ""
	for _, candidate := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(candidate, "-c", "import junitparser").Run() == nil {
			python = candidate
		}
	}
	if python == "" {
		t.Skip("junitparser is not installed: TestJUnitFollowsTheSchema looks at the structure")
	}
	report := filepath.Join(t.TempDir(), "junit.xml")
	runIn("", "check", "--junit", report, fileWith(t, "v.jsonl", stolenTwice))
	out, err := exec.Command(python, "-c", `
import junitparser, sys
suite = junitparser.JUnitXml.fromfile(sys.argv[1])
print(suite.tests, suite.failures, suite.errors, [r.type for case in suite for r in case.result])
`, report).CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, "1 1 0 ['duplicate']\n", string(out))
}

// workflowCommand is how GitHub's runner takes such a line apart.
var workflowCommand = regexp.MustCompile(`^::(error|warning) ((?:[a-z]+=[^,:]*)(?:,[a-z]+=[^,:]*)*)::(.+)$`)

func TestGitHubAnnotations(t *testing.T) {
	violation := fileWith(t, "a,b:100%.jsonl", stolenTwice)
	broken := fileWith(t, "broken.jsonl", stolenTwice+"{}\n")
	code, out, _ := runIn("", "check", "--github", violation, broken)
	require.Equal(t, 2, code)
	var got [][]string
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, "::") {
			m := workflowCommand.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
			require.NotNil(t, m, line)
			got = append(got, m)
		}
	}
	require.Len(t, got, 2)
	require.Contains(t, got[0][2], "a%2Cb%3A100%25.jsonl,line=2,title=violation (duplicate) on object 0")
	require.Contains(t, got[0][3], "value 17 left twice")
	require.Contains(t, got[1][2], "line=5")

	code, out, errs := runIn("", "check", "--github", "--json", violation)
	require.Equal(t, 1, code)
	require.True(t, json.Valid([]byte(out)))
	require.Contains(t, errs, "::error file=")
}

func TestCheckWithStatisticsAndPictures(t *testing.T) {
	file, dir := fileWith(t, "a.jsonl", stolenTwice), t.TempDir()
	own, other := filepath.Join(dir, "a.html"), filepath.Join(dir, "b.html")
	code, out, errs := runIn("", "check", "--stats", "--html", own, "--porcupine-html", other, file)
	require.Equal(t, 1, code, errs)
	require.Contains(t, out, "steal ok                    2   66.7%  █")
	text, err := os.ReadFile(own)
	require.NoError(t, err)
	require.Contains(t, string(text), "<svg")
	require.FileExists(t, other)

	_, out, _ = runIn("", "check", "--stats", "--json", file)
	var report struct {
		Verdict    string
		Statistics struct {
			Operations     int
			MaxConcurrency int `json:"max_concurrency"`
		}
	}
	require.NoError(t, json.Unmarshal([]byte(out), &report))
	require.Equal(t, "violation", report.Verdict)
	require.Equal(t, 3, report.Statistics.Operations)
	require.Equal(t, 2, report.Statistics.MaxConcurrency)
}
