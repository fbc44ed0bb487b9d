package repodiff

import (
	"slices"
	"strings"
)

// Refs returns the commits and tags that fit a version, the likeliest first:
// the one that the package itself names, then the usual names of tags. In a
// repository of several packages a plain number may belong to another.
func Refs(name, version, dir, commit string) []string {
	var refs []string
	if commit != "" {
		refs = append(refs, commit)
	}
	if version == "" {
		return refs
	}
	_, short, scoped := strings.Cut(name, "/")
	if !scoped {
		short = name
	}
	plain := []string{"v" + version, version}
	named := []string{name + "@" + version, short + "@" + version, short + "-v" + version, short + "-" + version, short + "/v" + version}
	if dir != "" {
		plain, named = named, plain
	}
	for _, ref := range slices.Concat(plain, named) {
		if !slices.Contains(refs, ref) {
			refs = append(refs, ref)
		}
	}
	return refs
}
