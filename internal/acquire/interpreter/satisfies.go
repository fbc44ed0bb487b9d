package interpreter

import (
	"strings"

	"deps.dev/util/semver"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// maxNeeds bounds the text of a range; real ones are shorter.
// no gap: bounds the toolchain that we fetch, not the server
const maxNeeds = 512

// Satisfies reports whether a version of a runtime meets a package's
// requirement: engines.node with npm's meaning, or Requires-Python with that of
// PEP 440. Every version meets an empty or unreadable requirement; "" meets no
// other.
//
// Pre-releases and local builds count as the version they lead to, as in npm
// and pip.
func Satisfies(rt mcpsf.Runtime, version, needs string) bool {
	match, ok := parseNeeds(rt, needs)
	return !ok || match(release(version))
}

// parseNeeds returns a predicate for versions; false if every version will do.
func parseNeeds(rt mcpsf.Runtime, needs string) (func(version string) bool, bool) {
	needs = strings.TrimSpace(needs)
	if needs == "" || needs == "*" || len(needs) > maxNeeds {
		return nil, false
	}
	system, alternatives := semver.NPM, strings.Split(strings.TrimPrefix(needs, "node "), "||")
	if rt == mcpsf.RuntimePython {
		system, alternatives = semver.PyPI, []string{strings.TrimRight(needs, ", ")}
	}
	// The library merges alternatives into one range that is too wide, so each
	// is checked alone.
	var ranges []*semver.Constraint
	for _, text := range alternatives {
		c, err := system.ParseConstraint(strings.TrimSpace(text))
		if err != nil {
			return nil, false
		}
		ranges = append(ranges, c)
	}
	return func(version string) bool {
		for _, c := range ranges {
			if version != "" && c.Match(version) {
				return true
			}
		}
		return false
	}, true
}

var releaseText = lazyregexp.New(`^\d{1,9}(\.\d{1,9}){0,2}`)

// release reduces a version to its numbers.
func release(version string) string {
	return releaseText.FindString(strings.TrimPrefix(version, "v"))
}
