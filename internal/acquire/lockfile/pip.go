package lockfile

import (
	"cmp"
	"slices"
	"strings"

	"deps.dev/util/semver"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// The strict forms. Whatever has another one does not get into pip's files.
var (
	projectName    = lazyregexp.New(`^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,198}[A-Za-z0-9])?$`)
	projectVersion = lazyregexp.New(`^[0-9][0-9A-Za-z.!_-]{0,99}$`)
	markerForm     = lazyregexp.New(`^[A-Za-z0-9_ .'"<>=!~()*+-]+$`)
	separators     = lazyregexp.New(`[-_.]+`)
)

// normal is the form of a name by which names are compared.
func normal(name string) string {
	return strings.ToLower(separators.ReplaceAllString(name, "-"))
}

// project adds a locked version of a Python package. Its local part ("+cpu") names a
// build that the configured index may not have: any build of the version is allowed.
func (b *builder) project(p pin) {
	version, _, _ := strings.Cut(p.version, "+")
	if !projectName.MatchString(p.name) || !projectVersion.MatchString(version) {
		b.fail(errName)
		return
	}
	p.name, p.version, p.marker = normal(p.name), version, usableMarker(p.marker)
	b.add(p)
}

// usableMarker returns a marker that pip can evaluate in a constraint, "" for one
// that it cannot: what extras were asked for is not known there.
func usableMarker(marker string) string {
	marker = strings.TrimSpace(marker)
	if len(marker) > maxMarker || !markerForm.MatchString(marker) || strings.Contains(marker, "extra") || strings.Contains(marker, "dependency_groups") {
		return ""
	}
	return marker
}

// either joins markers of which one has to hold; "" holds always.
func either(markers []string) string {
	for i, m := range markers {
		if m = usableMarker(m); m == "" {
			return ""
		}
		if len(markers) > 1 {
			m = "(" + m + ")"
		}
		markers[i] = m
	}
	return strings.Join(markers, " or ")
}

// constraints returns the lines of a constraints file. A package with one version
// needs no marker: a constraint asks for nothing. Of several versions the markers
// decide; where they are not known, nothing outside of these versions is allowed.
func (b *builder) constraints() []string {
	named := map[string][]pin{}
	for _, p := range b.pins {
		named[p.name] = append(named[p.name], p)
	}
	var lines []string
	for name, pins := range named {
		if slices.ContainsFunc(pins, func(p pin) bool { return !p.dev }) {
			pins = slices.DeleteFunc(pins, func(p pin) bool { return p.dev })
		}
		lines = append(lines, constrain(name, pins)...)
	}
	slices.Sort(lines)
	return lines
}

func constrain(name string, pins []pin) []string {
	versions := map[string]bool{}
	marked := true
	for _, p := range pins {
		versions[p.version] = true
		marked = marked && p.marker != ""
	}
	if len(versions) == 1 {
		return []string{name + "==" + pins[0].version}
	}
	if !marked {
		slices.SortFunc(pins, func(a, b pin) int {
			return cmp.Or(semver.PyPI.Compare(a.version, b.version), cmp.Compare(a.version, b.version))
		})
		return []string{name + ">=" + pins[0].version + ",<=" + pins[len(pins)-1].version}
	}
	var lines []string
	for _, p := range pins {
		lines = append(lines, name+"=="+p.version+" ; "+p.marker)
	}
	return lines
}

// require adds something that the project itself asks for.
func (b *builder) require(name string, extras []string, marker string) {
	line := normal(name)
	for _, e := range append([]string{name}, extras...) {
		if !projectName.MatchString(e) {
			b.fail(errName)
			return
		}
	}
	if len(extras) > 0 {
		line += "[" + strings.Join(extras, ",") + "]"
	}
	if marker != "" {
		if marker = usableMarker(marker); marker == "" {
			return
		}
		line += " ; " + marker
	}
	b.requires = append(b.requires, line)
}
