package main

import (
	"fmt"
	"regexp"
	"strings"
	"time"
)

// shape is a form of a record about a package, and whether such a record applies
// to the installed version.
type shape struct {
	name      string
	concerns  bool
	malicious bool
	// twin adds a record of another database about the same vulnerability.
	twin bool
	// fits tells whether a package can have such a record; nil: all can.
	fits  func(p pack) bool
	write func(r *record, p pack)
}

func shapesOf(ecosystem string) []shape {
	all := append(rangeShapes(), recordShapes()...)
	if ecosystem == "PyPI" {
		return append(all, pythonShapes()...)
	}
	return append(all, nodeShapes()...)
}

// rangeShapes differ in their range of versions.
func rangeShapes() []shape {
	return []shape{
		{name: "mended after this version", concerns: true, write: events(func(p pack) []event { return from("0", event{Fixed: p.next()}) })},
		{name: "mended in this version", write: events(func(p pack) []event { return from("0", event{Fixed: p.Version}) })},
		{name: "this is the last version that is affected", concerns: true, write: events(func(p pack) []event { return from("0", event{LastAffected: p.Version}) })},
		{name: "the last that is affected is before this version", write: events(func(p pack) []event { return from("0", event{LastAffected: "0.0.0"}) })},
		{name: "begins with this version", concerns: true, write: events(func(p pack) []event { return from(p.Version) })},
		{name: "begins after this version", write: events(func(p pack) []event { return from(p.next()) })},
		{name: "events in the wrong order", concerns: true, write: events(func(p pack) []event {
			return []event{{Fixed: p.next()}, {Introduced: "0"}}
		})},
		{name: "several intervals in one range, this version in the second", concerns: true, write: events(func(p pack) []event {
			return []event{{Introduced: "0"}, {Fixed: "0.0.1"}, {Introduced: p.Version}, {Fixed: p.next()}}
		})},
		{name: "between two intervals", fits: pack.released, write: events(func(p pack) []event {
			return []event{{Introduced: "0"}, {Fixed: p.Version}, {Introduced: p.next()}}
		})},
		{name: "mended in a pre-release of this version", fits: pack.released, write: events(func(p pack) []event {
			return from("0", event{Fixed: p.candidate()})
		})},
		{name: "begins with a pre-release of this version", concerns: true, fits: pack.released, write: events(func(p pack) []event {
			return from(p.candidate(), event{Fixed: p.next()})
		})},
	}
}

// recordShapes differ in the rest of the record.
func recordShapes() []shape {
	everything := []event{{Introduced: "0"}}
	return []shape{
		{name: "enumerated, this version among them", concerns: true, write: func(r *record, p pack) {
			r.Affected[0].Versions = []string{"0.0.0", p.Version, p.next()}
		}},
		{name: "enumerated, without this version", write: func(r *record, p pack) { r.Affected[0].Versions = []string{"0.0.0", p.next()} }},
		{name: "enumerated although the range ends before", concerns: true, write: func(r *record, p pack) {
			r.Affected[0].Ranges = []interval{{Type: p.kind(), Events: from("0", event{Fixed: "0.0.1"})}}
			r.Affected[0].Versions = []string{p.Version}
		}},
		{name: "commits only", write: func(r *record, p pack) { r.Affected[0].Ranges = []interval{commits()} }},
		{name: "a range over commits before that over versions", concerns: true, write: func(r *record, p pack) {
			r.Affected[0].Ranges = []interval{commits(), {Type: p.kind(), Events: from("0", event{Fixed: p.next()})}}
		}},
		{name: "two ranges, this version in the second", concerns: true, write: func(r *record, p pack) {
			r.Affected[0].Ranges = []interval{
				{Type: p.kind(), Events: from("0", event{Fixed: "0.0.1"})}, {Type: p.kind(), Events: from(p.Version, event{Fixed: p.next()})},
			}
		}},
		{name: "several packages, this one the second", concerns: true, write: func(r *record, p pack) {
			mine := affected{Package: r.Affected[0].Package, Ranges: []interval{{Type: p.kind(), Events: from("0", event{Fixed: p.next()})}}}
			other := affected{Package: subject{p.Ecosystem, p.Name + "-other"}, Ranges: []interval{{Type: p.kind(), Events: everything}}}
			r.Affected = []affected{other, mine}
		}},
		{name: "two entries for this package, this version in the second", concerns: true, write: func(r *record, p pack) {
			first, second := r.Affected[0], r.Affected[0]
			first.Ranges = []interval{{Type: p.kind(), Events: from("0", event{Fixed: "0.0.1"})}}
			second.Ranges = []interval{{Type: p.kind(), Events: from(p.Version, event{Fixed: p.next()})}}
			r.Affected = []affected{first, second}
		}},
		{name: "withdrawn", write: func(r *record, p pack) {
			day := r.Published.Add(time.Hour)
			r.Withdrawn = &day
			r.Affected[0].Ranges = []interval{{Type: p.kind(), Events: everything}}
		}},
		{name: "another package with a longer name", write: func(r *record, p pack) {
			r.Affected[0].Package.Name += "-plus"
			r.Affected[0].Ranges = []interval{{Type: p.kind(), Events: everything}}
		}},
		{name: "the same name in another ecosystem", write: func(r *record, p pack) {
			same := affected{Package: subject{"crates.io", p.Name}, Ranges: []interval{{Type: "SEMVER", Events: everything}}}
			r.Affected[0].Package.Name += "-other"
			r.Affected[0].Ranges = []interval{{Type: p.kind(), Events: everything}}
			r.Affected = append(r.Affected, same)
		}},
		{name: "malicious in every version", concerns: true, malicious: true, write: func(r *record, p pack) {
			r.Affected[0].Ranges = []interval{{Type: "SEMVER", Events: everything}}
		}},
		{name: "malicious in this version", concerns: true, malicious: true, write: func(r *record, p pack) { r.Affected[0].Versions = []string{p.Version} }},
		{name: "malicious in another version", malicious: true, write: func(r *record, p pack) { r.Affected[0].Versions = []string{p.next()} }},
		{name: "two databases say the same", concerns: true, twin: true, write: events(func(p pack) []event { return from("0", event{Fixed: p.next()}) })},
	}
}

