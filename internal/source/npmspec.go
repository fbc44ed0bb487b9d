package source

import (
	"regexp"
	"slices"
	"strings"

	"deps.dev/util/semver"
)

const npmPrefix = "npm:"

// npmSpec is a package and what of it was asked for.
type npmSpec struct {
	name string
	// want is a version, a range or a tag; "latest" if nothing was said.
	want string
	kind npmWant
}

type npmWant int

const (
	npmTag npmWant = iota
	npmVersion
	npmRange
)

var (
	npmPart = regexp.MustCompile(`^[A-Za-z0-9_~-][A-Za-z0-9._~-]*$`)
	// npmExact is a version as it is published.
	npmExact = regexp.MustCompile(`^[0-9]{1,15}\.[0-9]{1,15}\.[0-9]{1,15}(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$`)
)

// isNPM reports whether source is written as an npm package: with the prefix,
// or with a scope. "name" alone is a path, and so is what has further
// separators or the name of an archive.
func isNPM(source string) bool {
	if strings.HasPrefix(source, npmPrefix) {
		return true
	}
	name, want := cutNPM(source)
	lower := strings.ToLower(source)
	return strings.HasPrefix(source, "@") && badNPMName(name) == "" && !strings.ContainsAny(want, `/\`) &&
		!slices.ContainsFunc(archiveSuffixes(), func(s string) bool { return strings.HasSuffix(lower, s) })
}

// cutNPM splits at the "@" that is not the scope's.
func cutNPM(source string) (name, want string) {
	if i := strings.LastIndexByte(source[:min(len(source), 1)], '@') + 1; i < len(source) {
		if at := strings.IndexByte(source[i:], '@'); at >= 0 {
			return source[:i+at], source[i+at+1:]
		}
	}
	return source, ""
}

func parseNPM(source string) (npmSpec, error) {
	const maxWant = 256
	name, want := cutNPM(strings.TrimPrefix(source, npmPrefix))
	if why := badNPMName(name); why != "" {
		return npmSpec{}, usage("%s is no npm package: %s; write it as in npm:name, npm:name@1.2.3 or @scope/name", quote(source), why)
	}
	spec := npmSpec{name: name, want: strings.TrimSpace(want)}
	exact := strings.TrimLeft(spec.want, "v= ")
	switch {
	case spec.want == "":
		spec.want = "latest"
	case len(spec.want) > maxWant:
		return npmSpec{}, usage("what is asked of npm package %s is longer than %d characters; ask for a version, a range or a tag", quote(name), maxWant)
	case npmExact.MatchString(exact):
		spec.kind, spec.want = npmVersion, exact
	case parseNPMRange(spec.want) != nil:
		spec.kind = npmRange
	case !npmPart.MatchString(spec.want):
		return npmSpec{}, usage("%s of npm package %s is neither a version nor a range nor a tag; write it as in npm:name@1.2.3, npm:name@^1.2 or npm:name@latest",
			quote(spec.want), quote(name))
	}
	return spec, nil
}

// scope is "@x" of "@x/name", "" if there is none.
func (s npmSpec) scope() string {
	if scope, _, ok := strings.Cut(s.name, "/"); ok {
		return scope
	}
	return ""
}

// badNPMName says why no package can be called so, "" if one can. Whatever
// passes is safe in addresses, paths and messages.
func badNPMName(name string) string {
	const most = 214
	plain := name
	if scoped, ok := strings.CutPrefix(name, "@"); ok {
		scope, rest, ok := strings.Cut(scoped, "/")
		if !ok {
			return "the scope is not followed by a name"
		}
		if !npmPart.MatchString(scope) {
			return "the scope has characters that no scope has"
		}
		plain = rest
	}
	switch {
	case plain == "":
		return "it has no name"
	case len(name) > most:
		return "its name is longer than a package's can be"
	case !npmPart.MatchString(plain), plain == name && strings.HasPrefix(name, "_"):
		return "its name has characters that no package's has"
	case strings.EqualFold(name, "node_modules"), strings.EqualFold(name, "favicon.ico"):
		return "no package may be called that"
	}
	return ""
}

// npmRangeSet is what a range allows; any of its parts suffices.
type npmRangeSet []*semver.Constraint

// parseNPMRange returns nil if it is no range. The parts are kept apart
// because the library joins neighbouring ones too generously.
func parseNPMRange(s string) npmRangeSet {
	var set npmRangeSet
	for part := range strings.SplitSeq(s, "||") {
		c, err := semver.NPM.ParseConstraint(strings.TrimSpace(part))
		if err != nil {
			return nil
		}
		set = append(set, c)
	}
	return set
}

func (set npmRangeSet) match(v *semver.Version) bool {
	return slices.ContainsFunc(set, func(c *semver.Constraint) bool { return c.MatchVersion(v) })
}
