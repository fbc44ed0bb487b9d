package sarif

// The parts of SARIF 2.1.0 that are written, with their names there.

const (
	version = "2.1.0"
	schema  = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)

// Log is the SARIF object sarifLog.
type Log struct {
	Schema  string `json:"$schema"`
	Version string `json:"version"`
	Runs    []Run  `json:"runs"`
}

// Run is the SARIF object run.
type Run struct {
	Tool              Tool         `json:"tool"`
	AutomationDetails automation   `json:"automationDetails"`
	Invocations       []invocation `json:"invocations"`
	Artifacts         []artifact   `json:"artifacts"`
	Results           []Result     `json:"results"`
	Properties        runFacts     `json:"properties"`
}

// Tool is the SARIF object tool.
type Tool struct {
	Driver driver `json:"driver"`
}

type driver struct {
	Name           string `json:"name"`
	Version        string `json:"version,omitempty"`
	InformationURI string `json:"informationUri"`
	Rules          []Rule `json:"rules"`
}

// Rule is the SARIF object reportingDescriptor.
type Rule struct {
	ID                   string    `json:"id"`
	Name                 string    `json:"name,omitempty"`
	ShortDescription     Text      `json:"shortDescription"`
	FullDescription      Text      `json:"fullDescription"`
	Help                 Text      `json:"help"`
	DefaultConfiguration Level     `json:"defaultConfiguration"`
	Properties           ruleFacts `json:"properties"`
}

// Level is the SARIF object reportingConfiguration.
type Level struct {
	Level string `json:"level"`
}

// ruleFacts are the properties of a rule that GitHub uses.
type ruleFacts struct {
	Tags             []string `json:"tags"`
	Precision        string   `json:"precision"`
	SecuritySeverity string   `json:"security-severity,omitempty"`
}

// Text is the SARIF object message or multiformatMessageString.
type Text struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

type automation struct {
	ID string `json:"id"`
}

type invocation struct {
	ExecutionSuccessful bool           `json:"executionSuccessful"`
	StartTimeUTC        string         `json:"startTimeUtc,omitempty"`
	EndTimeUTC          string         `json:"endTimeUtc,omitempty"`
	Notifications       []notification `json:"toolExecutionNotifications,omitempty"`
}

type notification struct {
	Level   string `json:"level"`
	Message Text   `json:"message"`
}

type artifact struct {
	Location    URI               `json:"location"`
	ParentIndex *int              `json:"parentIndex,omitempty"`
	Length      int64             `json:"length,omitempty"`
	Roles       []string          `json:"roles,omitempty"`
	Hashes      map[string]string `json:"hashes,omitempty"`
}

// URI is the SARIF object artifactLocation.
type URI struct {
	URI   string `json:"uri"`
	Index *int   `json:"index,omitempty"`
}

// Result is the SARIF object result.
type Result struct {
	RuleID              string            `json:"ruleId"`
	RuleIndex           int               `json:"ruleIndex"`
	Level               string            `json:"level"`
	Message             Text              `json:"message"`
	Locations           []Location        `json:"locations"`
	PartialFingerprints map[string]string `json:"partialFingerprints,omitempty"`
	OccurrenceCount     int               `json:"occurrenceCount,omitempty"`
	Suppressions        []suppression     `json:"suppressions,omitzero"`
	Properties          resultFacts       `json:"properties"`
}

// Location is the SARIF object location.
type Location struct {
	Physical physical  `json:"physicalLocation"`
	Logical  []logical `json:"logicalLocations,omitempty"`
}

type physical struct {
	ArtifactLocation URI     `json:"artifactLocation"`
	Region           *region `json:"region,omitempty"`
}

type region struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn,omitempty"`
	EndLine     int `json:"endLine,omitempty"`
	EndColumn   int `json:"endColumn,omitempty"`
}

type logical struct {
	Name               string `json:"name"`
	FullyQualifiedName string `json:"fullyQualifiedName"`
	Kind               string `json:"kind"`
}

type suppression struct {
	Kind          string      `json:"kind"`
	Status        string      `json:"status"`
	Justification string      `json:"justification,omitempty"`
	Properties    waiverFacts `json:"properties"`
}

type waiverFacts struct {
	File  string `json:"file,omitempty"`
	Until string `json:"until,omitempty"`
}

// resultFacts are the fields of a finding that SARIF does not have.
type resultFacts struct {
	Category    string  `json:"category,omitempty"`
	Severity    string  `json:"severity"`
	Grade       string  `json:"grade"`
	Weight      int     `json:"weight"`
	Phase       string  `json:"phase,omitempty"`
	Call        string  `json:"call,omitempty"`
	Tool        string  `json:"tool,omitempty"`
	Evidence    []int64 `json:"evidence"`
	Explanation string  `json:"explanation,omitempty"`
	Opinion     string  `json:"opinion,omitempty"`
	Reproduce   string  `json:"reproduce,omitempty"`
	Remediation string  `json:"remediation,omitempty"`
	// PURL is the package of the finding; Advisories are those about it.
	PURL       string     `json:"purl,omitempty"`
	Advisories []advisory `json:"advisories,omitempty"`
}

type runFacts struct {
	Verdict string `json:"verdict"`
	Score   int    `json:"score"`
	// Behaviour and Weakness answer the two questions, Limited says that the
	// confidence is not high.
	Behaviour  answerFacts `json:"behaviour"`
	Weakness   answerFacts `json:"weakness"`
	Decides    string      `json:"decides,omitempty"`
	Confidence string      `json:"confidence,omitempty"`
	Limited    bool        `json:"limited"`
	Action     string      `json:"action,omitempty"`
	Summary    string      `json:"summary,omitempty"`
	Seed       string      `json:"seed"` // too large for a JavaScript number
	RunID      string      `json:"runId,omitempty"`
	Coverage   string      `json:"coverage"`
}

type answerFacts struct {
	Band  string `json:"band,omitempty"`
	Score int    `json:"score"`
}
