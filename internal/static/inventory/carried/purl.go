package carried

import (
	"net/url"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/inventory/part"
	"github.com/mcpsf/mcpsf/internal/static/inventory/python"
)

// parse parses a package URL. An unknown type is used as ecosystem, so that the
// package is at least listed.
func parse(purl string) (id part.ID, from string, ok bool) {
	rest, ok := strings.CutPrefix(purl, "pkg:")
	if !ok {
		return id, "", false
	}
	rest, _, _ = strings.Cut(rest, "#")
	rest, query, _ := strings.Cut(rest, "?")
	if values, err := url.ParseQuery(query); err == nil {
		from = values.Get("download_url")
	}
	kind, name, _ := strings.Cut(strings.Trim(rest, "/"), "/")
	if at := strings.LastIndexByte(name, '@'); at > 0 {
		name, id.Version = name[:at], plain(name[at+1:])
	}
	id.Ecosystem, id.Name = named(strings.ToLower(kind), plain(name))
	return id, from, id.Name != ""
}

// named returns the ecosystem of a type, and the name in that ecosystem's form.
func named(kind, name string) (ecosystem, own string) {
	switch kind {
	case "cargo":
		return mcpsf.EcosystemRust, name
	case "pypi":
		return mcpsf.EcosystemPyPI, python.Normal(name)
	case "npm":
		return mcpsf.EcosystemNPM, name
	case "golang":
		return mcpsf.EcosystemGo, name
	case "maven":
		return mcpsf.EcosystemMaven, strings.Replace(name, "/", ":", 1)
	}
	// Names of system packages begin with the distribution.
	return kind, name[strings.LastIndexByte(name, '/')+1:]
}

func plain(s string) string {
	if out, err := url.PathUnescape(s); err == nil {
		return out
	}
	return s
}
