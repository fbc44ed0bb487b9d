package osv

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestConcerns(t *testing.T) {
	for _, tt := range []struct {
		id, ecosystem, name string
		versions            map[string]Answer
	}{
		{"GHSA-2c4f-6g8h-jmpq", "npm", "weather-words", map[string]Answer{
			"0.0.1": Yes, "1.4.1": Yes, "1.4.2": No, "1.4.2-rc.1": Yes, "1.9.0": No, "2.0.0-beta.0": No, "2.0.0-beta.1": Yes, "2.0.0-beta.10": Yes,
			"2.0.0": Yes, "2.0.1": No, "v1.0.0": Yes, "=1.0.0": Yes, "1.0": Yes, "1.4.1+build": Yes,
			"": Unknown, "latest": Unknown, "not a version !!": Unknown,
		}},
		{"GHSA-2c4f-6g8h-jmpq", "npm", "@weather/words", map[string]Answer{"0.9.0": No, "1.0.0": Yes, "1.9.9": Yes, "1.9.10": No}},
		{"GHSA-2c4f-6g8h-jmpq", "npm", "Weather-Words", map[string]Answer{"1.0.0": No}},
		{"GHSA-2c4f-6g8h-jmpq", "PyPI", "weather-words", map[string]Answer{"1.0.0": No}},
		{"MAL-2026-90001", "npm", "wether-words", map[string]Answer{"0.0.0": Yes, "99.0.0": Yes, "": Yes, "latest": Yes, strings.Repeat("9", 10_000): Yes}},
		{"MAL-2026-90002", "PyPI", "rain-or-shine", map[string]Answer{"0.9.1": Yes, "0.9.01": Yes, "0.9.1.0": Yes, "0.9.2": Yes, "0.9.3": No, "0.9.1.post1": No, "": Unknown}},
		{"MAL-2026-90002", "PyPI", "RAIN__or--shine", map[string]Answer{"0.9.1": Yes}},
		{"PYSEC-2026-901", "PyPI", "clouddraw", map[string]Answer{
			"2.2.9": No, "2.3.0": Yes, "2.3.0rc1": No, "2.30.99": Yes, "2.31.0": No, "2.31.0.dev1": Yes, "2.31": No, "2.10.0": Yes, "2.30.0-1": Yes,
			"V2.30.0": Yes, "1!2.30.0": No, "2.30.0+local": Yes, "dubious": Unknown,
		}},
		{"GO-2026-9001", "Go", "code.example/tide/v2", map[string]Answer{
			"v2.1.0": Yes, "2.1.6": Yes, "v2.1.7": No, "v2.2.0-rc.1": Yes, "v2.2.3": No, "v2.2.2+incompatible": Yes,
			"v2.1.7-0.20260101000000-0123456789ab": Yes, "(devel)": Unknown,
		}},
		{"GO-2026-9001", "Go", "go", map[string]Answer{"1.24.8": Yes, "go1.24.8": Yes, "1.24.9": No, "1.25.2": Yes, "1.25.3": No}},
		{"RUSTSEC-2026-0901", "crates.io", "hailstone", map[string]Answer{"0.1.0": Yes, "0.8.3": Yes, "0.8.4": No, "0.0.0-0": Yes}},
		{"DSA-9001-1", "Debian:12", "barometer", map[string]Answer{"3.0.14-1~deb12u2": Yes, "3.0.15-1~deb12u1": No, "3.0.15-1": No, "1:1.0": No, "1.1.1w-0+deb11u3": Yes}},
		{"DSA-9001-1", "Debian:12.5", "barometer", map[string]Answer{"3.0.14-1": Yes}},
		{"DSA-9001-1", "Debian:11", "barometer", map[string]Answer{"1.1.1w-0+deb11u2": Yes, "1.1.1w-0+deb11u3": No}},
		{"DSA-9001-1", "Debian:13", "barometer", map[string]Answer{"1.0": No}},
		// Without the release the answer is certain only where all releases
		// agree.
		{"DSA-9001-1", "Debian", "barometer", map[string]Answer{"1.0": Yes, "2.0": Unknown, "4.0": No}},
		{"ALPINE-CVE-2026-910007", "Alpine:v3.21", "barometer", map[string]Answer{"3.3.1-r0": Yes, "3.3.2-r0": Yes, "3.3.2-r1": No, "3.3.2_rc1-r0": Yes, "3.4": No}},
		{"ALPINE-CVE-2026-910007", "Alpine:3.21.2", "barometer", map[string]Answer{"3.3.1-r0": Yes}},
		{"ALPINE-CVE-2026-910007", "Alpine:v3.20", "barometer", map[string]Answer{"3.3.1-r0": No}},
		{"GHSA-7777-vwcf-2345", "Maven", "org.storm.example:storm-core", map[string]Answer{
			"2.0-beta8": No, "2.0-beta9": Yes, "2.0-rc1": Yes, "2.0": Yes, "2.3.1": No, "2.12.4": No, "2.13.0": Yes, "2.14.1": Yes, "2.15.0": No, "${storm.version}": Unknown,
		}},
		// Events in the wrong order, and a limit before the fix.
		{"GHSA-8888-2345-cfgh", "npm", "gust", map[string]Answer{"0.9.9": No, "1.0.0": Yes, "2.4.9": Yes, "2.5.0": No, "3.0.0": No}},
		{"GHSA-8888-2345-cfgh", "npm", "only-commits", map[string]Answer{"1.0.0": Unknown}},
	} {
		r := record(t, tt.id)
		for version, want := range tt.versions {
			if got := r.Concerns(NewPackage(tt.ecosystem, tt.name, version)); got != want {
				t.Errorf("%s, %s %s %.40q: answer %d, want %d", tt.id, tt.ecosystem, tt.name, version, got, want)
			}
		}
	}
}

