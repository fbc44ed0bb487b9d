package html

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

func TestSourceTools(t *testing.T) {
	tool := func(name string) mcpsf.Tool { return mcpsf.Tool{Name: name} }
	source := []mcpsf.SourceTool{{Tool: tool("a"), Path: "x.js", Line: 3}, {Tool: tool("b"), Path: "x.js"}, {Tool: tool("b"), Path: "y.js"}}
	for name, tt := range map[string]struct {
		report mcpsf.Report
		want   sourceToolsView
	}{
		"both ways": {
			mcpsf.Report{Session: mcpsf.Session{Tools: []mcpsf.Tool{tool("a"), tool("c")}}},
			sourceToolsView{Total: 3, Compared: true, Common: 1, Unlisted: []sourceToolView{{Name: "b", Where: "x.js"}}, Unfound: []string{"c"}},
		},
		"an empty list": {
			mcpsf.Report{Session: mcpsf.Session{Calls: []mcpsf.Call{{Method: "tools/list", Status: mcpsf.CallOK}}}},
			sourceToolsView{Total: 3, Compared: true, Unlisted: []sourceToolView{{Name: "a", Where: "x.js:3"}, {Name: "b", Where: "x.js"}}},
		},
		"never asked": {
			mcpsf.Report{Session: mcpsf.Session{Calls: []mcpsf.Call{{Method: "tools/list", Status: mcpsf.CallCrashed}}}},
			sourceToolsView{Total: 3, Unlisted: []sourceToolView{{Name: "a", Where: "x.js:3"}, {Name: "b", Where: "x.js"}}},
		},
		"nothing was run": {
			mcpsf.Report{Coverage: mcpsf.Coverage{Static: true}, Session: mcpsf.Session{Tools: []mcpsf.Tool{tool("c")}}},
			sourceToolsView{Total: 3, Unlisted: []sourceToolView{{Name: "a", Where: "x.js:3"}, {Name: "b", Where: "x.js"}}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, compositionSection{build(&tt.report)}.sourceTools(source)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestWay(t *testing.T) {
	in := &mcpsf.Inspection{Packages: []mcpsf.Package{{Name: "@s/a", PURL: "pkg:npm/%40s/a@1"}}}
	for i := range 12 {
		in.Packages = append(in.Packages, mcpsf.Package{Name: fmt.Sprint("p", i), PURL: fmt.Sprint("p", i)})
	}
	known := newInventory(in)
	long := strings.Fields("p0 p1 p2 p3 p4 p5 p6 p7 p8 p9 p10 p11")
	for want, via := range map[string][]string{
		"not known":               nil,
		"asked for by the server": {},
		"@s/a › npm/b c@2":        {"pkg:npm/%40s/a@1", "pkg:npm/b%20c@2"},
		"p0 › p1 › p2 › p3 › p4 › p5 › p6 › … › p11": long,
	} {
		if got := known.way(&mcpsf.Package{Via: via}); got != want {
			t.Errorf("%q is %q, want %q", via, got, want)
		}
	}
}

// The list begins with what needs attention, and says how long it is.
func TestParts(t *testing.T) {
	in := &mcpsf.Inspection{Advisories: []mcpsf.Advisory{{Package: "bad", Severity: mcpsf.SeverityHigh}, {Package: "bad"}}}
	for i := range 30_000 {
		in.Packages = append(in.Packages, mcpsf.Package{Name: fmt.Sprintf("p%05d", i), PURL: fmt.Sprint(i), Via: []string{"x"}, Licences: []string{"MIT"}})
	}
	in.Packages[7].PURL, in.Packages[9].Via, in.Packages[11].Loaded = "bad", []string{}, mcpsf.LoadedYes
	v := compositionSection{build(&mcpsf.Report{})}.parts(newInventory(in))
	if len(v.Rows) != fewParts || v.Rows[0].Name != "p00007" || v.Rows[0].Advisories != "2 advisories" || v.Rows[0].Level != "high" || v.Rows[1].Name != "p00009" {
		t.Errorf("%d rows, first %+v", len(v.Rows), v.Rows[:2])
	}
	if v.Missing != 30_000-len(v.data.Rows) || v.Missing < 10_000 || v.used > roomParts+1000 {
		t.Errorf("%d rows, %d missing, %d bytes", len(v.data.Rows), v.Missing, v.used)
	}
	want := []fact{{Name: "counted", Value: "0 installed, 1 asked for by the server, 1 loaded in the run"}, {Name: "ecosystems", Value: "unknown 30,000"}, {Name: "licences", Value: "MIT 30,000"}}
	if diff := cmp.Diff(want, v.Facts); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
