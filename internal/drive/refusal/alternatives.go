package refusal

import (
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// Several members of which one group is enough: "provide either: 1) projectSlug with
// branch, 2) projectURL, or 3) workspaceRoot with gitRemoteURL and branch".
var (
	eitherOf = lazyregexp.New(`(?i)\b(?:provide|specify|supply|pass|give|use|need|requires?)s? either:? ([^\n]{1,400})`)
	// nextGroup stands between two groups.
	nextGroup = lazyregexp.New(`(?i)(?:,\s*|\s+)or\s+(?:both\s+)?(?:\(?\d\)\s*)?|,\s*(?:\(?\d\)\s*)|^\(?\d\)\s*`)
	// group is a member, and those that go with it.
	group   = lazyregexp.New(`^\s*["'\x60]?((?-i:[a-z]+(?:_[a-z0-9_]+|[A-Z]\w*)))["'\x60]?((?: (?:with|and|plus) ["'\x60]?\w+["'\x60]?)*)`)
	andThen = lazyregexp.New(` (?:with|and|plus) ["'\x60]?(\w+)`)
)

// groups reads a choice between groups of members, and reports whether there is one. The
// first group is wished.
func (r *reader) groups(text string) bool {
	m := eitherOf.FindStringSubmatch(text)
	if m == nil {
		return false
	}
	rest, _, _ := strings.Cut(m[1], ". ")
	var heads []string
	var companions [][]string
	several := false
	for _, part := range nextGroup.Split(rest, maxWishes) {
		g := group.FindStringSubmatch(part)
		if g == nil {
			continue
		}
		var with []string
		for _, other := range andThen.FindAllStringSubmatch(g[2], maxDepth) {
			with = append(with, other[1])
		}
		heads, companions, several = append(heads, g[1]), append(companions, with), several || len(with) > 0
	}
	if len(heads) < 2 || !several && !strings.Contains(rest, "2)") {
		return false // another form of words says it
	}
	r.add(mcpsf.Wish{Kind: mcpsf.WishOneMember, Accepted: heads})
	for _, name := range companions[0] {
		r.add(mcpsf.Wish{Kind: mcpsf.WishMissing, Path: []string{name}})
	}
	return true
}
