package osv

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestDecode(t *testing.T) {
	got, err := Decode(read(t, "GHSA-2c4f-6g8h-jmpq"))
	if err != nil {
		t.Fatal(err)
	}
	want := &Record{
		ID: "GHSA-2c4f-6g8h-jmpq", Aliases: []string{"CVE-2026-910001"},
		Summary:   "weather-words follows links out of its directory",
		Published: time.Date(2026, 9, 1, 17, 3, 0, 0, time.UTC), Modified: time.Date(2026, 9, 14, 8, 12, 31, 0, time.UTC),
		Severity: []Severity{
			{"CVSS_V3", "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N"},
			{"CVSS_V4", "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N"},
		},
		Rating: "HIGH",
		Affected: []Affected{
			{Ecosystem: "npm", Name: "weather-words", Ranges: []Range{{[]Event{{Introduced, "0"}, {Fixed, "1.4.2"}}}}},
			{Ecosystem: "npm", Name: "weather-words", Ranges: []Range{{[]Event{{Introduced, "2.0.0-beta.1"}, {Fixed, "2.0.1"}}}}},
			{Ecosystem: "npm", Name: "@weather/words", Ranges: []Range{{[]Event{{Introduced, "1.0.0"}, {LastAffected, "1.9.9"}}}}},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("record (-want +got):\n%s", diff)
	}
}

// Every record in testdata is decoded as by the standard library, and is the
// same after encoding and decoding.
func TestDecodeAgreesWithTheLibrary(t *testing.T) {
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d records, %v", len(files), err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Decode(data)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		want, err := byLibrary(data)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-library +got):\n%s", file, diff)
		}
		checkKept(t, got)
	}
}

// checkKept checks that an encoded record is restored unchanged.
func checkKept(t *testing.T, r *Record) {
	t.Helper()
	kept := *r
	kept.Withdrawn = false // such records are not stored
	kept.Published, kept.Modified = r.Published.Truncate(time.Second), r.Modified.Truncate(time.Second)
	again, err := Restore(kept.Append(nil))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&kept, again, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("kept (-want +got):\n%s", diff)
	}
}

func TestDecodeRefuses(t *testing.T) {
	deep := strings.Repeat(`[`, 100_000)
	for _, tt := range []struct{ name, data, want string }{
		{"nothing", ``, "not a JSON object"},
		{"not an object", `[]`, "not a JSON object"},
		{"no id", `{"summary": "x"}`, "no usable id"},
		{"null id", `{"id": null}`, "no usable id"},
		{"long id", `{"id": "` + strings.Repeat("x", 300) + `"}`, "no usable id"},
		{"id of another type", `{"id": 5}`, "id: unexpected '5'"},
		{"summary of another type", `{"id": "X", "summary": {}}`, "summary: unexpected '{'"},
		{"aliases of another type", `{"id": "X", "aliases": "CVE-1"}`, "aliases: unexpected"},
		{"an alias of another type", `{"id": "X", "aliases": [1]}`, "aliases: unexpected '1'"},
		{"affected is an object", `{"id": "X", "affected": {}}`, "affected: unexpected '{'"},
		{"package is a string", `{"id": "X", "affected": [{"package": "npm"}]}`, "package: unexpected"},
		{"versions of numbers", `{"id": "X", "affected": [{"versions": [1, 2]}]}`, "versions: unexpected '1'"},
		{"event of a number", `{"id": "X", "affected": [{"ranges": [{"events": [{"fixed": 2}]}]}]}`, "fixed: unexpected '2'"},
		{"published is a number", `{"id": "X", "published": 5}`, "published: unexpected '5'"},
		{"cut", `{"id": "X", "summary": "abc`, "ends too early"},
		{"cut in a list", `{"id": "X", "other": [1, 2`, "ends too early"},
		{"more behind it", `{"id": "X"} {}`, "unexpected '{'"},
		{"brackets that do not match", `{"id": "X", "other": [}]}`, "unexpected '}'"},
		{"deep nesting", `{"id": "X", "other": ` + deep + `}`, "nested too deep"},
		{"broken escape", `{"id": "X", "summary": "\q"}`, "summary: a string is broken"},
		{"broken details", `{"id": "X", "details": "\q"}`, "details: a string is broken"},
		{"long name", `{"id": "X", "affected": [{"package": {"ecosystem": "npm", "name": "` + strings.Repeat("x", 3000) + `"}}]}`, "too long"},
		{"too many versions", `{"id": "X", "affected": [{"versions": [` + strings.Repeat(`"",`, 400_000) + `""]}]}`, "more than 300000 elements"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Decode([]byte(tt.data))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("record %v, error %v, want one with %q", got, err, tt.want)
			}
		})
	}
}

