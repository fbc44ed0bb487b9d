package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/summary"
	"github.com/mcpsf/mcpsf/internal/report/html"
	"github.com/mcpsf/mcpsf/internal/wording"
)

// worstFirst orders advisories: packages that are the harm themselves, then by
// severity, score, and whether the run loaded the package at all.
func worstFirst(all []mcpsf.Advisory) []mcpsf.Advisory {
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

// lookedUp says what is known of published weaknesses. That none was found is
// said only of what was looked up, in something that is not too old; of
// everything else it is said that it is not known.
func lookedUp(in *mcpsf.Inspection, run time.Time) html.Lookup {
	l := in.Lookup
	stale := slices.ContainsFunc(l.Sources, func(s mcpsf.AdvisorySource) bool { return s.Stale })
	n := int64(len(in.Advisories))
	out := html.Lookup{Unsure: len(in.Packages) > 0 && (stale || l.Missing != "" || l.Unknown > 0 || len(l.Sources) == 0)}
	say := func(format string, args ...any) { out.Says = append(out.Says, fmt.Sprintf(format, args...)) }
	switch {
	case len(in.Packages) == 0 && n == 0:
		say("No package was found, so there was nothing to look up.")
		return out
	case l.Missing != "" && n == 0:
		say("Nothing was looked up: %s.", strings.TrimRight(l.Missing, ". "))
		say("Whether anything is published about %s is not known.", wording.Counted(int64(len(in.Packages)), "package{s}"))
	case n > 0:
		say("%s about %s.", advisoryCount(n), wording.Counted(int64(concerned(in.Advisories)), "package{s}"))
	case l.Packages <= 0 || len(l.Sources) == 0:
		say("None of the packages could be looked up. Whether anything is published about them is not known.")
	case stale:
		say("None was found about %s, but what was asked is too old to say that there is none.", wording.Counted(int64(l.Packages), "package{s}"))
	default:
		say("None is about the %s that %s looked up.", wording.Counted(int64(l.Packages), "package{s}"), wasOrWere(l.Packages))
	}
	if n > 0 && l.Missing != "" {
		say("Not all could be looked up: %s.", strings.TrimRight(l.Missing, ". "))
	}
	if n > 0 && stale {
		say("What was asked is old: there may be more.")
	}
	if l.Unknown > 0 && l.Packages > 0 {
		say("Of %s nothing is known: no version, or of an ecosystem that no source has.", wording.Counted(int64(l.Unknown), "further package{s}"))
	}
	for _, s := range l.Sources {
		out.Sources = append(out.Sources, html.LookupSource{Text: sourceWords(&s, run), Stale: s.Stale})
	}
	return out
}

func advisoryCount(n int64) string {
	if n == 1 {
		return "1 advisory"
	}
	return fmt.Sprintf("%d advisories", n)
}

func wasOrWere(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

// concerned counts the packages that advisories are about.
func concerned(all []mcpsf.Advisory) int {
	purls := map[string]bool{}
	for i := range all {
		purls[all[i].Package] = true
	}
	return len(purls)
}

// sourceWords say what was asked and how old it was when the run began.
func sourceWords(s *mcpsf.AdvisorySource, run time.Time) string {
	parts := []string{s.Name}
	if s.Ecosystem != "" {
		parts = append(parts, s.Ecosystem)
	}
	if s.Records > 0 {
		parts = append(parts, wording.Counted(int64(s.Records), "record{s}"))
	}
	if !s.Exported.IsZero() {
		parts = append(parts, "newest of "+s.Exported.UTC().Format(time.DateOnly))
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
