package mcpsf

// Coverage says what was examined and what was not. A report without findings
// means no more than its coverage.
type Coverage struct {
	Phases   []Phase         `json:"phases"`
	Monitors []MonitorStatus `json:"monitors"`
	Events   EventTotals     `json:"events"`
	Limits   []LimitStatus   `json:"limits"`
	Calls    CallTotals      `json:"calls"`
	// Tools says of each listed tool how far it was tried, in the order of the list.
	Tools []ToolCoverage `json:"tools,omitempty"`
	// Restarts is how often the server was started again, because a call had taken it
	// down before everything was called.
	Restarts int `json:"restarts,omitempty"`
	// Attacks counts the attack calls, nil if the run had none.
	Attacks *AttackTotals `json:"attacks,omitempty"`
	// Code says how much of the server's own code ran, nil if that was not
	// recorded.
	Code *CodeCoverage `json:"code,omitempty"`
	// Texts is how many texts of the server were searched for instructions to a
	// model.
	Texts   int           `json:"texts"`
	Sandbox SandboxStatus `json:"sandbox"`
	// Remote is set if the server ran elsewhere: only its answers and its HTTP
	// interface were examined.
	Remote bool `json:"remote,omitempty"`
	// Static is set if nothing was run: only the package was read.
	Static bool `json:"static,omitempty"`
	// Gaps lists what this run could not see.
	Gaps []Gap `json:"gaps"`
}

// MonitorStatus says whether a monitor ran from start to end.
type MonitorStatus struct {
	Name  string `json:"name"`
	Alive bool   `json:"alive"`
	Note  string `json:"note,omitempty"`
}

// EventTotals compares what the kernel produced with what arrived.
type EventTotals struct {
	Produced int64 `json:"produced"`
	Received int64 `json:"received"`
	Lost     int64 `json:"lost"`
	// Complete is false if the sandbox died in the middle of a record.
	Complete bool `json:"complete"`
}

// Limit names.
const (
	LimitMemory = "memory"
	LimitCPU    = "cpu"
	LimitPIDs   = "pids"
	LimitFiles  = "open files"
	LimitDisk   = "disk"
	LimitOutput = "output"
	LimitWall   = "wall time"
)

// LimitStatus says how a limit was held and whether it was reached.
type LimitStatus struct {
	Name  string `json:"name"`
	Limit int64  `json:"limit"`
	Unit  string `json:"unit"`
	// HeldBy: "cgroup", "kernel", "rlimit", "watchdog", "driver"; several
	// joined by "+".
	HeldBy string `json:"held_by"`
	Hit    bool   `json:"hit,omitempty"`
}

// CallTotals counts what was listed and called.
type CallTotals struct {
	Tools     int `json:"tools"`
	Reached   int `json:"reached"`
	Resources int `json:"resources"`
	Prompts   int `json:"prompts"`
	OK        int `json:"ok"`
	Refused   int `json:"refused"`
	Timeout   int `json:"timeout"`
	Crashed   int `json:"crashed"`
}

// ToolCoverage says how far a tool was tried. A tool that never worked showed
// nothing but its first check.
type ToolCoverage struct {
	Name string `json:"name"`
	// Called is how often it was called as a client would, Worked how many of these
	// calls succeeded.
	Called int `json:"called"`
	Worked int `json:"worked"`
	// Doubtful is how many of those that worked gave only a short text that may be a
	// refusal.
	Doubtful int `json:"doubtful,omitempty"`
	// Attacked is how often it was attacked, Answered how many of these calls were
	// not refused.
	Attacked int `json:"attacked"`
	Answered int `json:"answered"`
	// Reason is why its last call failed, if none succeeded, or what is in doubt of
	// those that worked. Help is what may make it work.
	Reason string `json:"reason,omitempty"`
	Help   string `json:"help,omitempty"`
}

// AttackTotals counts the attack calls.
type AttackTotals struct {
	Planned int `json:"planned"`
	Made    int `json:"made"`
}

// CodeCoverage says how much of the server's own code ran in the start in which
// that was recorded.
type CodeCoverage struct {
	// Functions is how many functions its loaded files have, Ran how many of them
	// ran.
	Functions int `json:"functions"`
	Ran       int `json:"ran"`
	// NotRun is how many places use the network, files or programs, or make code,
	// and did not run; PlacesNotRun are the first of them.
	NotRun       int           `json:"not_run"`
	PlacesNotRun []PlaceNotRun `json:"places_not_run,omitempty"`
}

// PlaceNotRun is a place in the server's own code that did not run.
type PlaceNotRun struct {
	Path string `json:"path"`
	Line int    `json:"line"`
	// What is what it would call: "urllib.request.urlopen".
	What string `json:"what"`
}

// SandboxStatus describes the box the server ran in.
type SandboxStatus struct {
	Engine   string `json:"engine"`
	Platform string `json:"platform"`
	// User is the host user the sandbox ran as: "root" or "ordinary".
	User    string `json:"user"`
	Network string `json:"network"`
	Cgroup  string `json:"cgroup"`
}
