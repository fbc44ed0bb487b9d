package osv

import (
	"strings"
	"time"
	"unicode/utf8"
)

// Record holds the stored fields of an advisory.
type Record struct {
	ID      string
	Aliases []string
	Summary string
	// Published and Modified are zero if missing.
	Published, Modified time.Time
	// Withdrawn records were retracted by their publisher.
	Withdrawn bool
	// Severity are the record's vectors, Rating is its database's word. Those
	// of the affected package take precedence.
	Severity []Severity
	Rating   string
	Affected []Affected
}

// Affected is a record's entry about one package.
type Affected struct {
	// Ecosystem is as published, with the release: "Debian:12".
	Ecosystem string
	Name      string
	Versions  []string
	Ranges    []Range
	Severity  []Severity
	Rating    string
}

// Severity is a vector or a word, and the system it belongs to: "CVSS_V3".
type Severity struct{ Type, Score string }

// Range is a list of events at which versions become affected or unaffected.
// Ranges over commits are left out.
type Range struct{ Events []Event }

// Event is a point in the order of versions.
type Event struct {
	Kind    EventKind
	Version string
}

// EventKind is what happens at a version.
type EventKind uint8

// The kinds of events.
const (
	Introduced EventKind = iota + 1
	Fixed
	LastAffected
	Limit
)

// Malicious reports whether the package itself is malware: the record, or an
// alias of it, belongs to the list of malicious packages.
func (r *Record) Malicious() bool {
	if strings.HasPrefix(r.ID, "MAL-") {
		return true
	}
	for _, a := range r.Aliases {
		if strings.HasPrefix(a, "MAL-") {
			return true
		}
	}
	return false
}

// maxSummary bounds a stored summary, in bytes.
// gap: advisories
const maxSummary = 300

// firstLine returns the beginning of a text for one line.
func firstLine(s string) string {
	for line := range strings.Lines(s) {
		// Markdown headings and rules are no summary.
		line = strings.Trim(line, "#-_=* \t\r\n")
		if line != "" {
			return cut(strings.Join(strings.Fields(line), " "))
		}
	}
	return ""
}

// cut shortens a text between characters.
func cut(s string) string {
	if len(s) <= maxSummary {
		return s
	}
	end := maxSummary - len("...")
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "..."
}
