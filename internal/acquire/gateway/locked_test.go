package gateway

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Below npm-locked/ a locked package has its locked versions alone, if their files
// are the locked ones; a package that is not locked has all. Below npm/ all have all.
func TestLocked(t *testing.T) {
	registry := http.NewServeMux()
	registry.HandleFunc("GET /npm/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", npmShort)
		_, _ = io.WriteString(w, `{"name":"x","dist-tags":{"latest":"2.0.0","next":"3.0.0"},"versions":{
 "1.0.0":{"dist":{"integrity":"sha512-one"}},"1.1.0":{"dist":{"integrity":"sha512-other"}},"1.2.0":{"dist":{"shasum":"00"}},"2.0.0":{},"3.0.0":{}}}`)
	})
	w := newWorld(t, registry, func(o *Options) {
		o.Locked = map[string]map[string]string{
			"both":  {"1.0.0": "sha512-one", "1.1.0": "sha512-this", "1.2.0": "sha512-two", "9.9.9": ""},
			"ahead": {"3.0.0": ""},
			"gone":  {"9.9.9": ""},
		}
	})
	for path, want := range map[string]struct {
		versions string
		tags     map[string]string
	}{
		"/npm-locked/both":  {"1.0.0 1.2.0", map[string]string{"latest": "1.2.0"}},
		"/npm-locked/ahead": {"3.0.0", map[string]string{"next": "3.0.0"}},
		"/npm-locked/gone":  {"", map[string]string{}},
		"/npm-locked/free":  {"1.0.0 1.1.0 1.2.0 2.0.0 3.0.0", map[string]string{"latest": "2.0.0", "next": "3.0.0"}},
		"/npm/both":         {"1.0.0 1.1.0 1.2.0 2.0.0 3.0.0", map[string]string{"latest": "2.0.0", "next": "3.0.0"}},
	} {
		resp, body := w.get(path, "Accept", acceptNPMShort)
		var got struct {
			Versions map[string]any
			Tags     map[string]string `json:"dist-tags"`
		}
		if err := json.Unmarshal([]byte(body), &got); err != nil || resp.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s %v", path, resp.Status, err)
		}
		if versions := strings.Join(slices.Sorted(maps.Keys(got.Versions)), " "); versions != want.versions {
			t.Errorf("%s: versions %s, want %s", path, versions, want.versions)
		}
		if diff := cmp.Diff(want.tags, got.Tags); diff != "" {
			t.Errorf("%s: tags\n%s", path, diff)
		}
	}
}
