package osv

import (
	"strings"

	cvss20 "github.com/pandatix/go-cvss/20"
	cvss30 "github.com/pandatix/go-cvss/30"
	cvss31 "github.com/pandatix/go-cvss/31"
	cvss40 "github.com/pandatix/go-cvss/40"

	"github.com/mcpsf/mcpsf"
)

// Judgement is the severity of a record.
type Judgement struct {
	// Severity is "" if the record does not say.
	Severity mcpsf.Severity
	// Score and Vector are its source, empty if there is none.
	Score  float64
	Vector string
}

// maxVector bounds the vectors that are read; the longest meaningful one has a
// third of that.
// gap: advisories
const maxVector = 600

// Judge returns the record's severity for the package: by the newest readable
// CVSS vector, else by the word of its database, else by a CVSS 2 vector. A
// malicious package is always critical.
func (r *Record) Judge(p Package) Judgement {
	if r.Malicious() {
		return Judgement{Severity: mcpsf.SeverityCritical}
	}
	var vectors []Severity
	var words []string
	for i := range r.Affected {
		if a := &r.Affected[i]; a.About(p) {
			vectors = append(vectors, a.Severity...)
			words = append(words, a.Rating)
		}
	}
	own, ok := byVector(vectors)
	if !ok {
		own, ok = byVector(r.Severity)
	}
	if ok && !isOld(own.Vector) {
		return own
	}
	words = append(words, r.Rating)
	for _, s := range append(vectors, r.Severity...) {
		words = append(words, s.Score)
	}
	for _, w := range words {
		if s, ok := byWord(w); ok {
			return Judgement{Severity: s}
		}
	}
	return own
}

// isOld reports a CVSS 2 vector, which lacks the prefix of later ones.
func isOld(vector string) bool { return !strings.HasPrefix(vector, "CVSS:") }

// byVector uses the newest kind of vector, and of one kind the most severe.
func byVector(all []Severity) (best Judgement, ok bool) {
	newest := 0
	for _, s := range all {
		score, kind := scoreOf(s.Score)
		if kind < newest || kind == 0 || kind == newest && score <= best.Score {
			continue
		}
		newest = kind
		best = Judgement{Severity: ofScore(score), Score: score, Vector: s.Score}
	}
	return best, newest > 0
}

// scoreOf computes the score of a vector. kind orders the versions of CVSS, 0
// is no vector.
func scoreOf(vector string) (score float64, kind int) {
	if len(vector) > maxVector {
		return 0, 0
	}
	switch {
	case strings.HasPrefix(vector, "CVSS:4.0/"):
		if v, err := cvss40.ParseVector(vector); err == nil {
			return v.Score(), 4
		}
	case strings.HasPrefix(vector, "CVSS:3.1/"):
		if v, err := cvss31.ParseVector(vector); err == nil {
			return v.BaseScore(), 3
		}
	case strings.HasPrefix(vector, "CVSS:3.0/"):
		if v, err := cvss30.ParseVector(vector); err == nil {
			return v.BaseScore(), 2
		}
	case strings.HasPrefix(vector, "AV:"):
		if v, err := cvss20.ParseVector(vector); err == nil {
			return v.BaseScore(), 1
		}
	}
	return 0, 0
}

// ofScore is the rating scale of CVSS.
func ofScore(score float64) mcpsf.Severity {
	switch {
	case score >= 9:
		return mcpsf.SeverityCritical
	case score >= 7:
		return mcpsf.SeverityHigh
	case score >= 4:
		return mcpsf.SeverityMedium
	case score > 0:
		return mcpsf.SeverityLow
	}
	return mcpsf.SeverityInfo
}

// byWord maps the severity words of databases.
func byWord(word string) (mcpsf.Severity, bool) {
	switch strings.ToLower(strings.TrimSpace(word)) {
	case "critical":
		return mcpsf.SeverityCritical, true
	case "high", "important":
		return mcpsf.SeverityHigh, true
	case "medium", "moderate":
		return mcpsf.SeverityMedium, true
	case "low", "minor":
		return mcpsf.SeverityLow, true
	case "negligible", "unimportant", "none", "informational":
		return mcpsf.SeverityInfo, true
	}
	return "", false
}
