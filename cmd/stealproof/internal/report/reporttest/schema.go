// Package reporttest holds what commands print for machines against the schema.
package reporttest

import (
	"io"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"stealproof/cmd/stealproof/internal/exit"
	"stealproof/cmd/stealproof/internal/report"
	"stealproof/model"
)

// Require asks that each line is a report, and returns them. A field that the schema
// does not name is an error here, though readers are to pass over it.
func Require(t testing.TB, lines string) (all []map[string]any) {
	t.Helper()
	schema := compiled(t)
	for line := range strings.Lines(lines) {
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
		require.NoError(t, err, line)
		require.NoError(t, schema.Validate(value), line)
		all = append(all, value.(map[string]any))
	}
	return all
}

// Printed is what a command prints for machines that has filled this report and answered
// so; it keeps to the schema.
func Printed(t testing.TB, r *report.Report, command string, verdict model.Verdict) map[string]any {
	t.Helper()
	fl := pflag.NewFlagSet("", pflag.ContinueOnError)
	r.Flags(fl)
	require.NoError(t, fl.Parse([]string{"--json"}))
	r.Begin("test", strings.Fields(command))
	r.Command = command
	r.End(verdict, exit.CodeOf(verdict), nil)
	var out strings.Builder
	require.NoError(t, r.Write(&out, io.Discard))
	all := Require(t, out.String())
	require.Len(t, all, 1)
	return all[0]
}

func compiled(t testing.TB) *jsonschema.Schema {
	t.Helper()
	text, err := jsonschema.UnmarshalJSON(strings.NewReader(report.SchemaText))
	require.NoError(t, err)
	strict(text)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource("report.json", text))
	schema, err := c.Compile("report.json")
	require.NoError(t, err)
	return schema
}

// strict allows no properties but those that are named.
func strict(node any) {
	switch node := node.(type) {
	case map[string]any:
		if _, object := node["properties"].(map[string]any); object && node["type"] == "object" && node["additionalProperties"] == nil {
			node["additionalProperties"] = false
		}
		for _, below := range node {
			strict(below)
		}
	case []any:
		for _, below := range node {
			strict(below)
		}
	}
}