func TestDecodeAccepts(t *testing.T) {
	for _, tt := range []struct {
		name, data string
		want       Record
	}{
		{"little", `{"id":"X"}`, Record{ID: "X"}},
		{"nulls", `{"id":"X","aliases":null,"summary":null,"withdrawn":null,"severity":null,"affected":null,"database_specific":null}`, Record{ID: "X"}},
		{"escapes", `{"id":"X","summary":"a \"b\" \u00e9 \ud83d\ude00 \\"}`, Record{ID: "X", Summary: `a "b" é 😀 \`}},
		{"a word instead of an object", `{"id":"X","database_specific":{"severity":{"a":1}}}`, Record{ID: "X"}},
		{"a date that is none", `{"id":"X","published":"yesterday"}`, Record{ID: "X"}},
		{"a summary of many lines", `{"id":"X","summary":"\n\n  one\n two"}`, Record{ID: "X", Summary: "one"}},
		{"details for a summary", `{"id":"X","details":"---\n## A  heading\nmore"}`, Record{ID: "X", Summary: "A heading"}},
		{"bytes that are no text", "{\"id\":\"X\",\"summary\":\"a\xffb\"}", Record{ID: "X", Summary: "a\uFFFDb"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Decode([]byte(tt.data))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(&tt.want, got); diff != "" {
				t.Errorf("record (-want +got):\n%s", diff)
			}
		})
	}
	r, err := Decode([]byte(`{"id":"X","summary":"` + strings.Repeat("é", 1000) + `"}`))
	if err != nil || len(r.Summary) > maxSummary || !strings.HasSuffix(r.Summary, "é...") {
		t.Errorf("summary of %d bytes %q, %v; want it cut between characters", len(r.Summary), r.Summary, err)
	}
}

func read(t testing.TB, id string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", id+".json"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func record(t testing.TB, id string) *Record {
	t.Helper()
	r, err := Decode(read(t, id))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// byLibrary decodes with encoding/json.
func byLibrary(data []byte) (*Record, error) {
	var raw struct {
		ID, Summary, Details string
		Published, Modified  string
		Withdrawn            *string
		Aliases              []string
		Severity             []Severity
		DatabaseSpecific     map[string]any `json:"database_specific"`
		Affected             []struct {
			Package  struct{ Ecosystem, Name string }
			Versions []string
			Severity []Severity
			Ranges   []struct {
				Type   string
				Events []map[string]string
			}
		}
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, err
	}
	r := &Record{ID: raw.ID, Aliases: raw.Aliases, Summary: firstLine(raw.Summary), Withdrawn: raw.Withdrawn != nil, Severity: raw.Severity}
	if r.Summary == "" {
		r.Summary = firstLine(raw.Details)
	}
	r.Rating, _ = raw.DatabaseSpecific["severity"].(string)
	r.Published, _ = time.Parse(time.RFC3339, raw.Published)
	r.Modified, _ = time.Parse(time.RFC3339, raw.Modified)
	for _, a := range raw.Affected {
		entry := Affected{Ecosystem: a.Package.Ecosystem, Name: a.Package.Name, Versions: a.Versions, Severity: a.Severity}
		for _, rg := range a.Ranges {
			if rg.Type == "GIT" {
				continue
			}
			var out Range
			for _, e := range rg.Events {
				for name, kind := range map[string]EventKind{"introduced": Introduced, "fixed": Fixed, "last_affected": LastAffected, "limit": Limit} {
					if e[name] != "" {
						out.Events = append(out.Events, Event{kind, e[name]})
					}
				}
			}
			entry.Ranges = append(entry.Ranges, out)
		}
		if entry.Name != "" {
			r.Affected = append(r.Affected, entry)
		}
	}
	return r, nil
}
