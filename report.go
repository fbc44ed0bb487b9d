package mcpsf

import "time"

// SchemaVersion of [Report]. It changes when a field changes its meaning or
// goes away, not when one is added.
const SchemaVersion = "1"

// Report is the whole run: the public contract, written as report.json.
type Report struct {
	SchemaVersion string   `json:"schema_version"`
	Tool          ToolInfo `json:"tool"`
	Run           Run      `json:"run"`
	Target        Target   `json:"target"`
	Artifact      Artifact `json:"artifact"`
	Verdict       Verdict  `json:"verdict"`
	// Summary is the verdict in one or two sentences.
	Summary         string    `json:"summary"`
	Findings        []Finding `json:"findings"`
	Recommendations []string  `json:"recommendations"`
	Coverage        Coverage  `json:"coverage"`
	Session         Session   `json:"session"`
}

// ToolInfo says which mcpsf wrote the report.
type ToolInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Run identifies one assessment and lets it be repeated.
type Run struct {
	ID       string    `json:"id"`
	Seed     uint64    `json:"seed"`
	Started  time.Time `json:"started"`
	Duration float64   `json:"duration_s"`
}
