package advisory

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

// database has all records of testdata.
func database(t testing.TB, opts *Options) *Database {
	t.Helper()
	dir := t.TempDir()
	if _, err := Update(t.Context(), dir, &UpdateOptions{From: mirror(t), Now: today}); err != nil {
		t.Fatal(err)
	}
	return opened(t, dir, opts)
}

func opened(t testing.TB, dir string, opts *Options) *Database {
	t.Helper()
	if opts == nil {
		opts = &Options{Now: today}
	}
	db, err := Open(dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func pkg(ecosystem, name, version string) mcpsf.Package {
	return mcpsf.Package{Ecosystem: ecosystem, Name: name, Version: version, PURL: "pkg:" + ecosystem + "/" + name + "@" + version}
}

func TestMatch(t *testing.T) {
	db := database(t, nil)
	got, lookup, err := db.Match(t.Context(), []mcpsf.Package{
		pkg("PyPI", "CloudDraw", "2.30.0"), pkg("npm", "weather-words", "1.4.1"), pkg("npm", "weather-words", "2.1.0"), pkg("npm", "wether-words", ""),
		pkg("npm", "unheard-of", "1.0.0"), pkg("Maven", "org.storm.example:storm-core", "2.14.1"), pkg("Debian:11", "barometer", "1.1.1w-0+deb11u2"),
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []mcpsf.Advisory{
		{
			ID: "GHSA-5555-mpqr-cfgh", Aliases: []string{"CVE-2026-910003", "PYSEC-2026-901"}, Package: "pkg:PyPI/CloudDraw@2.30.0",
			Summary: "Clouddraw gives the password away to other hosts", Severity: mcpsf.SeverityMedium, Score: 6.1,
			Vector: "CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:C/C:H/I:N/A:N", Fixed: []string{"2.31.0"},
			Published: time.Date(2026, 5, 22, 20, 36, 32, 0, time.UTC), Modified: time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC),
		},
		{
			ID: "GHSA-2c4f-6g8h-jmpq", Aliases: []string{"CVE-2026-910001"}, Package: "pkg:npm/weather-words@1.4.1",
			Summary: "weather-words follows links out of its directory", Severity: mcpsf.SeverityHigh, Score: 8.7,
			Vector: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N", Fixed: []string{"1.4.2", "2.0.1"},
			Published: time.Date(2026, 9, 1, 17, 3, 0, 0, time.UTC), Modified: time.Date(2026, 9, 14, 8, 12, 31, 0, time.UTC),
		},
		{
			ID: "MAL-2026-90001", Aliases: []string{"GHSA-4444-jmpq-rvwx"}, Package: "pkg:npm/wether-words@",
			Summary: "Malicious code in wether-words (npm)", Malicious: true, Severity: mcpsf.SeverityCritical,
			Published: time.Date(2026, 10, 30, 10, 0, 0, 0, time.UTC), Modified: time.Date(2026, 10, 30, 11, 20, 0, 0, time.UTC),
		},
		{
			ID: "GHSA-7777-vwcf-2345", Aliases: []string{"CVE-2026-910008"}, Package: "pkg:Maven/org.storm.example:storm-core@2.14.1",
			Summary: "Expressions are evaluated in org.storm.example:storm-core", Severity: mcpsf.SeverityCritical, Fixed: []string{"2.15.0"},
			Published: time.Date(2026, 1, 10, 0, 0, 0, 0, time.UTC), Modified: time.Date(2026, 1, 11, 0, 0, 0, 0, time.UTC),
		},
		{
			ID: "DSA-9001-1", Package: "pkg:Debian:11/barometer@1.1.1w-0+deb11u2", Summary: "barometer - security update",
			Severity: mcpsf.SeverityMedium, Fixed: []string{"1.1.1w-0+deb11u3"},
			Published: time.Date(2026, 5, 25, 0, 0, 0, 0, time.UTC), Modified: time.Date(2026, 5, 26, 6, 59, 46, 0, time.UTC),
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("advisories (-want +got):\n%s", diff)
	}
	source := func(ecosystem string, records int, stale bool) mcpsf.AdvisorySource {
		return mcpsf.AdvisorySource{
			Name: "database on this machine", Ecosystem: ecosystem, Records: records, Stale: stale,
			Exported: time.Date(2026, 10, 31, 11, 20, 0, 0, time.UTC), Fetched: today(),
		}
	}
	wantLookup := mcpsf.Lookup{
		Sources:  []mcpsf.AdvisorySource{source("Debian", 1, false), source("Maven", 1, false), source("PyPI", 4, false), source("npm", 3, false)},
		Packages: 6, Unknown: 1,
	}
	if diff := cmp.Diff(wantLookup, lookup); diff != "" {
		t.Errorf("lookup (-want +got):\n%s", diff)
	}
}

// An unknown package is counted, never skipped.
func TestUnknown(t *testing.T) {
	db := database(t, nil)
	for _, tt := range []struct {
		name            string
		p               mcpsf.Package
		found, packages int
	}{
		{"looked up", pkg("npm", "weather-words", "9.0.0"), 0, 1},
		{"never heard of", pkg("npm", "unheard-of", "1.0.0"), 0, 1},
		{"no version", pkg("npm", "weather-words", ""), 0, 0},
		{"not a version", pkg("npm", "unheard-of", "latest"), 0, 0},
		{"half a version is found, and not sure", pkg("npm", "weather-words", "1.0.0.0"), 1, 0},
		{"absurd version", pkg("npm", "weather-words", strings.Repeat("9", 1<<20)), 0, 0},
		{"no release", pkg("Debian", "barometer", "2.0"), 0, 0},
		{"another ecosystem", pkg("NuGet", "x", "1.0.0"), 0, 0},
		{"no ecosystem", pkg("", "x", "1.0.0"), 0, 0},
		{"only commits", pkg("npm", "only-commits", "1.0.0"), 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, lookup, err := db.Match(t.Context(), []mcpsf.Package{tt.p})
			if err != nil {
				t.Fatal(err)
			}
			if len(got) != tt.found || lookup.Packages != tt.packages || lookup.Unknown != 1-tt.packages {
				t.Errorf("%d advisories, %d looked up, %d unknown; want %d, %d, %d", len(got), lookup.Packages, lookup.Unknown, tt.found, tt.packages, 1-tt.packages)
			}
		})
	}
}

func TestMissing(t *testing.T) {
	empty := opened(t, filepath.Join(t.TempDir(), "none"), nil)
	_, lookup, err := empty.Match(t.Context(), []mcpsf.Package{pkg("npm", "x", "1.0.0"), pkg("npm", "y", "1.0.0")})
	want := mcpsf.Lookup{Unknown: 2, Missing: "there is no database of advisories on this machine; mcpsf db update brings it"}
	if diff := cmp.Diff(want, lookup); diff != "" || err != nil {
		t.Errorf("%v, lookup (-want +got):\n%s", err, diff)
	}
	_, lookup, err = database(t, nil).Match(t.Context(), []mcpsf.Package{pkg("NuGet", "x", "1.0.0")})
	want = mcpsf.Lookup{Unknown: 1, Missing: "the database of advisories has nothing about NuGet; mcpsf db update --ecosystem NuGet may bring it"}
	if diff := cmp.Diff(want, lookup); diff != "" || err != nil {
		t.Errorf("%v, lookup (-want +got):\n%s", err, diff)
	}
}

func TestStale(t *testing.T) {
	day := 24 * time.Hour
	newest := time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name    string
		n       note
		after   time.Duration
		now     time.Time
		isStale bool
	}{
		{"just fetched", note{Newest: newest, Fetched: newest.Add(day)}, DefaultStale, newest.Add(day), false},
		{"fetched a week ago", note{Newest: newest, Fetched: newest}, DefaultStale, newest.Add(7 * day), false},
		{"fetched more than a week ago", note{Newest: newest, Fetched: newest}, DefaultStale, newest.Add(7*day + time.Second), true},
		{"a quiet ecosystem", note{Newest: newest, Fetched: newest.Add(20 * day)}, DefaultStale, newest.Add(20 * day), false},
		{"a mirror that sleeps", note{Newest: newest, Fetched: newest.Add(40 * day)}, DefaultStale, newest.Add(40 * day), true},
		{"a file of today", note{Newest: newest, Fetched: newest, Local: true}, DefaultStale, newest.Add(day), false},
		{"an old file brought today", note{Newest: newest, Fetched: newest.Add(8 * day), Local: true}, DefaultStale, newest.Add(8 * day), true},
		{"the user's own limit", note{Newest: newest, Fetched: newest}, day, newest.Add(2 * day), true},
		{"nothing dated", note{Fetched: newest}, DefaultStale, newest, true},
	} {
		if got := tt.n.stale(tt.now, tt.after); got != tt.isStale {
			t.Errorf("%s: stale is %v, want %v", tt.name, got, tt.isStale)
		}
	}
	db := database(t, &Options{Now: func() time.Time { return today().Add(30 * day) }})
	_, lookup, err := db.Match(t.Context(), []mcpsf.Package{pkg("npm", "x", "1.0.0")})
	if err != nil || len(lookup.Sources) != 1 || !lookup.Sources[0].Stale {
		t.Errorf("%+v, %v, want a stale source", lookup, err)
	}
}

func TestDamagedDatabase(t *testing.T) {
	dir := t.TempDir()
	if _, err := Update(t.Context(), dir, &UpdateOptions{From: mirror(t), Now: today}); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "npm.advisories")
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(whole); i += 3 {
		broken := append([]byte{}, whole...)
		broken[i] ^= 0x21
		if err := os.WriteFile(name, broken, 0o644); err != nil {
			t.Fatal(err)
		}
		db, err := Open(dir, nil)
		if err == nil {
			_, _, err = db.Match(t.Context(), []mcpsf.Package{pkg("npm", "weather-words", "1.0.0")})
			_ = db.Close()
		}
		if i < 8 { // the format's name at the beginning is not used
			continue
		}
		if err == nil || !strings.Contains(err.Error(), "about npm cannot be used; replace it with: mcpsf db update") || mcpsf.ErrorCode(err) != mcpsf.CodeUnavailable {
			t.Fatalf("byte %d of %d changed: %v", i, len(whole), err)
		}
	}
	// The advice in the error works: an update replaces the file.
	if _, err := Update(t.Context(), dir, &UpdateOptions{From: mirror(t), Now: today}); err != nil {
		t.Fatal(err)
	}
	opened(t, dir, nil)
	// A file under another ecosystem's name is rejected.
	if err := os.Rename(name, filepath.Join(dir, "crates.io.advisories")); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, nil); err == nil {
		t.Error("advisories about npm are taken for crates.io's")
	}
}

func TestMatchEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := database(t, nil).Match(ctx, []mcpsf.Package{pkg("npm", "x", "1.0.0")}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
