// Package schema holds the JSON Schema of what mcpsf writes: report.json and
// the lines of events.jsonl. The files are generated from the types of the
// root package, with their comments as descriptions; go test fails when they
// differ from the types, and go test ./schema -update writes them anew.
package schema

import _ "embed"

// Report is the JSON Schema (2020-12) of report.json.
//
//go:embed report.schema.json
var Report string

// Event is the JSON Schema (2020-12) of one line of events.jsonl.
//
//go:embed event.schema.json
var Event string
