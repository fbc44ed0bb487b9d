package mcpsf

// Severity of a finding.
type Severity string

// The severities.
const (
	SeverityInfo     Severity = "info"
	SeverityLow      Severity = "low"
	SeverityMedium   Severity = "medium"
	SeverityHigh     Severity = "high"
	SeverityCritical Severity = "critical"
)

// Grade says how sure the evidence makes us.
type Grade string

// The grades. Proved: it happened. Attempted: it was tried and something
// stopped it. Suspected: signs only.
const (
	GradeProved    Grade = "proved"
	GradeAttempted Grade = "attempted"
	GradeSuspected Grade = "suspected"
)

// Category says which of the two questions about a server a finding answers.
type Category string

// The categories. Behaviour: the server attacks its user. Weakness: the server
// can be attacked.
const (
	CategoryBehaviour Category = "behaviour"
	CategoryWeakness  Category = "weakness"
)

// Maps holds the ids a finding has in public taxonomies.
type Maps struct {
	OWASPMCP []string `json:"owasp_mcp,omitempty" yaml:"owasp_mcp"`
	CWE      []string `json:"cwe,omitempty"       yaml:"cwe"`
	ATTACK   []string `json:"attack,omitempty"    yaml:"attack"`
	ATLAS    []string `json:"atlas,omitempty"     yaml:"atlas"`
	SAFEMCP  []string `json:"safe_mcp,omitempty"  yaml:"safe_mcp"`
}

// Finding is one thing a rule proved, with the events that prove it.
type Finding struct {
	// ID is the rule's id.
	ID    string `json:"id"`
	Title string `json:"title"`
	// Category is the question that the finding answers.
	Category Category `json:"category"`
	Severity Severity `json:"severity"`
	Grade    Grade    `json:"grade"`
	// Weight is what the finding adds to the score.
	Weight  int    `json:"weight"`
	Message string `json:"message"`
	// Evidence are event numbers, ascending, at most a few; Occurrences is
	// how often it was seen in all.
	Evidence    []int64 `json:"evidence"`
	Occurrences int     `json:"occurrences"`
	Phase       Phase   `json:"phase"`
	// Call and Tool name the request that caused the first occurrence.
	Call string `json:"call,omitempty"`
	Tool string `json:"tool,omitempty"`
	// File is the file of the package that the finding is about, where it rests
	// on static inspection and not on events; Line is that in it, 0 for the
	// file as a whole.
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	// Package is the purl of the dependency that it is about, "" if it is about
	// the server itself or about several; Advisories are the ids of published
	// records, at most a few.
	Package    string   `json:"package,omitempty"`
	Advisories []string `json:"advisories,omitempty"`
	// Explanation is what was considered in favour of the server, where the
	// finding is about an access.
	Explanation *Explanation `json:"explanation,omitempty"`
	// Opinion is what a model says of it, if one was asked.
	Opinion *Opinion `json:"opinion,omitempty"`
	// Reproduce is the shortest way to see it again.
	Reproduce   string `json:"reproduce,omitempty"`
	Remediation string `json:"remediation"`
	Maps        Maps   `json:"maps"`
	// Fingerprint is stable between runs of the same artifact.
	Fingerprint string `json:"fingerprint"`
}
