package pypi

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/source/kind"
	"github.com/mcpsf/mcpsf/internal/acquire/source/sourcetest"
)

func TestPyPIPublished(t *testing.T) {
	const file = "demo_server-1.0-py3-none-any.whl"
	entry := func(name, date string) string {
		return fmt.Sprintf(`[{"filename":"other.whl","upload_time_iso_8601":"2012-01-01T00:00:00Z"},{"filename":%q,"upload_time_iso_8601":%q}]`, name, date)
	}
	date := sourcetest.PublishedAt().Format(time.RFC3339)
	for name, tt := range map[string]struct {
		shown  string // on the page
		beside string // what the JSON API answers, "" for nothing
		want   time.Time
		asked  bool
	}{
		"page":        {date, `{"urls":` + entry(file, "2013-01-01T00:00:00Z") + `}`, sourcetest.PublishedAt(), false},
		"releases":    {"", `{"releases":{"1.0":` + entry(file, date) + `}}`, sourcetest.PublishedAt(), true},
		"urls":        {"soon", `{"urls":` + entry(file, date) + `,"releases":{}}`, sourcetest.PublishedAt(), true},
		"other files": {"", `{"urls":` + entry("another.whl", date) + `}`, time.Time{}, true},
		"bad date":    {"", `{"urls":` + entry(file, "1970-01-01T00:00:00Z") + `}`, time.Time{}, true},
		"bad answer":  {"", strings.Repeat("[", 100_000), time.Time{}, true},
		"other shape": {"", `{"urls":[[]],"releases":[]}`, time.Time{}, true},
		"nothing":     {"", "", time.Time{}, true},
	} {
		for _, inJSON := range []bool{false, true} {
			t.Run(fmt.Sprint(name, inJSON), func(t *testing.T) {
				t.Parallel() // mostly waits
				x := newIndex(t, map[string][]upload{"demo-server": {{name: file, data: wheel(t, "1.0"), uploaded: tt.shown}}})
				x.json = inJSON
				x.answer = func(w http.ResponseWriter, r *http.Request) bool {
					if r.URL.Path != "/pypi/demo-server/json" || tt.beside == "" {
						return false
					}
					fmt.Fprint(w, tt.beside)
					return true
				}
				opts := kind.Options{Cache: sourcetest.NewCache(t), Registry: client(t, x.URL+"/simple/")}
				sourcetest.WantPublished(t, tt.want, func(source string) (*mcpsf.Artifact, error) {
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
