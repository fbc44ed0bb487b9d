package history

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf/internal/judge/rules/declared"
)

func TestClaimsAboutAPath(t *testing.T) {
	var claims []declared.Claim
	for i := range 20 {
		claims = append(claims, declared.Claim{Path: fmt.Sprintf("/srv/%d", i)})
	}
	for _, p := range []string{"/home/dev/a", "/home/dev/a/b.md", "/home", "/home/dev/a", "/home/dev/ab"} {
		claims = append(claims, declared.Claim{Path: p, Source: fmt.Sprint(len(claims))})
	}
	x := newClaimIndex(claims)
	for target, want := range map[string][]string{
		"/home/dev/a/b.md":  {"20", "21", "22", "23"},
		"/home/dev/a/b.pdf": {"20", "21", "22", "23"},
		"/home/dev/c":       {"20", "22", "23", "24"},
		"/etc/passwd":       nil,
	} {
		var got []string
		for _, c := range x.about(target) {
			got = append(got, c.Source)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", target, diff)
		}
	}
}
