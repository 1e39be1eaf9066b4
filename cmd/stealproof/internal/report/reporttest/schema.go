// Package reporttest holds what commands print for machines against the schema.
package reporttest

import (
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"stealproof/cmd/stealproof/internal/report"
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