func nodeShapes() []shape {
	upper := func(p pack) bool { return strings.ToUpper(p.Name) != p.Name }
	return []shape{
		{name: "a range of the type ECOSYSTEM", concerns: true, write: func(r *record, p pack) {
			r.Affected[0].Ranges = []interval{{Type: "ECOSYSTEM", Events: from("0", event{Fixed: p.next()})}}
		}},
		{name: "the name in capitals, which is another package", fits: upper, write: func(r *record, p pack) {
			r.Affected[0].Package.Name = strings.ToUpper(p.Name)
			r.Affected[0].Ranges = []interval{{Type: p.kind(), Events: from("0")}}
		}},
	}
}

func pythonShapes() []shape {
	return []shape{
		{name: "the name written in another way", concerns: true, fits: func(p pack) bool { return strings.Contains(p.Name, "-") }, write: func(r *record, p pack) {
			r.Affected[0].Package.Name = strings.ToUpper(p.Name[:1]) + strings.NewReplacer("-", "_").Replace(p.Name[1:])
			if first, rest, ok := strings.Cut(p.Name, "-"); ok && len(rest)%2 == 0 {
				r.Affected[0].Package.Name = strings.ToUpper(first) + "." + rest
			}
			r.Affected[0].Ranges = []interval{{Type: p.kind(), Events: from("0", event{Fixed: p.next()})}}
		}},
		{name: "mended in a later epoch", concerns: true, write: events(func(p pack) []event { return from("0", event{Fixed: "1!0.1"}) })},
		{name: "begins in a later epoch", write: events(func(p pack) []event { return from("1!0") })},
		{name: "mended in a local version of this one", concerns: true, fits: pack.released, write: events(func(p pack) []event {
			return from("0", event{Fixed: p.Version + "+mended.1"})
		})},
		{name: "mended in a development version of this one", fits: pack.released, write: events(func(p pack) []event { return from("0", event{Fixed: p.Version + ".dev1"}) })},
	}
}

func from(version string, more ...event) []event {
	return append([]event{{Introduced: version}}, more...)
}

// events returns a record with one range.
func events(list func(p pack) []event) func(r *record, p pack) {
	return func(r *record, p pack) { r.Affected[0].Ranges = []interval{{Type: p.kind(), Events: list(p)}} }
}

// commits is a range over commits, which says nothing about versions.
func commits() interval {
	return interval{Type: "GIT", Repo: "https://code.example/repository", Events: []event{
		{Introduced: "0"}, {Fixed: "6b1bd2a0c5cbd4ab5ad9c7e5fd5ae2bd4b6e2c5a"},
	}}
}

// kind is the type of ranges in records of the ecosystem.
func (p pack) kind() string {
	if p.Ecosystem == "npm" {
		return "SEMVER"
	}
	return "ECOSYSTEM"
}

// released tells whether the version is an ordinary release.
func (p pack) released() bool {
	return regexp.MustCompile(`^[0-9]+(\.[0-9]+)+$`).MatchString(p.Version)
}

// next returns a version above this one, and above its pre- and post-releases.
func (p pack) next() string {
	release := regexp.MustCompile(`^[0-9]+(\.[0-9]+)*`).FindString(p.Version)
	if p.Ecosystem == "PyPI" {
		return release + ".0.1"
	}
	var major, minor, patch int
	_, _ = fmt.Sscanf(release, "%d.%d.%d", &major, &minor, &patch) // npm versions have three numbers
	return fmt.Sprintf("%d.%d.%d", major, minor, patch+1)
}

// candidate returns a pre-release of this version.
func (p pack) candidate() string {
	if p.Ecosystem == "PyPI" {
		return p.Version + "rc1"
	}
	return p.Version + "-rc.1"
}
