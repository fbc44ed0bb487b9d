package npm

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"deps.dev/util/semver"

	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
	"github.com/mcpsf/mcpsf/internal/document"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// packument is a registry's description of a package.
type packument struct {
	Name string                     `json:"name"`
	Tags map[string]json.RawMessage `json:"dist-tags"`
	// Versions are parsed one by one, because most are never needed.
	Versions map[string]json.RawMessage `json:"versions"`
	// Times are the dates of the versions, if it is an object.
	Times json.RawMessage `json:"time"`
}

// release is one published version.
type release struct {
	version string
	parsed  *semver.Version

	tarball, integrity, shasum string
	deprecated, commit         string
	published                  time.Time // zero if it is not known
	history                    history
	dependencies               map[string]json.RawMessage
}

// release reads one version, nil if it does not exist.
func (d *packument) release(version string) *release {
	raw, ok := d.Versions[version]
	if !ok || !exactForm.MatchString(version) {
		return nil
	}
	parsed, err := semver.NPM.Parse(version)
	if err != nil {
		return nil
	}
	fields := document.Object(raw)
	dist := document.Object(fields["dist"])
	r := &release{
		version: version, parsed: parsed,
		tarball: document.Text(dist["tarball"]), integrity: document.Text(dist["integrity"]), shasum: document.Text(dist["shasum"]),
		deprecated: document.Text(fields["deprecated"]), commit: safetext.Line(document.Text(fields["gitHead"]), 64),
		dependencies: document.Object(fields["dependencies"]),
	}
	if string(fields["deprecated"]) == "true" {
		r.deprecated = "no reason is given"
	}
	return r
}

// choose picks the version like npm: a tag names one; of a range it is the one
// tagged "latest" if it fits, else the highest; a deprecated one only if there
// is no other.
func (d *packument) choose(spec request) (*release, error) {
	if len(d.Versions) == 0 {
		return nil, usererr.Usage("npm package %s has no versions: it was unpublished; ask its authors", usererr.Quote(spec.name))
	}
	switch spec.kind {
	case wantVersion:
		if r := d.release(spec.want); r != nil {
			return r, nil
		}
		return nil, usererr.Usage("npm package %s has no version %s; there %s", usererr.Quote(spec.name), spec.want, d.nearest(spec.want))
	case wantRange:
		if r := d.best(parseRange(spec.want)); r != nil {
			return r, nil
		}
		return nil, usererr.Usage("npm package %s has no version that fits %s; there %s", usererr.Quote(spec.name), usererr.Quote(spec.want), d.nearest(""))
	}
	if r := d.release(document.Text(d.Tags[spec.want])); r != nil {
		return r, nil
	}
	if _, ok := d.Tags[spec.want]; !ok && spec.want == "latest" {
		if r := d.best(parseRange("*")); r != nil {
			return r, nil
		}
	}
	return nil, usererr.Usage("npm package %s has no version with the tag %s; there %s", usererr.Quote(spec.name), usererr.Quote(spec.want), d.nearest(""))
}

func (d *packument) best(allowed rangeSet) *release {
	latest := document.Text(d.Tags["latest"])
	var best *release
	for _, v := range d.sorted() {
		if !allowed.match(v) {
			continue
		}
		r := d.release(v.String())
		switch {
		case best == nil,
			best.deprecated != "" && r.deprecated == "",
			(best.deprecated == "") == (r.deprecated == "") && best.version != latest:
			best = r
		}
	}
	return best
}

// sorted lists the versions, the lowest first.
func (d *packument) sorted() []*semver.Version {
	var all []*semver.Version
	for version := range d.Versions {
		if r := d.release(version); r != nil {
			all = append(all, r.parsed)
		}
	}
	slices.SortFunc(all, func(a, b *semver.Version) int {
		if c := a.Compare(b); c != 0 {
			return c
		}
		return strings.Compare(a.String(), b.String())
	})
	return all
}

// nearest names a few existing versions around the requested one, or else the
// highest.
func (d *packument) nearest(version string) string {
	all := d.sorted()
	if len(all) == 0 {
		return "are none that can be installed"
	}
	from := len(all)
	if v, err := semver.NPM.Parse(version); err == nil {
		from, _ = slices.BinarySearchFunc(all, v, (*semver.Version).Compare)
	}
	const each = 3
	from = max(0, min(from, len(all)-each)-each)
	var names []string
	for _, v := range all[from:min(len(all), from+2*each)] {
		names = append(names, safetext.Line(v.String(), 64))
	}
	return "are " + strings.Join(names, ", ")
}
