package advisory

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// today is the time of the tests: two days after the newest record.
func today() time.Time { return time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC) }

// records returns those in testdata, by file name.
func records(t testing.TB) map[string]string {
	t.Helper()
	files, err := filepath.Glob("osv/testdata/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no records: %v", err)
	}
	all := map[string]string{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(file)] = string(data)
	}
	return all
}

// zipped makes an export of these files.
func zipped(t testing.TB, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(files[name])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// mirror is a directory with an export for each ecosystem.
func mirror(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	data := zipped(t, records(t))
	for _, e := range Ecosystems() {
		if err := os.MkdirAll(filepath.Join(dir, e), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, e, exportName), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func imports(t testing.TB, data []byte, ecosystem string, lim limits) (*imported, error) {
	t.Helper()
	return readExport(t.Context(), bytes.NewReader(data), int64(len(data)), ecosystem, today(), lim)
}

func TestReadExport(t *testing.T) {
	files := records(t)
	files["README.md"] = "not a record"
	files["folder/deeper/X.json"] = `{"id": "X", "affected": [{"package": {"ecosystem": "npm", "name": "deep"}, "versions": ["1.0.0"]}]}`
	files["again.json"] = files["MAL-2026-90001.json"]
	files["number.json"] = `{"id": 5}`
	files["future.json"] = `{"id": "F", "modified": "2099-01-01T00:00:00Z", "affected": [{"package": {"ecosystem": "npm", "name": "f"}}]}`
	got, err := imports(t, zipped(t, files), "npm", defaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	want := tally{
		records: 5, withdrawn: 1, broken: 1, duplicate: 1, foreign: 8,
		examples: []string{`"number.json": id: unexpected '5' at byte 7`},
		newest:   time.Date(2026, 10, 31, 11, 20, 0, 0, time.UTC),
	}
	if diff := cmp.Diff(want, got.tally, cmp.AllowUnexported(tally{})); diff != "" {
		t.Errorf("tally (-want +got):\n%s", diff)
	}
}

// Hostile exports are refused as a whole, or the record is left out.
func TestHostileExport(t *testing.T) {
	honest := `{"id": "A", "affected": [{"package": {"ecosystem": "npm", "name": "a"}, "versions": ["1.0.0"]}]}`
	small := limits{download: 1 << 20, record: 64 << 10, total: 256 << 10, directory: 256 << 10, records: 100}
	large := `{"id": "L", "details": "` + strings.Repeat("x", 70<<10) + `"}`
	plenty := map[string]string{}
	for i := range 101 {
		plenty[fmt.Sprint(i, ".json")] = honest
	}
	endless := map[string]string{}
	for i := range 30 {
		endless[strings.Repeat("n", 30_000)+fmt.Sprint(i, ".json")] = "" // the directory is read before its entries are counted
	}
	bomb := map[string]string{}
	for i := range 6 {
		bomb[fmt.Sprint(i, ".json")] = `{"id": "B", "details": "` + strings.Repeat("x", 60<<10) + `"}`
	}
	broken := zipped(t, map[string]string{"a.json": honest})
	broken[bytes.Index(broken, []byte("a.json"))+10] ^= 0x55
	lying := zipped(t, map[string]string{"a.json": honest})
	at := bytes.Index(lying, []byte("PK\x01\x02"))
	lying[at+24]-- // the size in the directory
	for _, tt := range []struct {
		name string
		data []byte
		want string // part of the error; "" if the record is left out
	}{
		{"not a zip", []byte("<html>not found</html>"), "not a zip file"},
		{"nothing", nil, "not a zip file"},
		{"cut", zipped(t, records(t))[:5000], "not a zip file"},
		{"no records", zipped(t, map[string]string{"README": "x"}), "no records about npm"},
		{"another ecosystem", zipped(t, map[string]string{"a.json": strings.ReplaceAll(honest, "npm", "PyPI")}), "no records about npm"},
		{"a record too large", zipped(t, map[string]string{"a.json": honest, "l.json": large}), ""},
		{"nesting", zipped(t, map[string]string{"a.json": honest, "d.json": `{"id": "D", "x": ` + strings.Repeat("[", 60_000)}), ""},
		{"only broken ones", zipped(t, map[string]string{"a.json": `{"id": 1}`, "b.json": `{}`}), `2 cannot be read and 0 can; the first of them: "a.json": id`},
		{"too many", zipped(t, plenty), "more than 100 records"},
		{"a directory too large", zipped(t, endless)[30*30_000:], "more than 100 records"},
		{"a bomb", zipped(t, bomb), "far more than an export has"},
		{"too large as a whole", append(zipped(t, map[string]string{"a.json": honest}), make([]byte, 1<<20)...), "more than 1 MiB"},
		{"changed bytes", broken, `damaged at "a.json"`},
		{"a wrong size", lying, `damaged at "a.json"`},
		{"names that climb", zipped(t, map[string]string{"../../a.json": honest, "/etc/x.json": `{}`}), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := imports(t, tt.data, "npm", small)
			if tt.want != "" {
				if err == nil || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("error %v, want one with %q", err, tt.want)
				}
				return
			}
			if err != nil || got.records != 1 || got.broken != 1 {
				t.Errorf("%+v, %v, want one record and a broken one", got, err)
			}
		})
	}
}

// A record of 100 MB is not unpacked.
func TestRecordOf100MB(t *testing.T) {
	files := map[string]string{
		"a.json": `{"id": "A", "affected": [{"package": {"ecosystem": "npm", "name": "a"}, "versions": ["1.0.0"]}]}`,
		"l.json": `{"id": "L", "details": "` + strings.Repeat("x", 100<<20) + `"}`,
	}
	got, err := imports(t, zipped(t, files), "npm", defaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{`"l.json": it has more than 16 MiB`}, got.examples); diff != "" || got.records != 1 {
		t.Errorf("%d records, broken ones (-want +got):\n%s", got.records, diff)
	}
}

func TestExportOfManyPackages(t *testing.T) {
	var affected []string
	for i := range 40_000 {
		affected = append(affected, fmt.Sprintf(`{"package": {"ecosystem": "npm", "name": "p%d"}, "versions": ["1.0.0"]}`, i%20_000))
	}
	got, err := imports(t, zipped(t, map[string]string{"a.json": `{"id": "A", "affected": [` + strings.Join(affected, ",") + `]}`}), "npm", defaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	entries := 0
	for _, b := range got.builders {
		entries += b.Len()
	}
	if entries != 20_000 || got.records != 1 {
		t.Errorf("%d entries of %d records, want 20000 of 1", entries, got.records)
	}
}

func TestReadExportEnds(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := fmt.Errorf("enough")
	cancel(enough)
	data := zipped(t, records(t))
	if _, err := readExport(ctx, bytes.NewReader(data), int64(len(data)), "npm", today(), defaultLimits()); !errors.Is(err, enough) {
		t.Errorf("error %v, want %v", err, enough)
	}
}

func FuzzReadExport(f *testing.F) {
	f.Add(zipped(f, records(f)))
	f.Add(zipped(f, map[string]string{"a.json": `{"id": "A", "affected": [{"package": {"ecosystem": "npm", "name": "a"}}]}`}))
	lim := limits{download: 1 << 20, record: 64 << 10, total: 256 << 10, directory: 64 << 10, records: 100}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := imports(t, data, "npm", lim)
		if err == nil && got.records+got.broken == 0 {
			t.Error("nothing, and no error")
		}
	})
}
