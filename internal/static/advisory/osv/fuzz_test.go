package osv

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func seeds(f *testing.F) (all [][]byte) {
	f.Helper()
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) == 0 {
		f.Fatalf("no records: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		all = append(all, data)
	}
	return all
}

// FuzzDecode checks that a stored record is restored unchanged, and that valid
// JSON is decoded as the standard library decodes it.
func FuzzDecode(f *testing.F) {
	for _, data := range seeds(f) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Decode(data)
		if err != nil {
			return
		}
		checkKept(t, r)
		// Repeated keys and keys in other letter case are read differently.
		want, err := byLibrary(data)
		if !json.Valid(data) || err != nil || !plainKeys(data) {
			return
		}
		if diff := cmp.Diff([]string{want.ID, want.Summary}, []string{r.ID, r.Summary}); diff != "" {
			t.Errorf("id and summary (-library +got):\n%s", diff)
		}
		if diff := cmp.Diff(want.Affected, r.Affected, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(Affected{}, "Rating", "Ranges")); diff != "" &&
			len(want.Affected) == len(r.Affected) {
			t.Errorf("affected (-library +got):\n%s", diff)
		}
	})
}

// plainKeys reports JSON in which each key has its exact spelling, once per
// object.
func plainKeys(data []byte) bool {
	known := map[string]bool{}
	for _, k := range []string{
		"schema_version", "id", "modified", "published", "withdrawn", "aliases", "related", "upstream", "summary", "details", "severity", "affected",
		"references", "database_specific", "type", "score", "package", "ecosystem", "name", "purl", "ranges", "events", "versions", "introduced",
		"fixed", "last_affected", "limit", "repo", "url", "ecosystem_specific", "credits",
	} {
		known[k] = true
	}
	s := scanner{data: data}
	return plainObject(&s, known) == nil
}

func plainObject(s *scanner, known map[string]bool) error {
	seen := map[string]bool{}
	return s.object(func(key []byte) error {
		if !known[string(key)] || seen[string(key)] {
			return errDamaged
		}
		seen[string(key)] = true
		switch s.peek() {
		case '{':
			return plainObject(s, known)
		case '[':
			return s.array(1000, func() error {
				if s.peek() == '{' {
					return plainObject(s, known)
				}
				return s.skip()
			})
		}
		return s.skip()
	})
}

// FuzzConcerns checks that every version of every ecosystem gets an answer, and
// the same one from the stored record.
func FuzzConcerns(f *testing.F) {
	for _, v := range []string{"1.0.0", "2.30.0", "v2.1.0", "1:3.0.14-1~deb12u2", "3.3.1_p1-r0", "2.0-beta9", "", "(devel)", "1!2.3.dev1+x", "9999999999999999999999.1"} {
		for i, e := range []string{"npm", "PyPI", "Go", "crates.io", "Maven", "Debian:12", "Alpine:v3.21", "Debian", "RubyGems", "NuGet", "Packagist", "Ubuntu:24.04"} {
			f.Add(e, v, "1.0.0", "2.0", uint8(i))
		}
	}
	f.Fuzz(func(t *testing.T, ecosystem, version, from, to string, kinds uint8) {
		end := []EventKind{Fixed, LastAffected, Limit, Introduced}[kinds%4]
		r := &Record{ID: "X", Affected: []Affected{{
			Ecosystem: ecosystem, Name: "x", Versions: []string{to},
			Ranges: []Range{{[]Event{{end, to}, {Introduced, from}}}},
		}}}
		if kinds&4 != 0 {
			r.Affected[0].Ranges[0].Events = append(r.Affected[0].Ranges[0].Events, Event{Introduced, "0"})
		}
		p := NewPackage(ecosystem, "x", version)
		got := r.Concerns(p)
		if version == to && p.Version() != "" && p.Base != "" && got != Yes {
			t.Errorf("%s %q is listed: answer %d, want yes", ecosystem, version, got)
		}
		if fixed := FixedIn([]*Record{r}, p); len(fixed) > 1 {
			t.Errorf("fixed in %q", fixed)
		}
		kept, err := Restore(r.Append(nil))
		if err != nil {
			t.Fatal(err)
		}
		if again := kept.Concerns(p); again != got {
			t.Errorf("%s %q: answer %d, of the kept record %d", ecosystem, version, got, again)
		}
	})
}

// FuzzScore checks that nothing panics and that the score is in range.
func FuzzScore(f *testing.F) {
	for _, v := range []string{
		"CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H", "CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H/E:P/RL:O/RC:C",
		"CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H/E:P/CR:H/MAV:L", "AV:N/AC:L/Au:N/C:P/I:P/A:P",
	} {
		f.Add(v)
	}
	f.Fuzz(func(t *testing.T, vector string) {
		if score, _ := scoreOf(vector); score < 0 || score > 10 {
			t.Errorf("%q: score %f", vector, score)
		}
	})
}

// FuzzRestore checks that nothing panics and that memory is bounded by the
// input.
func FuzzRestore(f *testing.F) {
	for _, data := range seeds(f) {
		r, err := Decode(data)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(r.Append(nil))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Restore(data)
		if err != nil {
			return
		}
		if again, err := Restore(r.Append(nil)); err != nil || again.ID != r.ID {
			t.Errorf("%v, %v", again, err)
		}
	})
}
