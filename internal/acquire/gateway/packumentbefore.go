package gateway

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"deps.dev/util/semver"

	"github.com/mcpsf/mcpsf/internal/acquire/registry"
	"github.com/mcpsf/mcpsf/internal/acquire/source/published"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// tagLatest is the tag that every package has.
const tagLatest = "latest"

// exactVersion is a version that can be compared.
var exactVersion = lazyregexp.New(`^[0-9]{1,15}\.[0-9]{1,15}\.[0-9]{1,15}(?:-[0-9A-Za-z.-]{1,128})?(?:\+[0-9A-Za-z.-]{1,128})?$`)

// fetchBefore is fetch for a packument or a version of it, as of the date that
// is shown. Only the long form of a packument has dates, and a single version
// has none.
func (g *Gateway) fetchBefore(x *exchange, to *target, reg registry.Registry, short bool) (*source, error) {
	what := npmWhat(to.name)
	src, err := g.fetch(x, what, reg, npmPath(to.name, ""), acceptNPMFull)
	if err != nil {
		return nil, err
	}
	d, err := parsePackument(src.body)
	if err != nil {
		return nil, g.failed(x.r.Context(), what, reg, 0, err)
	}
	src.body = nil // it may be large
	g.undated.set("npm "+to.name, d.cut(g.isLater))
	switch {
	case to.version != "":
		if src.body = d.version(to.version); src.body == nil {
			return nil, &failure{status: http.StatusNotFound, text: "the registry did not have it then"}
		}
	default:
		if src.body, err = d.render(short); err != nil {
			return nil, g.failed(x.r.Context(), what, reg, 0, err)
		}
	}
	src.contentType = "application/json"
	return src, nil
}

// packument is the description of a package, parsed as far as is needed to
// remove versions.
type packument struct {
	rest                  map[string]json.RawMessage
	versions, times, tags map[string]json.RawMessage
}

func parsePackument(body []byte) (*packument, error) {
	d := &packument{}
	if json.Unmarshal(body, &d.rest) != nil || d.rest == nil {
		return nil, errors.New("it is no description of a package")
	}
	d.versions, d.times, d.tags = d.take("versions"), d.take("time"), d.take("dist-tags")
	return d, nil
}

// take removes an object from the rest and returns it, nil if it is missing.
func (d *packument) take(name string) map[string]json.RawMessage {
	var fields map[string]json.RawMessage
	if json.Unmarshal(d.rest[name], &fields) != nil {
		fields = nil
	}
	delete(d.rest, name)
	return fields
}

// cut removes later versions, and returns how many remain whose date is
// unknown.
func (d *packument) cut(isLater func(time.Time) bool) (unknown int) {
	removed := false
	for version := range d.versions {
		switch date := published.ParseDate(textOf(d.times[version])); {
		case date.IsZero():
			unknown++
		case isLater(date):
			delete(d.versions, version)
			delete(d.times, version)
			removed = true
		}
	}
	if removed {
		d.moveTags()
	}
	return unknown
}

// moveTags sets "latest" to the version it probably pointed to at that time,
// and drops other tags whose version was removed.
func (d *packument) moveTags() {
	was := textOf(d.tags[tagLatest])
	for tag, raw := range d.tags {
		if _, stays := d.versions[textOf(raw)]; !stays {
			delete(d.tags, tag)
		}
	}
	if _, stays := d.tags[tagLatest]; stays || was == "" {
		return
	}
	if now := d.newest(was); now != "" {
		d.tags[tagLatest] = quote(now)
	}
}

// newest is the highest version up to limit, a pre-release only if there is
// nothing else; "" if there is none.
func (d *packument) newest(limit string) string {
	most := parseVersion(limit)
	name, best := "", (*semver.Version)(nil)
	for text := range d.versions {
		v := parseVersion(text)
		if v == nil || most != nil && v.Compare(most) > 0 {
			continue
		}
		if best == nil || isNewer(v, best) || v.Compare(best) == 0 && text > name {
			name, best = text, v
		}
	}
	return name
}

func isNewer(a, b *semver.Version) bool {
	if a.IsPrerelease() != b.IsPrerelease() {
		return b.IsPrerelease()
	}
	return a.Compare(b) > 0
}

// parseVersion returns nil for an invalid version.
func parseVersion(text string) *semver.Version {
	if !exactVersion.MatchString(text) {
		return nil
	}
	v, err := semver.NPM.Parse(text)
	if err != nil {
		return nil
	}
	return v
}

// version is the description of a version, by its name or by a tag; nil if it
// is missing.
func (d *packument) version(name string) []byte {
	if raw, ok := d.versions[name]; ok {
		return raw
	}
	return d.versions[textOf(d.tags[name])]
}

// render encodes it again: all of it, or what an installation needs.
func (d *packument) render(short bool) ([]byte, error) {
	all := d.rest
	if short {
		all = only(d.rest, "name")
		for name, raw := range d.versions {
			var fields map[string]json.RawMessage
			if json.Unmarshal(raw, &fields) == nil {
				d.versions[name] = marshal(only(fields, installFields()...))
			}
		}
	} else if d.times != nil {
		all["time"] = marshal(d.times)
	}
	if d.tags != nil {
		all["dist-tags"] = marshal(d.tags)
	}
	if d.versions != nil {
		all["versions"] = marshal(d.versions)
	}
	return json.Marshal(all)
}

// installFields are the parts of a version that npm uses to install. The short
// form has hasInstallScript instead of the scripts, the long form does not.
func installFields() []string {
	return strings.Fields(`name version deprecated dependencies optionalDependencies peerDependencies peerDependenciesMeta
		acceptDependencies bundleDependencies bundledDependencies bin directories dist engines cpu os libc
		hasInstallScript scripts gypfile _hasShrinkwrap`)
}

func only(fields map[string]json.RawMessage, names ...string) map[string]json.RawMessage {
	kept := map[string]json.RawMessage{}
	for _, name := range names {
		if raw, ok := fields[name]; ok {
			kept[name] = raw
		}
	}
	return kept
}

func marshal(fields map[string]json.RawMessage) json.RawMessage {
	b, _ := json.Marshal(fields) //nolint:errchkjson // what was read can be written
	return b
}

// textOf is a JSON string, "" if it is something else.
func textOf(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}
