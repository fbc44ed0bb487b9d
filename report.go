package mcpsf

import "time"

// SchemaVersion of [Report]. It changes when a field changes its meaning or is
// removed, not when one is added.
const SchemaVersion = "3"

// Report is the whole run: the public contract, written as report.json.
type Report struct {
	SchemaVersion string   `json:"schema_version"`
	Tool          ToolInfo `json:"tool"`
	Run           Run      `json:"run"`
	Target        Target   `json:"target"`
	Artifact      Artifact `json:"artifact"`
	// Installation is what was done before the start, nil if nothing was.
	Installation *Installation `json:"installation,omitempty"`
	Verdict      Verdict       `json:"verdict"`
	// Summary is the verdict in one or two sentences.
	Summary  string    `json:"summary"`
	Findings []Finding `json:"findings"`
	// Waived are findings that the user decided not to count; the verdict is
	// without them.
	Waived []Waived `json:"waived,omitempty"`
	// SecondOpinion is a model's, nil if none was asked.
	SecondOpinion   *SecondOpinion `json:"second_opinion,omitempty"`
	Recommendations []string       `json:"recommendations"`
	// Accesses are what the server was seen to use, by tool, each with the
	// reason it was or was not let pass.
	Accesses []Access `json:"accesses"`
	Coverage Coverage `json:"coverage"`
	Session  Session  `json:"session"`
	Declared Declared `json:"declared"`
	Facts    []Fact   `json:"facts,omitempty"`
	// Agents are those that used the server, and what came of it.
	Agents []AgentRun `json:"agents,omitempty"`
	// Payloads are those that a model proposed, nil if none was asked.
	Payloads *PayloadRun `json:"payloads,omitempty"`
	// Inspection is what was read before anything ran, nil if nothing was.
	Inspection *Inspection `json:"inspection,omitempty"`
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
	// Files are what was recorded during the run.
	Files []RunFile `json:"files,omitempty"`
}

// RunFile is a file that was written during a run: events.jsonl, traffic.pcapng,
// conversations.jsonl.
type RunFile struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// Installation tells how the server was installed inside the sandbox.
type Installation struct {
	Manager Manager `json:"manager"`
	// Command is what was run.
	Command []string `json:"command"`
	// Runtime is the interpreter that was used: "node 20.11.0, this machine".
	Runtime string `json:"runtime"`
	// Cached is set when it was done in an earlier run. Its events are those
	// of that run.
	Cached  bool    `json:"cached"`
	Seconds float64 `json:"seconds"`
	// Packages are the files that were downloaded, with their digests.
	Packages []string `json:"packages,omitempty"`
	// Before is the day up to which the registries were believed, because the
	// server does not start with what its dependencies have become since;
	// zero for all they have.
	Before time.Time `json:"before,omitzero"`
	// Lock is the author's lock file whose versions were installed, "" if none
	// were. Unlocked says why a lock file that is there was not obeyed.
	Lock     string `json:"lock,omitempty"`
	Unlocked string `json:"unlocked,omitempty"`
	// Notes say what did not go as it should, but was not needed either.
	Notes []string `json:"notes,omitempty"`
	// Failed says why there is nothing to start, in the manager's own words.
	Failed string `json:"failed,omitempty"`
	// Code is how the manager exited.
	Code int `json:"code"`
	// Output is the end of what it printed.
	Output string `json:"output,omitempty"`
}
