package report

import _ "embed"

// SchemaText is the form as JSON Schema, for whoever reads it by machine.
//
//go:embed report.schema.json
var SchemaText string
