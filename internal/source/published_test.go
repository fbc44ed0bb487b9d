package source

import (
	"archive/tar"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
)

func TestParsePublished(t *testing.T) {
	for in, want := range map[string]string{
		"2024-11-20T11:37:34.333286Z":         "2024-11-20T11:37:34.333286Z",
		"2025-10-02T01:44:30.071000+02:00":    "2025-10-01T23:44:30.071Z",
		"2024-11-20T11:37:34":                 "",
		"yesterday":                           "",
		"":                                    "",
		"1970-01-01T00:00:00Z":                "",
		"0001-01-01T00:00:00Z":                "",
		"9999-12-31T23:59:59-01:00":           "", // the year 10000 cannot be written down
		"2024-11-20T11:37:34." + zeros + "1Z": "",
	} {
		got := ""
		if date := parsePublished(in); !date.IsZero() {
			got = date.Format(time.RFC3339Nano)
		}
		if got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}

const zeros = "0000000000000000000000000000000000000000000000000000000000000000"

var when = time.Date(2025, 3, 1, 12, 0, 0, 0, time.UTC)

// again wants the same date of every request, the later ones without network.
func again(t *testing.T, want time.Time, fetch func(source string) (*mcpsf.Artifact, error), down func(), sources ...string) {
	t.Helper()
	for i, source := range sources {
		if i == 1 {
			down()
		}
		a, err := fetch(source)
		if err != nil {
			t.Fatalf("%s: %v", source, err)
		}
		if !a.Origin.Published.Equal(want) || a.Origin.Offline != (i > 0) {
			t.Errorf("%s: %+v, want it of %v", source, a.Origin, want)
		}
	}
}

func TestNPMPublished(t *testing.T) {
	for name, tt := range map[string]struct {
		times any
		want  time.Time
	}{
		"dated":       {map[string]any{"created": "2011-01-01T00:00:00Z", "1.0.0": when.Format(time.RFC3339), "0.9.0": "2012-01-01T00:00:00Z"}, when},
		"others only": {map[string]any{"created": "2011-01-01T00:00:00Z"}, time.Time{}},
		"no date":     {map[string]any{"1.0.0": []int{1}}, time.Time{}},
		"no list":     {"never", time.Time{}},
		"nothing":     {nil, time.Time{}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newNPMServer(t)
			s.publish("demo", "1.0.0", npmPackage(t, "demo", "1.0.0", ""))
			s.documents["demo"]["time"] = tt.times
			s.answer = func(_ http.ResponseWriter, r *http.Request) bool {
				if strings.Contains(r.Header.Get("Accept"), "install-v1") {
					t.Error("asked for the form without dates")
				}
				return false
			}
			opts := Options{Cache: newNamelessCache(t), Registry: s.client(t)}
			again(t, tt.want, func(source string) (*mcpsf.Artifact, error) {
				a, _, err := s.fetch(t, source, opts)
				return a, err
			}, s.Close, "npm:demo", "npm:demo@1.0.0", "npm:demo")
		})
	}
}

func TestPyPIPublished(t *testing.T) {
	const file = "demo_server-1.0-py3-none-any.whl"
	entry := func(name, date string) string {
		return fmt.Sprintf(`[{"filename":"other.whl","upload_time_iso_8601":"2012-01-01T00:00:00Z"},{"filename":%q,"upload_time_iso_8601":%q}]`, name, date)
	}
	date := when.Format(time.RFC3339)
	for name, tt := range map[string]struct {
		shown  string // on the page
		beside string // what the interface answers, "" for nothing
		want   time.Time
		asked  bool
	}{
		"page":        {date, `{"urls":` + entry(file, "2013-01-01T00:00:00Z") + `}`, when, false},
		"releases":    {"", `{"releases":{"1.0":` + entry(file, date) + `}}`, when, true},
		"urls":        {"soon", `{"urls":` + entry(file, date) + `,"releases":{}}`, when, true},
		"other files": {"", `{"urls":` + entry("another.whl", date) + `}`, time.Time{}, true},
		"bad date":    {"", `{"urls":` + entry(file, "1970-01-01T00:00:00Z") + `}`, time.Time{}, true},
		"bad answer":  {"", strings.Repeat("[", 100_000), time.Time{}, true},
		"other shape": {"", `{"urls":[[]],"releases":[]}`, time.Time{}, true},
		"nothing":     {"", "", time.Time{}, true},
	} {
		for _, inJSON := range []bool{false, true} {
			t.Run(fmt.Sprint(name, inJSON), func(t *testing.T) {
				x := newIndex(t, map[string][]published{"demo-server": {{name: file, data: wheel(t, "1.0"), uploaded: tt.shown}}})
				x.json = inJSON
				x.answer = func(w http.ResponseWriter, r *http.Request) bool {
					if r.URL.Path != "/pypi/demo-server/json" || tt.beside == "" {
						return false
					}
					fmt.Fprint(w, tt.beside)
					return true
				}
				opts := Options{Cache: newNamelessCache(t), Registry: client(t, x.URL+"/simple/")}
				again(t, tt.want, func(source string) (*mcpsf.Artifact, error) {
					a, _, err := fetched(t, x, source, opts)
					return a, err
				}, x.Close, "pypi:demo-server", "pypi:demo-server@1.0", "pypi:demo-server")
				if slices.Contains(x.asked, "/pypi/demo-server/json") != tt.asked {
					t.Errorf("asked for %q", x.asked)
				}
			})
		}
	}
}

func TestGitHubPublished(t *testing.T) {
	dated := func(name, text string, at time.Time) tarItem {
		i := item(name, text)
		i.ModTime = at
		return i
	}
	manifest := `{"name": "root", "bin": "index.js"}`
	for name, tt := range map[string]struct {
		at, want time.Time
	}{
		"dated": {when, when}, "no date": {time.Unix(0, 0), time.Time{}},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHub(t)
			h.commit(t, commitOne, []string{"HEAD"}, dated("index.js", "1", tt.at), dated("package.json", manifest, tt.at))
			opts := h.options(t, newNamelessCache(t))
			again(t, tt.want, func(source string) (*mcpsf.Artifact, error) {
				a, _, err := h.resolve(t, source, opts)
				return a, err
			}, func() { h.api.Close(); h.files.Close() }, "github:owner/repo", "github:owner/repo", "github:owner/repo@"+commitOne)
		})
	}
	t.Run("archive of no commit", func(t *testing.T) {
		h := newHub(t)
		h.refs["HEAD"] = commitOne
		h.archives[commitOne] = gz(t, tarOf(t, odd("x/", tar.TypeDir, ""), dated("x/index.js", "1", when), dated("x/package.json", manifest, when)))
		a, _, err := h.resolve(t, "github:owner/repo", h.options(t, nil))
		must(t, err)
		if !a.Origin.Published.IsZero() {
			t.Errorf("origin is %+v", a.Origin)
		}
	})
}
