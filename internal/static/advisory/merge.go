package advisory

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/advisory/osv"
)

// advisories makes one advisory of all records about the same issue: those that
// have an id or alias in common.
func advisories(records []*osv.Record, p osv.Package, of *mcpsf.Package) []mcpsf.Advisory {
	var all []mcpsf.Advisory
	for _, group := range groups(newest(records)) {
		all = append(all, merge(group, p, of))
	}
	slices.SortStableFunc(all, func(a, b mcpsf.Advisory) int {
		return cmp.Or(-cmp.Compare(rank(a.Severity), rank(b.Severity)), -cmp.Compare(a.Score, b.Score), cmp.Compare(a.ID, b.ID))
	})
	return all
}

// newest keeps one record of each id: the one that was changed last.
func newest(records []*osv.Record) []*osv.Record {
	slices.SortStableFunc(records, func(a, b *osv.Record) int {
		return cmp.Or(cmp.Compare(preference(a.ID), preference(b.ID)), cmp.Compare(a.ID, b.ID), b.Modified.Compare(a.Modified))
	})
	return slices.CompactFunc(records, func(a, b *osv.Record) bool { return a.ID == b.ID })
}

// groups sorts records by issue. The first of a group names it.
func groups(records []*osv.Record) [][]*osv.Record {
	leader := map[string]int{} // by id: the group it belongs to
	parent := make([]int, len(records))
	find := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	for i, r := range records {
		parent[i] = i
		for _, id := range append([]string{r.ID}, r.Aliases...) {
			other, ok := leader[id]
			if !ok {
				leader[id] = i
				continue
			}
			// The lower index has the preferred id.
			a, b := find(i), find(other)
			parent[max(a, b)] = min(a, b)
		}
	}
	byGroup := make([][]*osv.Record, len(records))
	for i, r := range records {
		g := find(i)
		byGroup[g] = append(byGroup[g], r)
	}
	return slices.DeleteFunc(byGroup, func(g []*osv.Record) bool { return len(g) == 0 })
}

// preference ranks the ids that an advisory can be named by.
func preference(id string) int {
	switch prefix, _, _ := strings.Cut(id, "-"); prefix {
	case "MAL":
		return 0
	case "GHSA":
		return 1
	case "CVE":
		return 3
	}
	return 2
}

func merge(group []*osv.Record, p osv.Package, of *mcpsf.Package) mcpsf.Advisory {
	first := group[0]
	a := mcpsf.Advisory{
		ID: first.ID, Package: of.PURL, Summary: first.Summary, Fixed: osv.FixedIn(group, p), Loaded: of.Loaded,
		Published: first.Published, Modified: first.Modified,
	}
	for _, r := range group {
		a.Aliases = append(append(a.Aliases, r.ID), r.Aliases...)
		a.Malicious = a.Malicious || r.Malicious()
		a.Summary = cmp.Or(a.Summary, r.Summary)
		if !r.Published.IsZero() && (a.Published.IsZero() || r.Published.Before(a.Published)) {
			a.Published = r.Published
		}
		if r.Modified.After(a.Modified) {
			a.Modified = r.Modified
		}
		// The most severe rating of any record.
		j := r.Judge(p)
		if cmp.Or(cmp.Compare(rank(j.Severity), rank(a.Severity)), cmp.Compare(j.Score, a.Score)) > 0 {
			a.Severity, a.Score, a.Vector = j.Severity, j.Score, j.Vector
		}
	}
	if a.Severity == "" { // no record has a rating
		a.Severity = mcpsf.SeverityMedium
	}
	if a.Malicious {
		a.Score, a.Vector = 0, ""
	}
	slices.Sort(a.Aliases)
	a.Aliases = slices.DeleteFunc(slices.Compact(a.Aliases), func(id string) bool { return id == a.ID })
	if len(a.Aliases) == 0 {
		a.Aliases = nil
	}
	return a
}

// rank orders severities; none is the lowest.
func rank(s mcpsf.Severity) int {
	return slices.Index([]mcpsf.Severity{
		mcpsf.SeverityInfo, mcpsf.SeverityLow, mcpsf.SeverityMedium, mcpsf.SeverityHigh, mcpsf.SeverityCritical,
	}, s)
}
