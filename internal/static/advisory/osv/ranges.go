package osv

import (
	"cmp"
	"slices"

	"github.com/google/osv-scalibr/semantic"
)

// point is an event with its parsed version.
type point struct {
	kind EventKind
	// edge is set for "0", which is before every version, and for the limit
	// "*", which is after every version.
	edge  bool
	order semantic.Version
	// side is the position of the package's version: -1 before, 1 after.
	side int
}

// contains evaluates one range. Events may come in any order.
func (r Range) contains(p Package) Answer {
	if r.everything() {
		return Yes
	}
	if p.order == nil {
		return Unknown
	}
	points, ok := r.points(p)
	if !ok {
		return Unknown
	}
	if !beforeLimits(points) {
		return No
	}
	slices.SortStableFunc(points, comparePoints)
	affected := false
	for _, pt := range points {
		switch {
		case pt.kind == Introduced && pt.side >= 0:
			affected = true
		case pt.kind == Fixed && pt.side >= 0, pt.kind == LastAffected && pt.side > 0:
			affected = false
		}
	}
	if affected {
		return Yes
	}
	return No
}

// everything reports a range that contains every version.
func (r Range) everything() bool {
	from := false
	for _, e := range r.Events {
		switch {
		case e.Kind == Introduced && e.Version == "0":
			from = true
		case e.Kind != Introduced && !e.unlimited():
			return false
		}
	}
	return from
}

func (e Event) unlimited() bool { return e.Kind == Limit && e.Version == "*" }

// points parses the events; it fails if one cannot be understood, or if no
// event starts a range.
func (r Range) points(p Package) (points []point, ok bool) {
	points = make([]point, 0, len(r.Events))
	for _, e := range r.Events {
		pt := point{kind: e.Kind}
		switch {
		case e.unlimited():
			pt.edge, pt.side = true, -1
		case e.Kind == Introduced && e.Version == "0":
			pt.edge, pt.side = true, 1
		default:
			if pt.order, _ = parse(p.Base, normalVersion(p.Base, e.Version)); pt.order == nil {
				return nil, false
			}
			var err error
			if pt.side, err = p.order.Compare(pt.order); err != nil {
				return nil, false
			}
		}
		ok = ok || e.Kind == Introduced
		points = append(points, pt)
	}
	return points, ok
}

// beforeLimits reports whether the version is before one of the limits, if
// there are any.
func beforeLimits(points []point) bool {
	limits := false
	for _, pt := range points {
		if pt.kind != Limit {
			continue
		}
		limits = true
		if pt.side < 0 {
			return true
		}
	}
	return !limits
}

// comparePoints orders events by version. At one version "last affected" comes
// last: a range that begins and ends there contains it. The others keep the
// record's order, so that a fixed version can be affected again at once.
func comparePoints(a, b point) int {
	if c := cmp.Compare(a.rank(), b.rank()); c != 0 {
		return c
	}
	if !a.edge {
		if c, err := a.order.Compare(b.order); err == nil && c != 0 {
			return c
		}
	}
	return cmp.Compare(last(a), last(b))
}

func (p point) rank() int {
	switch {
	case !p.edge:
		return 0
	case p.kind == Limit:
		return 1
	}
	return -1
}

func last(p point) int {
	if p.kind == LastAffected {
		return 1
	}
	return 0
}

// maxFixed bounds how many fixed versions are listed.
// gap: advisories
const maxFixed = 20

// FixedIn returns the fixed versions above the package's, lowest first.
func FixedIn(records []*Record, p Package) []string {
	found := map[string]semantic.Version{}
	for _, r := range records {
		for i := range r.Affected {
			if r.Affected[i].About(p) {
				r.Affected[i].fixed(p, found)
			}
		}
	}
	var versions []string
	for v := range found {
		versions = append(versions, v)
	}
	slices.SortFunc(versions, func(a, b string) int {
		if c, err := found[a].Compare(found[b]); err == nil && c != 0 {
			return c
		}
		return cmp.Compare(a, b)
	})
	return versions[:min(len(versions), maxFixed)]
}

func (a *Affected) fixed(p Package, found map[string]semantic.Version) {
	for _, r := range a.Ranges {
		for _, e := range r.Events {
			if e.Kind != Fixed {
				continue
			}
			v := normalVersion(p.Base, e.Version)
			if _, ok := found[v]; ok {
				continue
			}
			order, _ := parse(p.Base, v)
			if order == nil {
				continue
			}
			if p.order != nil {
				if c, err := order.Compare(p.order); err != nil || c <= 0 {
					continue
				}
			}
			found[v] = order
		}
	}
}
