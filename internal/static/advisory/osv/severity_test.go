package osv

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

// The examples of the specifications.
func TestScores(t *testing.T) {
	for vector, want := range map[string]float64{
		"CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N": 6.1,
		"CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:C/C:L/I:L/A:N": 6.4,
		"CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N": 3.1,
		"CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:C/C:H/I:H/A:H": 9.9,
		"CVSS:3.1/AV:L/AC:L/PR:H/UI:N/S:U/C:L/I:L/A:L": 4.2,
		"CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H": 8.8,
		"CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N": 7.5,
		"CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H": 9.8,
		"CVSS:3.1/AV:P/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H": 6.8,
		"CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N": 0,
		"CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H": 9.8,
		"CVSS:3.0/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N": 3.1,

		"CVSS:4.0/AV:L/AC:L/AT:P/PR:L/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N": 7.3,
		"CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:P/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N": 7.7,
		"CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:N/VC:H/VI:L/VA:L/SC:N/SI:N/SA:N": 8.3,
		"CVSS:4.0/AV:L/AC:L/AT:N/PR:N/UI:A/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N": 4.6,
		"CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:A/VC:N/VI:N/VA:N/SC:L/SI:L/SA:N": 5.1,
		"CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:L/VA:N/SC:N/SI:N/SA:N": 6.9,
		"CVSS:4.0/AV:L/AC:L/AT:N/PR:H/UI:N/VC:N/VI:N/VA:N/SC:H/SI:N/SA:N": 5.9,
		"CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N": 8.7,
		"CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N": 9.3,
		"CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H": 10,

		"AV:N/AC:L/Au:N/C:P/I:P/A:P": 7.5,
		"AV:N/AC:L/Au:N/C:N/I:N/A:C": 7.8,
	} {
		if got, kind := scoreOf(vector); got != want || kind == 0 {
			t.Errorf("%s: score %.1f, want %.1f", vector, got, want)
		}
	}
	for _, vector := range []string{"", "9.8", "CVSS:3.1/AV:N", "CVSS:5.0/AV:N/AC:L", "CVSS:4.0/", "AV:N/AC:L/Au:N/C:P/I:P/A:P/X:Y"} {
		if score, kind := scoreOf(vector); kind != 0 {
			t.Errorf("%q: score %.1f, want none", vector, score)
		}
	}
}

func TestJudge(t *testing.T) {
	v2 := Severity{"CVSS_V2", "AV:N/AC:L/Au:N/C:P/I:P/A:P"}
	v3 := Severity{"CVSS_V3", "CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N"}
	v4 := Severity{"CVSS_V4", "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:L/VA:N/SC:N/SI:N/SA:N"}
	affected := []Affected{{Ecosystem: "npm", Name: "x"}}
	for _, tt := range []struct {
		name string
		r    Record
		want Judgement
	}{
		{"nothing", Record{ID: "X"}, Judgement{}},
		{"the newer vector", Record{ID: "X", Severity: []Severity{v4, v3}, Rating: "LOW"}, Judgement{mcpsf.SeverityMedium, 6.9, v4.Score}},
		{"the worse of two", Record{ID: "X", Severity: []Severity{v3, {"CVSS_V3", "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H"}}},
			Judgement{mcpsf.SeverityCritical, 9.8, "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H"}},
		{"a broken one does not count", Record{ID: "X", Severity: []Severity{{"CVSS_V4", "CVSS:4.0/AV:N"}, v3}}, Judgement{mcpsf.SeverityLow, 3.1, v3.Score}},
		{"a word", Record{ID: "X", Rating: "MODERATE"}, Judgement{Severity: mcpsf.SeverityMedium}},
		{"a word before the old vector", Record{ID: "X", Severity: []Severity{v2}, Rating: "critical"}, Judgement{Severity: mcpsf.SeverityCritical}},
		{"the old vector alone", Record{ID: "X", Severity: []Severity{v2}}, Judgement{mcpsf.SeverityHigh, 7.5, v2.Score}},
		{"a priority", Record{ID: "X", Severity: []Severity{{"Ubuntu", "low"}}}, Judgement{Severity: mcpsf.SeverityLow}},
		{"of the package", Record{ID: "X", Severity: []Severity{v4}, Affected: []Affected{{Ecosystem: "npm", Name: "x", Severity: []Severity{v3}}}}, Judgement{mcpsf.SeverityLow, 3.1, v3.Score}},
		{"of another package", Record{ID: "X", Severity: []Severity{v4}, Affected: []Affected{{Ecosystem: "npm", Name: "y", Severity: []Severity{v3}}}}, Judgement{mcpsf.SeverityMedium, 6.9, v4.Score}},
		{"malicious", Record{ID: "MAL-2026-1", Severity: []Severity{v3}, Affected: affected}, Judgement{Severity: mcpsf.SeverityCritical}},
		{"malicious by another name", Record{ID: "GHSA-1", Aliases: []string{"MAL-2026-1"}}, Judgement{Severity: mcpsf.SeverityCritical}},
		{"no impact", Record{ID: "X", Severity: []Severity{{"CVSS_V3", "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N"}}},
			Judgement{mcpsf.SeverityInfo, 0, "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, tt.r.Judge(NewPackage("npm", "x", "1.0.0"))); diff != "" {
				t.Errorf("judgement (-want +got):\n%s", diff)
			}
		})
	}
}
