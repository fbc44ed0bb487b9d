// Package waiver removes findings from the count that the user has accepted.
//
// In: a [mcpsf.Report] and what the user wrote: ignores, or the report of an
// earlier run. Out: the same report with those findings under Waived, and notes
// on what did not work as written. A waiver applies to one rule and one
// fingerprint of the evidence, so it never covers later findings. The caller has
// to set the verdict again afterwards.
package waiver

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// Ignore is one decision of the user.
type Ignore struct {
	// Rule and Fingerprint are those of the finding.
	Rule, Fingerprint string
	// Reason is why it does not count.
	Reason string
	// Expires is the last day of the waiver.
	Expires time.Time
	// Source and Tool narrow it down. They are patterns of [path.Match], for the
	// target (as typed or by name) and for the finding's tool. "" matches
	// everything.
	Source, Tool string
	// File and Line are where it was written.
	File string
	Line int
}

// longest is how far ahead an ignore may expire, so that each decision is
// reviewed once a year.
const longest = 1 // years

var (
	ruleID      = lazyregexp.New(`^[a-z0-9][a-z0-9-]*$`)
	fingerprint = lazyregexp.New(`^[0-9a-f]{16}$`)
)

// Check returns what is wrong with an ignore.
func (i *Ignore) Check(now time.Time) error {
	switch {
	case !ruleID.MatchString(i.Rule):
		return errors.New("an ignore needs the rule: the id of the finding")
	case !fingerprint.MatchString(i.Fingerprint):
		return errors.New("an ignore needs the fingerprint of the finding, 16 digits and letters a to f; report.json has it")
	case strings.TrimSpace(i.Reason) == "":
		return errors.New("an ignore needs a reason")
	case i.Expires.IsZero():
		return errors.New("an ignore needs expires: a day such as 2026-12-31")
	case i.Expires.After(now.AddDate(longest, 0, 0)):
		return fmt.Errorf("expires is more than a year ahead; the latest day is %s", now.AddDate(longest, 0, 0).Format(time.DateOnly))
	}
	for _, pattern := range []string{i.Source, i.Tool} {
		if _, err := path.Match(pattern, ""); err != nil {
			return fmt.Errorf("%q is no pattern; use * and ? and [a-z]", pattern)
		}
	}
	return nil
}

// Apply moves the findings that are ignored to Waived. The notes name ignores
// that have expired and ignores that match nothing.
func Apply(r *mcpsf.Report, ignores []Ignore, now time.Time) (notes []string) {
	used := make([]bool, len(ignores))
	keep := make([]mcpsf.Finding, 0, len(r.Findings))
	for _, f := range r.Findings {
		w, ok := waived(r, f, ignores, used, now)
		if ok {
			r.Waived = append(r.Waived, w)
			continue
		}
		keep = append(keep, f)
	}
	r.Findings = keep
	for n := range ignores {
		i := &ignores[n]
		switch {
		case !used[n] && i.meansSource(r) && !r.Verdict.Incomplete():
			notes = append(notes, i.note("is about nothing in this run; delete it if that stays so"))
		case used[n] && i.expired(now):
			notes = append(notes, i.note("expired on "+i.Expires.Format(time.DateOnly)+", counts again"))
		}
	}
	return notes
}

// waived returns the waiver for a finding if an ignore matches it. used marks
// the ignores that match, expired ones too.
func waived(r *mcpsf.Report, f mcpsf.Finding, ignores []Ignore, used []bool, now time.Time) (w mcpsf.Waived, ok bool) {
	for n := range ignores {
		i := &ignores[n]
		if !i.means(r, f) {
			continue
		}
		used[n] = true
		if !ok && !i.expired(now) {
			w, ok = mcpsf.Waived{Finding: f, Reason: i.Reason, Until: i.end(), File: i.File}, true
		}
	}
	return w, ok
}

func (i *Ignore) means(r *mcpsf.Report, f mcpsf.Finding) bool {
	return i.Rule == f.ID && i.Fingerprint == f.Fingerprint && i.meansSource(r) && (i.Tool == "" || matches(i.Tool, f.Tool))
}

func (i *Ignore) meansSource(r *mcpsf.Report) bool {
	return i.Source == "" || slices.ContainsFunc([]string{r.Target.Source, r.Artifact.Name}, func(s string) bool { return matches(i.Source, s) })
}

func matches(pattern, s string) bool {
	ok, err := path.Match(pattern, s)
	return ok && err == nil
}

// end returns when the finding counts again. The last day is included, in UTC.
func (i *Ignore) end() time.Time { return i.Expires.UTC().Truncate(24*time.Hour).AddDate(0, 0, 1) }

func (i *Ignore) expired(now time.Time) bool { return !now.Before(i.end()) }

func (i *Ignore) note(what string) string {
	return fmt.Sprintf("%s:%d: the ignore of %s %s %s", i.File, i.Line, i.Rule, i.Fingerprint, what)
}
