package digest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/summary"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// WorstFirst orders advisories: malicious packages first, then by severity,
// score, and whether the run loaded the package.
func WorstFirst(all []mcpsf.Advisory) []mcpsf.Advisory {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b mcpsf.Advisory) int {
		return cmp.Or(
			compareFlags(b.Malicious, a.Malicious),
			cmp.Compare(summary.SeverityRank(b.Severity), summary.SeverityRank(a.Severity)),
			cmp.Compare(b.Score, a.Score),
			compareFlags(a.Loaded == mcpsf.LoadedNo, b.Loaded == mcpsf.LoadedNo),
			strings.Compare(a.Package, b.Package),
			strings.Compare(a.ID, b.ID),
		)
	})
	return all
}

func compareFlags(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// Lookup says in sentences what is known of published advisories.
type Lookup struct {
	Sentences []string
	Sources   []LookupSource
	// Unsure is set if there may be advisories that were not found.
	Unsure bool
}

// LookupSource describes one database that was queried.
type LookupSource struct {
	Text  string
	Stale bool
}

// LookUp says what is known of published vulnerabilities. It says that there are
// none only for packages that were looked up in a recent database; for all
// others it says that nothing is known.
func LookUp(in *mcpsf.Inspection, run time.Time) Lookup {
	l := in.Lookup
	stale := slices.ContainsFunc(l.Sources, func(s mcpsf.AdvisorySource) bool { return s.Stale })
	n := int64(len(in.Advisories))
	out := Lookup{Unsure: len(in.Packages) > 0 && (stale || l.Missing != "" || l.Unknown > 0 || len(l.Sources) == 0)}
	add := func(format string, args ...any) { out.Sentences = append(out.Sentences, fmt.Sprintf(format, args...)) }
	switch {
	case len(in.Packages) == 0 && n == 0:
		add("No packages found, so there was nothing to check.")
		return out
	case l.Missing != "" && n == 0:
		add("Advisories were not checked: %s.", strings.TrimRight(l.Missing, ". "))
		add("Known vulnerabilities of %s are unknown.", wording.Counted(int64(len(in.Packages)), "package{s}"))
	case n > 0:
		add("%s about %s.", AdvisoryCount(n), wording.Counted(int64(concerned(in.Advisories)), "package{s}"))
	case l.Packages <= 0 || len(l.Sources) == 0:
		add("None of the packages could be checked, so their known vulnerabilities are unknown.")
	case stale:
		add("No advisory found for %s, but the database is too old to rule one out.", wording.Counted(int64(l.Packages), "package{s}"))
	default:
		add("No advisory for the %s checked.", wording.Counted(int64(l.Packages), "package{s}"))
	}
	if n > 0 && l.Missing != "" {
		add("Not all could be checked: %s.", strings.TrimRight(l.Missing, ". "))
	}
	if n > 0 && stale {
		add("The database is old: there may be more.")
	}
	if l.Unknown > 0 && l.Packages > 0 {
		add("Not checked: %s without a version, or of an ecosystem that no source covers.", wording.Counted(int64(l.Unknown), "package{s}"))
	}
	for _, s := range l.Sources {
		out.Sources = append(out.Sources, LookupSource{Text: sourceWords(&s, run), Stale: s.Stale})
	}
	return out
}

// AdvisoryCount writes a number of advisories.
func AdvisoryCount(n int64) string {
	if n == 1 {
		return "1 advisory"
	}
	return fmt.Sprintf("%d advisories", n)
}

// concerned counts the packages that have advisories.
func concerned(all []mcpsf.Advisory) int {
	purls := map[string]bool{}
	for i := range all {
		purls[all[i].Package] = true
	}
	return len(purls)
}

// sourceWords say what was queried and how old it was when the run began.
func sourceWords(s *mcpsf.AdvisorySource, run time.Time) string {
	parts := []string{s.Name}
	if s.Ecosystem != "" {
		parts = append(parts, s.Ecosystem)
	}
	if s.Records > 0 {
		parts = append(parts, wording.Counted(int64(s.Records), "record{s}"))
	}
	if !s.Exported.IsZero() {
		parts = append(parts, "newest record "+s.Exported.UTC().Format(time.DateOnly))
	}
	if !s.Fetched.IsZero() {
		fetched := "fetched " + s.Fetched.UTC().Format(time.DateOnly)
		if days := int64(run.Sub(s.Fetched).Hours() / 24); !run.IsZero() && days > 0 {
			fetched += fmt.Sprintf(", %s before the run", wording.Counted(days, "day{s}"))
		}
		parts = append(parts, fetched)
	}
	return strings.Join(parts, ", ")
}
