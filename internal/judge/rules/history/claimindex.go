package history

import (
	"path"
	"slices"

	"github.com/mcpsf/mcpsf/internal/judge/rules/declared"
)

// claimIndex finds the claims that may concern a path without asking all of
// them: a call can name hundreds of paths, and a server can touch any number of
// files in it.
type claimIndex struct {
	claims []declared.Claim
	// byPath and byDir are the positions of the claims of a path, and of those in
	// a directory.
	byPath, byDir map[string][]int
}

func newClaimIndex(claims []declared.Claim) *claimIndex {
	x := &claimIndex{claims: claims, byPath: map[string][]int{}, byDir: map[string][]int{}}
	for i, c := range claims {
		dir := path.Dir(c.Path)
		x.byPath[c.Path] = append(x.byPath[c.Path], i)
		x.byDir[dir] = append(x.byDir[dir], i)
	}
	return x
}

// about returns the claims that name the path, a directory above it, or a
// neighbour in its directory, in their order.
func (x *claimIndex) about(target string) []declared.Claim {
	found := slices.Clone(x.byDir[path.Dir(target)])
	for p := target; ; p = path.Dir(p) {
		found = append(found, x.byPath[p]...)
		if p == "/" || p == "." {
			break
		}
	}
	slices.Sort(found)
	out := make([]declared.Claim, 0, len(found))
	for _, i := range slices.Compact(found) {
		out = append(out, x.claims[i])
	}
	return out
}

// fewClaims is how many claims are asked one by one.
const fewClaims = 8

// ClaimsAbout returns the claims of the configuration and of a call that may
// concern a clean path.
func (l *Calls) ClaimsAbout(id, target string) []declared.Claim {
	c := l.ByID[id]
	if c == nil {
		return l.declared.Config.Claims
	}
	if c.index == nil {
		c.index = newClaimIndex(l.AllClaims(id))
	}
	if len(c.index.claims) <= fewClaims {
		return c.index.claims
	}
	return c.index.about(target)
}