// The schema's rules about ranges, one by one.
func TestRanges(t *testing.T) {
	for _, tt := range []struct {
		name   string
		events []Event
		yes    []string
		no     []string
	}{
		{"no end", []Event{{Introduced, "1.0.0"}}, []string{"1.0.0", "99.0.0"}, []string{"0.9.9"}},
		{"comes back at once", []Event{{Introduced, "1.0.0"}, {Fixed, "2.0.0"}, {Introduced, "2.0.0"}, {Fixed, "3.0.0"}}, []string{"1.5.0", "2.0.0", "2.5.0"}, []string{"3.0.0"}},
		{"nothing in it", []Event{{Introduced, "2.0.0"}, {Fixed, "2.0.0"}}, nil, []string{"1.0.0", "2.0.0", "3.0.0"}},
		{"one version", []Event{{LastAffected, "2.0.0"}, {Introduced, "2.0.0"}}, []string{"2.0.0"}, []string{"1.9.9", "2.0.1"}},
		{"last affected and back", []Event{{Introduced, "0"}, {LastAffected, "1.2.0"}, {Introduced, "2.0.0"}, {LastAffected, "2.2.0"}}, []string{"0.1.0", "1.2.0", "2.1.0"}, []string{"1.2.1", "2.2.1"}},
		{"mixed up", []Event{{Fixed, "3.0.0"}, {Introduced, "2.0.0"}, {Fixed, "1.5.0"}, {Introduced, "1.0.0"}}, []string{"1.0.0", "2.9.9"}, []string{"1.5.0", "3.0.0"}},
		{"limit", []Event{{Introduced, "1.0.0"}, {Limit, "2.0.0"}}, []string{"1.9.9"}, []string{"2.0.0"}},
		{"two limits", []Event{{Introduced, "1.0.0"}, {Limit, "2.0.0"}, {Limit, "3.0.0"}}, []string{"2.5.0"}, []string{"3.0.0"}},
		{"no limit", []Event{{Introduced, "1.0.0"}, {Limit, "*"}, {Limit, "2.0.0"}}, []string{"1.0.0", "9.0.0"}, []string{"0.5.0"}},
		{"zero twice", []Event{{Introduced, "0"}, {Introduced, "0"}, {Fixed, "1.0.0"}}, []string{"0.0.0-alpha"}, []string{"1.0.0"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, v := range slices.Concat(tt.yes, tt.no) {
				want := No
				if slices.Contains(tt.yes, v) {
					want = Yes
				}
				if got := (Range{tt.events}).contains(NewPackage("npm", "x", v)); got != want {
					t.Errorf("%s: answer %d, want %d", v, got, want)
				}
			}
		})
	}
}

