package digest

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

// The report says that there are no advisories only if a lookup could have found some.
func TestLookedUp(t *testing.T) {
	run := time.Date(2026, 1, 20, 12, 0, 0, 0, time.UTC)
	fresh := mcpsf.AdvisorySource{Name: "database on this machine", Ecosystem: "npm", Records: 2, Fetched: run.Add(-50 * time.Hour)}
	old := mcpsf.AdvisorySource{Name: "osv.example", Exported: run.AddDate(-1, 0, 0), Stale: true}
	some := make([]mcpsf.Package, 3)
	one := []mcpsf.Advisory{{ID: "A", Package: "p"}, {ID: "B", Package: "p"}}
	for name, tt := range map[string]struct {
		in     mcpsf.Inspection
		want   string
		unsure bool
	}{
		"nothing published":    {mcpsf.Inspection{Packages: some, Lookup: mcpsf.Lookup{Packages: 3, Sources: []mcpsf.AdvisorySource{fresh}}}, "No advisory for the 3 packages checked.", false},
		"one package":          {mcpsf.Inspection{Packages: some[:1], Lookup: mcpsf.Lookup{Packages: 1, Sources: []mcpsf.AdvisorySource{fresh}}}, "No advisory for the 1 package checked.", false},
		"something published":  {mcpsf.Inspection{Packages: some, Advisories: one, Lookup: mcpsf.Lookup{Packages: 3, Sources: []mcpsf.AdvisorySource{fresh}}}, "2 advisories about 1 package.", false},
		"nothing to ask":       {mcpsf.Inspection{Packages: some, Lookup: mcpsf.Lookup{Missing: "there is no database.", Unknown: 3}}, "Advisories were not checked: there is no database. Known vulnerabilities of 3 packages are unknown.", true},
		"an old one":           {mcpsf.Inspection{Packages: some, Lookup: mcpsf.Lookup{Packages: 3, Sources: []mcpsf.AdvisorySource{fresh, old}}}, "No advisory found for 3 packages, but the database is too old to rule one out.", true},
		"something in old one": {mcpsf.Inspection{Packages: some, Advisories: one, Lookup: mcpsf.Lookup{Packages: 3, Sources: []mcpsf.AdvisorySource{old}}}, "2 advisories about 1 package. The database is old: there may be more.", true},
		"broken off":           {mcpsf.Inspection{Packages: some, Advisories: one, Lookup: mcpsf.Lookup{Packages: 1, Missing: "timeout", Sources: []mcpsf.AdvisorySource{fresh}}}, "2 advisories about 1 package. Not all could be checked: timeout.", true},
		"some unknown":         {mcpsf.Inspection{Packages: some, Lookup: mcpsf.Lookup{Packages: 2, Unknown: 1, Sources: []mcpsf.AdvisorySource{fresh}}}, "No advisory for the 2 packages checked. Not checked: 1 package without a version, or of an ecosystem that no source covers.", true},
		"all unknown":          {mcpsf.Inspection{Packages: some, Lookup: mcpsf.Lookup{Unknown: 3, Sources: []mcpsf.AdvisorySource{fresh}}}, "None of the packages could be checked, so their known vulnerabilities are unknown.", true},
		"nobody was asked":     {mcpsf.Inspection{Packages: some, Lookup: mcpsf.Lookup{Packages: 3}}, "None of the packages could be checked, so their known vulnerabilities are unknown.", true},
		"no packages":          {mcpsf.Inspection{Lookup: mcpsf.Lookup{Missing: "there is no database"}}, "No packages found, so there was nothing to check.", false},
	} {
		t.Run(name, func(t *testing.T) {
			got := LookUp(&tt.in, run)
			if diff := cmp.Diff(tt.want, strings.Join(got.Sentences, " ")); diff != "" || got.Unsure != tt.unsure {
				t.Errorf("unsure: %t (-want +got):\n%s", got.Unsure, diff)
			}
		})
	}
	if got := sourceWords(&fresh, run); got != "database on this machine, npm, 2 records, fetched 2026-01-18, 2 days before the run" {
		t.Error(got)
	}
}

func TestWorstFirst(t *testing.T) {
	var got []string
	for _, a := range WorstFirst([]mcpsf.Advisory{
		{ID: "low", Severity: mcpsf.SeverityLow},
		{ID: "idle", Severity: mcpsf.SeverityHigh, Score: 8, Loaded: mcpsf.LoadedNo},
		{ID: "loaded", Severity: mcpsf.SeverityHigh, Score: 8, Loaded: mcpsf.LoadedYes},
		{ID: "higher", Severity: mcpsf.SeverityHigh, Score: 8.5, Loaded: mcpsf.LoadedNo},
		{ID: "strange", Severity: "strange", Score: 10},
		{ID: "malicious", Malicious: true},
	}) {
		got = append(got, a.ID)
	}
	if diff := cmp.Diff("malicious higher loaded idle low strange", strings.Join(got, " ")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
