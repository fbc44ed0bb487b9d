package osv

import (
	"strings"
	"time"
	"unicode/utf8"
)

// Record is what is kept of an advisory.
type Record struct {
	ID      string
	Aliases []string
	Summary string
	// Published and Modified are zero where the record does not say.
	Published, Modified time.Time
	// Withdrawn records were taken back by those who published them.
	Withdrawn bool
	// Severity are the record's vectors, Rating is the word its database has
	// for it. Those of the affected package go first.
	Severity []Severity
	Rating   string
	Affected []Affected
}

// Affected is what a record says about one package.
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

// Range is a list of events in which versions become affected or no longer
// are. Those over commits of a repository are left out.
type Range struct{ Events []Event }

// Event is a point in the order of versions.
type Event struct {
	Kind    EventKind
	Version string
}

// EventKind says what happens at a version.
type EventKind uint8

// The kinds of events.
const (
	Introduced EventKind = iota + 1
	Fixed
	LastAffected
	Limit
)

// Malicious reports whether the package itself is malware: the record, or
// another name of it, belongs to the list of malicious packages.
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

// maxSummary bounds what is kept of a summary, in bytes.
const maxSummary = 300

// firstLine is the beginning of a text that is shown in one line.
func firstLine(s string) string {
	for line := range strings.Lines(s) {
		// Headings and rules of Markdown are no summary.
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
