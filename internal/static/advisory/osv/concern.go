package osv

import (
	"slices"
	"strings"
)

// Answer is whether a record concerns a package.
type Answer uint8

// The answers. Unknown: the record is about the package, but its versions, or
// the package's version, could not be understood.
const (
	No Answer = iota
	Unknown
	Yes
)

// About reports whether the entry is about the package in any version.
func (a *Affected) About(p Package) bool {
	base, release := SplitEcosystem(a.Ecosystem)
	return base == p.Base && NormalName(base, a.Name) == p.Name &&
		(release == p.release || release == "" || p.release == "")
}

// Concerns evaluates the record as the OSV schema describes it: a version is
// affected if it is listed or lies in a range. A distribution package whose
// release is unknown is affected if it is in all releases.
func (r *Record) Concerns(p Package) Answer {
	best, worst, releases := No, Yes, false
	for i := range r.Affected {
		a := &r.Affected[i]
		if !a.About(p) {
			continue
		}
		if _, release := SplitEcosystem(a.Ecosystem); release != "" && p.release == "" {
			releases = true
		}
		answer := a.concerns(p)
		best, worst = max(best, answer), min(worst, answer)
	}
	if releases && best != worst {
		return Unknown
	}
	return best
}

func (a *Affected) concerns(p Package) Answer {
	if slices.ContainsFunc(a.Versions, p.is) {
		return Yes
	}
	best := No
	if len(a.Ranges) == 0 && (len(a.Versions) == 0 || p.version == "") {
		best = Unknown
	}
	for _, r := range a.Ranges {
		if best = max(best, r.contains(p)); best == Yes {
			break
		}
	}
	return best
}

// is reports whether v names the package's version.
func (p Package) is(v string) bool {
	if p.version == "" {
		return false
	}
	if v == p.version || normalVersion(p.Base, v) == p.version {
		return true
	}
	// PyPI treats 1.0 and 1.0.0 as equal.
	return p.Base == "PyPI" && p.sure && samePython(p, normalVersion(p.Base, v))
}

// samePython reports whether both are one version by PEP 440. Most listed
// versions are plain numbers, which are compared directly.
func samePython(p Package, v string) bool {
	switch plain := isPlain(v); {
	case plain != isPlain(p.version):
		return false
	case plain:
		return samePlain(p.version, v)
	}
	order, sure := parse(p.Base, v)
	if !sure {
		return false
	}
	c, err := p.order.Compare(order)
	return err == nil && c == 0
}

func isPlain(v string) bool {
	for i := range len(v) {
		if c := v[i]; c != '.' && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// samePlain compares dotted numbers; missing ones are 0.
func samePlain(a, b string) bool {
	for a != "" || b != "" {
		var x, y string
		x, a, _ = strings.Cut(a, ".")
		y, b, _ = strings.Cut(b, ".")
		if strings.TrimLeft(x, "0") != strings.TrimLeft(y, "0") {
			return false
		}
	}
	return true
}
