package advisory

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/static/advisory/osv"
)

func TestAdvisories(t *testing.T) {
	rated := func(id, rating string, aliases ...string) *osv.Record {
		return &osv.Record{ID: id, Rating: rating, Aliases: aliases}
	}
	old := &osv.Record{ID: "GHSA-1", Summary: "old", Modified: time.Unix(1, 0)}
	changed := &osv.Record{ID: "GHSA-1", Summary: "new", Modified: time.Unix(2, 0)}
	type line struct {
		id        string
		aliases   []string
		severity  mcpsf.Severity
		malicious bool
	}
	for _, tt := range []struct {
		name    string
		records []*osv.Record
		want    []line
	}{
		{"nothing", nil, nil},
		{"different ones, the worst first", []*osv.Record{rated("GHSA-1", "low"), rated("GHSA-2", "high"), rated("GHSA-3", "")},
			[]line{{"GHSA-2", nil, "high", false}, {"GHSA-3", nil, "medium", false}, {"GHSA-1", nil, "low", false}}},
		{"two that name each other", []*osv.Record{rated("PYSEC-1", "", "GHSA-1"), rated("GHSA-1", "low", "PYSEC-1")},
			[]line{{"GHSA-1", []string{"PYSEC-1"}, "low", false}}},
		{"two that have a third in common", []*osv.Record{rated("PYSEC-1", "", "CVE-1"), rated("GHSA-1", "high", "CVE-1")},
			[]line{{"GHSA-1", []string{"CVE-1", "PYSEC-1"}, "high", false}}},
		{"a chain", []*osv.Record{rated("GHSA-1", "low", "CVE-1"), rated("GHSA-2", "critical", "CVE-2"), rated("PYSEC-1", "", "CVE-1", "CVE-2")},
			[]line{{"GHSA-1", []string{"CVE-1", "CVE-2", "GHSA-2", "PYSEC-1"}, "critical", false}}},
		{"malicious goes first", []*osv.Record{rated("GHSA-1", "low", "MAL-1"), rated("MAL-1", "")},
			[]line{{"MAL-1", []string{"GHSA-1"}, "critical", true}}},
		{"a CVE names itself last", []*osv.Record{rated("CVE-1", ""), rated("GO-1", "", "CVE-1")},
			[]line{{"GO-1", []string{"CVE-1"}, "medium", false}}},
		{"the same twice", []*osv.Record{old, changed}, []line{{"GHSA-1", nil, "medium", false}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []line
			for _, a := range advisories(tt.records, osv.NewPackage("npm", "x", "1.0.0"), &mcpsf.Package{}) {
				got = append(got, line{a.ID, a.Aliases, a.Severity, a.Malicious})
			}
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(line{})); diff != "" {
				t.Errorf("advisories (-want +got):\n%s", diff)
			}
		})
	}
	if got := advisories([]*osv.Record{old, changed}, osv.NewPackage("npm", "x", "1"), &mcpsf.Package{}); got[0].Summary != "new" {
		t.Errorf("of two with one id %q is used, want the newer", got[0].Summary)
	}
}