// An unclear range is never "no".
func TestUnknownRanges(t *testing.T) {
	for name, events := range map[string][]Event{
		"a fix that is no version":   {{Introduced, "0"}, {Fixed, "soon"}},
		"a begin that is no version": {{Introduced, "long ago"}},
		"nothing begins":             {{Fixed, "1.0.0"}},
		"an absurd version":          {{Introduced, "0"}, {Fixed, strings.Repeat("1.", 5000) + "1"}},
	} {
		if got := (Range{events}).contains(NewPackage("npm", "x", "2.0.0")); got != Unknown {
			t.Errorf("%s: answer %d, want unknown", name, got)
		}
	}
	r := &Record{ID: "X", Affected: []Affected{{Ecosystem: "npm", Name: "x"}}}
	if got := r.Concerns(NewPackage("npm", "x", "1.0.0")); got != Unknown {
		t.Errorf("neither versions nor ranges: answer %d, want unknown", got)
	}
}

func TestSure(t *testing.T) {
	for _, tt := range []struct {
		ecosystem string
		sure, not []string
	}{
		{"npm", []string{"1.2.3", "v1.2.3", "1.2.3-beta.1+x", "1", "1.0.0beta"}, []string{"", "1.2.3.4", "latest", "^1.0.0", "1.2.x", "git+https://x.example/y", "1.0.0 || 2.0.0", strings.Repeat("1", 300)}},
		{"PyPI", []string{"1.0", "2026.1", "1!1.0", "1.0a1", "1.0.post1.dev2", "1.0+local.1", "v1.0", "1.0-1", "1.0.RC1"}, []string{"", "1.0-foo", "latest", "1..0", ">=1.0"}},
		{"Go", []string{"v1.2.3", "1.2.3", "v0.0.0-20260101000000-0123456789ab", "v2.0.0+incompatible"}, []string{"(devel)", "master", ""}},
		{"Maven", []string{"1.0", "1.0-SNAPSHOT", "Finchley.SR2", "31.1-jre"}, []string{"${v}", "LATEST", "[1.0,2.0)", ""}},
		{"Debian:12", []string{"1.0-1", "1:2.3~rc1-1+deb12u1"}, []string{"", "unknown", "1.0 2"}},
		{"Alpine:v3.21", []string{"1.2.3-r0", "1.2.3_rc1-r4", "1.2b", "2.0_git20260101-r1"}, []string{"", "1.2.3-x", "edge"}},
		{"crates.io", []string{"1.2.3", "0.1.0-alpha.1"}, []string{"*", ""}},
		{"Nowhere", nil, []string{"1.0.0"}},
	} {
		for _, v := range slices.Concat(tt.sure, tt.not) {
			if got, want := NewPackage(tt.ecosystem, "x", v).Sure(), slices.Contains(tt.sure, v); got != want {
				t.Errorf("%s %.40q: sure is %v, want %v", tt.ecosystem, v, got, want)
			}
		}
	}
}

func TestFixedIn(t *testing.T) {
	for _, tt := range []struct {
		id, ecosystem, name, version string
		want                         []string
	}{
		{"GHSA-2c4f-6g8h-jmpq", "npm", "weather-words", "1.0.0", []string{"1.4.2", "2.0.1"}},
		{"GHSA-2c4f-6g8h-jmpq", "npm", "weather-words", "2.0.0", []string{"2.0.1"}},
		{"GHSA-2c4f-6g8h-jmpq", "npm", "@weather/words", "1.0.0", nil},
		{"PYSEC-2026-901", "PyPI", "clouddraw", "2.30.0", []string{"2.31.0"}},
		{"GO-2026-9001", "Go", "code.example/tide/v2", "v2.1.1", []string{"2.1.7", "2.2.3"}},
		{"DSA-9001-1", "Debian:12", "barometer", "3.0.14-1", []string{"3.0.15-1~deb12u1"}},
		{"GHSA-2c4f-6g8h-jmpq", "npm", "weather-words", "", []string{"1.4.2", "2.0.1"}},
	} {
		got := FixedIn([]*Record{record(t, tt.id)}, NewPackage(tt.ecosystem, tt.name, tt.version))
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s %s %s (-want +got):\n%s", tt.id, tt.name, tt.version, diff)
		}
	}
}
