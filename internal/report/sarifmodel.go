package report

// The parts of SARIF 2.1.0 that are written, under the names they have there.

const (
	sarifVersion = "2.1.0"
	sarifSchema  = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool              sarifTool         `json:"tool"`
	AutomationDetails sarifAutomation   `json:"automationDetails"`
	Invocations       []sarifInvocation `json:"invocations"`
	Artifacts         []sarifArtifact   `json:"artifacts"`
	Results           []sarifResult     `json:"results"`
	Properties        sarifRunFacts     `json:"properties"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name           string      `json:"name"`
	Version        string      `json:"version,omitempty"`
	InformationURI string      `json:"informationUri"`
	Rules          []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID                   string         `json:"id"`
	Name                 string         `json:"name,omitempty"`
	ShortDescription     sarifText      `json:"shortDescription"`
	FullDescription      sarifText      `json:"fullDescription"`
	Help                 sarifText      `json:"help"`
	DefaultConfiguration sarifLevel     `json:"defaultConfiguration"`
	Properties           sarifRuleFacts `json:"properties"`
}

type sarifLevel struct {
	Level string `json:"level"`
}

// sarifRuleFacts are the properties of a rule that GitHub looks at.
type sarifRuleFacts struct {
	Tags             []string `json:"tags"`
	Precision        string   `json:"precision"`
	SecuritySeverity string   `json:"security-severity,omitempty"`
}

type sarifText struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

type sarifAutomation struct {
	ID string `json:"id"`
}

type sarifInvocation struct {
	ExecutionSuccessful bool                `json:"executionSuccessful"`
	StartTimeUTC        string              `json:"startTimeUtc,omitempty"`
	EndTimeUTC          string              `json:"endTimeUtc,omitempty"`
	Notifications       []sarifNotification `json:"toolExecutionNotifications,omitempty"`
}

type sarifNotification struct {
	Level   string    `json:"level"`
	Message sarifText `json:"message"`
}

type sarifArtifact struct {
	Location    sarifURI          `json:"location"`
	ParentIndex *int              `json:"parentIndex,omitempty"`
	Length      int64             `json:"length,omitempty"`
	Roles       []string          `json:"roles,omitempty"`
	Hashes      map[string]string `json:"hashes,omitempty"`
}

type sarifURI struct {
	URI   string `json:"uri"`
	Index *int   `json:"index,omitempty"`
}

type sarifResult struct {
	RuleID              string             `json:"ruleId"`
	RuleIndex           int                `json:"ruleIndex"`
	Level               string             `json:"level"`
	Message             sarifText          `json:"message"`
	Locations           []sarifLocation    `json:"locations"`
	PartialFingerprints map[string]string  `json:"partialFingerprints,omitempty"`
	OccurrenceCount     int                `json:"occurrenceCount,omitempty"`
	Suppressions        []sarifSuppression `json:"suppressions,omitzero"`
	Properties          sarifResultFacts   `json:"properties"`
}

type sarifLocation struct {
	Physical sarifPhysical  `json:"physicalLocation"`
	Logical  []sarifLogical `json:"logicalLocations,omitempty"`
}

type sarifPhysical struct {
	ArtifactLocation sarifURI     `json:"artifactLocation"`
	Region           *sarifRegion `json:"region,omitempty"`
}

type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn,omitempty"`
	EndLine     int `json:"endLine,omitempty"`
	EndColumn   int `json:"endColumn,omitempty"`
}

type sarifLogical struct {
	Name               string `json:"name"`
	FullyQualifiedName string `json:"fullyQualifiedName"`
	Kind               string `json:"kind"`
}

type sarifSuppression struct {
	Kind          string           `json:"kind"`
	Status        string           `json:"status"`
	Justification string           `json:"justification,omitempty"`
	Properties    sarifWaiverFacts `json:"properties"`
}

type sarifWaiverFacts struct {
	File  string `json:"file,omitempty"`
	Until string `json:"until,omitempty"`
}

// sarifResultFacts is what a finding has beyond what SARIF has a place for.
type sarifResultFacts struct {
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
	// PURL is the package that it is about, Advisories what is published of it.
	PURL       string          `json:"purl,omitempty"`
	Advisories []sarifAdvisory `json:"advisories,omitempty"`
}

type sarifRunFacts struct {
	Verdict  string `json:"verdict"`
	Score    int    `json:"score"`
	Action   string `json:"action,omitempty"`
	Summary  string `json:"summary,omitempty"`
	Seed     string `json:"seed"` // JavaScript has no such numbers
	RunID    string `json:"runId,omitempty"`
	Coverage string `json:"coverage"`
}
