package osv

import (
	"strings"
	"unicode"

	"github.com/google/osv-scalibr/semantic"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// Package is a version of a package, ready to be compared with records.
type Package struct {
	// Base is the ecosystem without the release, Name the name as records write
	// it.
	Base, Name string

	release string
	version string
	// order is nil if the version cannot be ordered.
	order semantic.Version
	// sure is set if the version has the ecosystem's format.
	sure bool
}

// maxVersion bounds the versions that are compared: the time grows faster than
// their length.
// gap: advisories
const maxVersion = 256

// NewPackage prepares a package. It accepts any input; see [Package.Sure].
func NewPackage(ecosystem, name, version string) Package {
	base, release := SplitEcosystem(ecosystem)
	p := Package{Base: base, Name: NormalName(base, name), release: release, version: normalVersion(base, version)}
	p.order, p.sure = parse(base, p.version)
	return p
}

// Ecosystem returns the ecosystem with the release, as records write it.
func (p Package) Ecosystem() string {
	if p.release == "" {
		return p.Base
	}
	return p.Base + ":" + p.release
}

// Version returns the version without its prefix.
func (p Package) Version() string { return p.version }

// Sure reports whether the version was understood. For a missing or invalid
// version only records about every version are found; other records may concern
// it, too.
func (p Package) Sure() bool { return p.sure }

// SplitEcosystem splits "Debian:12". Releases are returned as records write
// them.
func SplitEcosystem(ecosystem string) (base, release string) {
	base, release, _ = strings.Cut(strings.TrimSpace(ecosystem), ":")
	switch base {
	case "Alpine":
		release = components(strings.TrimPrefix(release, "v"), 2)
		if release != "" && unicode.IsDigit(rune(release[0])) {
			release = "v" + release
		}
	case "Debian":
		release = components(release, 1)
	}
	return base, release
}

// components returns the first n parts of a dotted version.
func components(s string, n int) string {
	parts := strings.SplitN(s, ".", n+1)
	return strings.Join(parts[:min(n, len(parts))], ".")
}

// NormalName returns the canonical spelling of a name.
func NormalName(base, name string) string {
	name = strings.TrimSpace(name)
	switch {
	case base == "PyPI":
		return normalPython(name)
	case base == "Go" && name == "go":
		return "stdlib"
	}
	return name
}

// normalPython follows PEP 503: runs of "-", "_" and "." are one "-".
func normalPython(name string) string {
	name = strings.ToLower(name)
	if !strings.ContainsAny(name, "_.") && !strings.Contains(name, "--") {
		return name
	}
	var b strings.Builder
	run := false
	for _, r := range name {
		if r == '-' || r == '_' || r == '.' {
			run = true
			continue
		}
		if run {
			b.WriteByte('-')
			run = false
		}
		b.WriteRune(r)
	}
	if run {
		b.WriteByte('-')
	}
	return b.String()
}

// normalVersion removes prefixes that are not part of a version.
func normalVersion(base, v string) string {
	v = strings.TrimSpace(v)
	switch base {
	case "npm":
		v = strings.TrimSpace(strings.TrimLeft(v, "= "))
	case "Go":
		if rest, ok := strings.CutPrefix(v, "go"); ok && startsWithDigit(rest) {
			return rest
		}
	case "Debian", "Alpine", "Maven":
		return v
	}
	if rest := strings.TrimLeft(v, "vV"); len(v)-len(rest) == 1 && startsWithDigit(rest) {
		return rest
	}
	return v
}

func startsWithDigit(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }

// Formats of versions. The library that compares them accepts every string;
// these patterns distinguish real versions from strings that only resemble one.
var (
	likeSemver = lazyregexp.New(`^\d+(\.\d+){0,2}([-+a-zA-Z][-+.~_0-9A-Za-z]*)?$`)
	likePython = lazyregexp.New(`(?i)^(\d+!)?\d+(\.\d+)*([-_.]?(alpha|a|beta|b|preview|pre|c|rc)[-_.]?\d*)?` +
		`(-\d+|[-_.]?(post|rev|r)[-_.]?\d*)?([-_.]?dev[-_.]?\d*)?(\+[a-z0-9]+([-_.][a-z0-9]+)*)?$`)
	likeMaven  = lazyregexp.New(`^[-+._A-Za-z]*\d[-+._0-9A-Za-z]*$`)
	likeDebian = lazyregexp.New(`^(\d+:)?\d[-+.~:0-9A-Za-z]*$`)
	likeAlpine = lazyregexp.New(`^\d+(\.\d+)*[a-z]?(_(alpha|beta|pre|rc|cvs|svn|git|hg|p)\d*)*(~[0-9a-f]+)?(-r\d+)?$`)
	likeOther  = lazyregexp.New(`^[0-9A-Za-z][-+.~:_^0-9A-Za-z]*$`)
	// likeAny is the weakest form that can be ordered.
	likeAny = lazyregexp.New(`^[vV]?\d[^\s\x00-\x1f]*$`)
)

// parse prepares a version for comparison. sure is set if it has the
// ecosystem's format; order is nil if it cannot be ordered.
func parse(base, version string) (order semantic.Version, sure bool) {
	if version == "" || len(version) > maxVersion {
		return nil, false
	}
	sure = like(base).MatchString(version)
	if !sure && !likeAny.MatchString(version) {
		return nil, false
	}
	order, err := semantic.Parse(version, base)
	if err != nil {
		return nil, false
	}
	return order, sure
}

func like(base string) *lazyregexp.Regexp {
	switch base {
	case "npm", "crates.io", "Go":
		return likeSemver
	case "PyPI":
		return likePython
	case "Maven":
		return likeMaven
	case "Debian", "Ubuntu":
		return likeDebian
	case "Alpine", "Wolfi", "Chainguard":
		return likeAlpine
	}
	return likeOther
}
