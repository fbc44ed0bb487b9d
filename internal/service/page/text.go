package page

import (
	"cmp"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/safetext"
	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// How long a text may be on a page, in characters.
// no gap: bounds requests to the service and what its pages show, not what a run sees
const (
	maxBand  = 14 // longer than any band
	maxName  = 160
	maxLine  = 300
	maxProse = 1200
)

// line makes untrusted text safe to show: one line of at most n characters, with
// invisible characters escaped.
func line(s string, n int) string {
	s = safetext.Clean(s)
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}

// sentence begins with a capital letter and ends with a full stop.
func sentence(s string) string {
	s = strings.TrimSpace(safetext.Clean(s))
	if s == "" {
		return ""
	}
	if s[0] >= 'a' && s[0] <= 'z' {
		s = string(s[0]-'a'+'A') + s[1:]
	}
	if !strings.HasSuffix(s, ".") && !strings.HasSuffix(s, "…") {
		s += "."
	}
	return s
}

// titleOf is the heading of a job.
func titleOf(j *job.Job) string {
	return line(cmp.Or(j.Request.Source, j.Request.ArchiveName, "an archive"), maxLine)
}

// moment is a time as text and as RFC 3339.
type moment struct {
	Text  string `json:"text"`
	Stamp string `json:"stamp"`
}

func at(t *time.Time) *moment {
	if t == nil || t.IsZero() {
		return nil
	}
	return &moment{t.UTC().Format("2 Jan 2006, 15:04"), t.UTC().Format(time.RFC3339)}
}

// level is the CSS class of a band.
func level(b mcpsf.Band) string {
	switch b {
	case mcpsf.BandPass:
		return "pass"
	case mcpsf.BandLow:
		return "low"
	case mcpsf.BandMedium:
		return "medium"
	case mcpsf.BandHigh:
		return "high"
	case mcpsf.BandCritical:
		return "critical"
	}
	return "unsure"
}

// severity is the CSS class of a severity.
func severity(s mcpsf.Severity) string {
	switch s {
	case mcpsf.SeverityCritical, mcpsf.SeverityHigh, mcpsf.SeverityMedium, mcpsf.SeverityLow:
		return string(s)
	}
	return "info"
}

// packageAddress is the URL of the page of a package, "" for a name that no URL
// can hold.
func packageAddress(name string) string {
	if name == "" || name == "." || name == ".." || !utf8.ValidString(name) || len(name) > maxLine {
		return ""
	}
	return "/packages/" + url.PathEscape(name)
}

// took is how long a job ran, as text.
func took(j *job.Job) string {
	if j.Started == nil || j.Ended == nil {
		return ""
	}
	return wording.Seconds(j.Ended.Sub(*j.Started).Seconds())
}
