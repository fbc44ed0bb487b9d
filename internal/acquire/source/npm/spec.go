package npm

import (
	"slices"
	"strings"

	"deps.dev/util/semver"

	"github.com/mcpsf/mcpsf/internal/acquire/archive"
	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

const prefix = "npm:"

// request is a package and the requested version.
type request struct {
	name string
	// want is a version, a range or a tag; "latest" if none was given.
	want string
	kind wantKind
}

type wantKind int

const (
	wantTag wantKind = iota
	wantVersion
	wantRange
)

var (
	partForm = lazyregexp.New(`^[A-Za-z0-9_~-][A-Za-z0-9._~-]*$`)
	// exactForm matches a published version.
	exactForm = lazyregexp.New(`^[0-9]{1,15}\.[0-9]{1,15}\.[0-9]{1,15}(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$`)
)

// matches reports whether source is written as an npm package: with the prefix,
// or with a scope. "name" alone is a path, and so is a name with more
// separators or an archive's extension.
func matches(source string) bool {
	if strings.HasPrefix(source, prefix) {
		return true
	}
	name, want := cutName(source)
	lower := strings.ToLower(source)
	return strings.HasPrefix(source, "@") && badName(name) == "" && !strings.ContainsAny(want, `/\`) &&
		!slices.ContainsFunc(archive.Suffixes(), func(s string) bool { return strings.HasSuffix(lower, s) })
}

// cutName splits at the "@" that is not the scope's.
func cutName(source string) (name, want string) {
	if i := strings.LastIndexByte(source[:min(len(source), 1)], '@') + 1; i < len(source) {
		if at := strings.IndexByte(source[i:], '@'); at >= 0 {
			return source[:i+at], source[i+at+1:]
		}
	}
	return source, ""
}

func parseSpec(source string) (request, error) {
	// no gap: a larger package, manifest or list is refused with an error
	const maxWant = 256
	name, want := cutName(strings.TrimPrefix(source, prefix))
	if why := badName(name); why != "" {
		return request{}, usererr.Usage("%s is no npm package: %s; write it as in npm:name, npm:name@1.2.3 or @scope/name", usererr.Quote(source), why)
	}
	spec := request{name: name, want: strings.TrimSpace(want)}
	exact := strings.TrimLeft(spec.want, "v= ")
	switch {
	case spec.want == "":
		spec.want = "latest"
	case len(spec.want) > maxWant:
		return request{}, usererr.Usage("what is asked of npm package %s is longer than %d characters; ask for a version, a range or a tag", usererr.Quote(name), maxWant)
	case exactForm.MatchString(exact):
		spec.kind, spec.want = wantVersion, exact
	case parseRange(spec.want) != nil:
		spec.kind = wantRange
	case !partForm.MatchString(spec.want):
		return request{}, usererr.Usage("%s of npm package %s is neither a version nor a range nor a tag; write it as in npm:name@1.2.3, npm:name@^1.2 or npm:name@latest",
			usererr.Quote(spec.want), usererr.Quote(name))
	}
	return spec, nil
}

// scope is "@x" of "@x/name", "" if there is none.
func (s request) scope() string {
	if scope, _, ok := strings.Cut(s.name, "/"); ok {
		return scope
	}
	return ""
}

// badName says why a name is invalid, "" if it is valid. A valid name is safe
// in URLs, paths and messages.
func badName(name string) string {
	// no gap: a larger package, manifest or list is refused with an error
	const most = 214
	plain := name
	if scoped, ok := strings.CutPrefix(name, "@"); ok {
		scope, rest, ok := strings.Cut(scoped, "/")
		if !ok {
			return "the scope is not followed by a name"
		}
		if !partForm.MatchString(scope) {
			return "the scope has characters that no scope has"
		}
		plain = rest
	}
	switch {
	case plain == "":
		return "it has no name"
	case len(name) > most:
		return "its name is longer than a package's can be"
	case !partForm.MatchString(plain), plain == name && strings.HasPrefix(name, "_"):
		return "its name has characters that no package's has"
	case strings.EqualFold(name, "node_modules"), strings.EqualFold(name, "favicon.ico"):
		return "no package may be called that"
	}
	return ""
}

// rangeSet is what a range allows; any of its parts suffices.
type rangeSet []*semver.Constraint

// parseRange returns nil for an invalid range. The parts are kept apart because
// the library joins neighbouring ones too generously.
func parseRange(s string) rangeSet {
	var set rangeSet
	for part := range strings.SplitSeq(s, "||") {
		c, err := semver.NPM.ParseConstraint(strings.TrimSpace(part))
		if err != nil {
			return nil
		}
		set = append(set, c)
	}
	return set
}

func (set rangeSet) match(v *semver.Version) bool {
	return slices.ContainsFunc(set, func(c *semver.Constraint) bool { return c.MatchVersion(v) })
}
