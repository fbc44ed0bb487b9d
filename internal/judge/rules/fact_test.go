package rules

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

// A finding names its package and the advisories about it; one about several
// packages names none of them.
func TestFindingsNameThePackage(t *testing.T) {
	type named struct {
		Package    string
		Advisories []string
	}
	facts := []mcpsf.Fact{
		{Kind: "dependency.vulnerable", Name: "pkg:npm/a@1", Advisory: "GHSA-1", Path: "package-lock.json"},
		{Kind: "dependency.vulnerable", Name: "pkg:npm/a@1", Advisory: "GHSA-2", Path: "package-lock.json"},
		{Kind: "dependency.vulnerable", Name: "pkg:npm/b@1", Advisory: "GHSA-1", Path: "package-lock.json"},
		{Kind: "code.minified", Path: "node_modules/c/x.js", Package: "pkg:npm/c@1"},
		{Kind: "code.minified", Path: "x.js"},
	}
	for form, want := range map[string][]named{
		"facts: [dependency.vulnerable]\nwhen: 'true'\ngroup: [subject]\n": {{"pkg:npm/a@1", []string{"GHSA-1", "GHSA-2"}}, {"pkg:npm/b@1", []string{"GHSA-1"}}},
		"facts: [dependency.vulnerable]\nwhen: 'true'\ngroup: []\n":        {{"", []string{"GHSA-1", "GHSA-2"}}},
		"facts: [code.minified]\nwhen: 'true'\ngroup: [subject]\n":         {{"pkg:npm/c@1", nil}, {"", nil}},
	} {
		judged, err := formed(t, form).Evaluate(nil, facts, testScope())
		if err != nil {
			t.Fatal(err)
		}
		var got []named
		for _, f := range judged.Findings {
			got = append(got, named{f.Package, f.Advisories})
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", form, diff)
		}
	}
}
