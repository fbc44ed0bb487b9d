package pypi

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/source/kind"
	"github.com/mcpsf/mcpsf/internal/acquire/source/sourcetest"
)

func demoIndex(t testing.TB) *index {
	t.Helper()
	return newIndex(t, map[string][]upload{"demo-server": {
		{name: "demo_server-1.0-py3-none-any.whl", data: wheel(t, "1.0"), requires: ">=3.8", yanked: new("broken")},
		{name: "demo_server-2.0-py3-none-any.whl", data: wheel(t, "2.0")},
	}})
}

// TestPyPIOffline: the second run of an exact version sends no request.
func TestPyPIOffline(t *testing.T) {
	x := demoIndex(t)
	opts := kind.Options{Cache: sourcetest.NewCache(t), Python: "3.11.2", Registry: client(t, x.URL+"/simple/")}
	first, _, err := fetched(t, x, "pypi:demo-server==1.0.0", opts)
	sourcetest.Must(t, err)
	x.Close()
	for _, source := range []string{"pypi:demo-server==1.0.0", "pypi:Demo_Server@1.0"} {
		second, _, err := fetched(t, x, source, opts)
		sourcetest.Must(t, err)
		if !second.Origin.Offline || first.Origin.Offline {
			t.Errorf("%s: offline is %t after %t", source, second.Origin.Offline, first.Origin.Offline)
		}
		if filepath.Base(second.Install.Package) != "demo_server-1.0-py3-none-any.whl" || second.Install.Needs != ">=3.8" {
			t.Errorf("%s: install is %+v", source, second.Install)
		}
		second.Origin.Offline = false
		second.Dir, second.Install = first.Dir, first.Install
		if diff := cmp.Diff(first, second); diff != "" {
			t.Errorf("%s: artifacts differ (-first +second):\n%s", source, diff)
		}
	}
	if len(first.Notes) != 1 || !strings.Contains(first.Notes[0], `"broken"`) {
		t.Errorf("notes are %q", first.Notes)
	}
	opts.Python = "3.12.0" // for which another file may be the best
	if _, _, err := fetched(t, x, "pypi:demo-server@1.0", opts); mcpsf.ErrorCode(err) != mcpsf.CodeUnavailable {
		t.Errorf("error is %v", err)
	}
}

// TestPyPIStale: only the index knows what is newest, but an old answer is
// better than none.
func TestPyPIStale(t *testing.T) {
	x := demoIndex(t)
	opts := kind.Options{Cache: sourcetest.NewCache(t), Registry: client(t, x.URL+"/simple/")}
	_, _, err := fetched(t, x, "pypi:demo-server", opts)
	sourcetest.Must(t, err)
	x.files["demo-server"] = append(x.files["demo-server"], upload{name: "demo_server-3.0-py3-none-any.whl", data: wheel(t, "3.0")})
	a, _, err := fetched(t, x, "pypi:demo-server", opts)
	sourcetest.Must(t, err)
	if a.Version != "3.0" || a.Origin.Offline || len(a.Notes) != 0 {
		t.Errorf("artifact is %+v of %+v", a, a.Origin)
	}
	a, _, err = fetched(t, x, "pypi:demo-server<3", opts)
	sourcetest.Must(t, err)
	if a.Version != "2.0" || !a.Origin.Offline {
		t.Errorf("the file of %s was downloaded again", a.Version)
	}
	x.Close()
	a, _, err = fetched(t, x, "pypi:demo-server", opts)
	sourcetest.Must(t, err)
	if a.Version != "3.0" || !a.Origin.Offline || len(a.Notes) != 1 || !strings.Contains(a.Notes[0], "could not be asked") {
		t.Errorf("artifact is %+v of %+v", a, a.Origin)
	}
	if a, _, err = fetched(t, x, "pypi:demo-server@2.0", opts); err != nil || a.Version != "2.0" {
		t.Errorf("a version that was found by a range is not there by its name: %v", err)
	}
	if _, _, err := fetched(t, x, "pypi:demo-server>1", opts); mcpsf.ErrorCode(err) != mcpsf.CodeUnavailable {
		t.Errorf("error is %v", err)
	}
}

// TestPyPINotStale: a registry's refusal counts.
func TestPyPINotStale(t *testing.T) {
	x := demoIndex(t)
	opts := kind.Options{Cache: sourcetest.NewCache(t), Registry: client(t, x.URL+"/simple/")}
	_, _, err := fetched(t, x, "pypi:demo-server", opts)
	sourcetest.Must(t, err)
	x.answer = func(w http.ResponseWriter, _ *http.Request) bool {
		w.WriteHeader(http.StatusForbidden)
		return true
	}
	_, _, err = fetched(t, x, "pypi:demo-server", opts)
	sourcetest.WantUsage(t, err, "status 403")
}

// TestPyPICacheOfAnother: two indexes of one host have different files of the
// same name.
func TestPyPICacheOfAnother(t *testing.T) {
	x := demoIndex(t)
	evil := wheel(t, "2.0", sourcetest.ZipItem{Name: "evil.py", Text: "x"})
	x.answer = func(w http.ResponseWriter, r *http.Request) bool {
		if strings.HasPrefix(r.URL.Path, "/other/files/") {
			_, _ = w.Write(evil)
			return true
		}
		if !strings.HasPrefix(r.URL.Path, "/other/") {
			return false
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<a href="/other/files/demo_server-2.0-py3-none-any.whl#sha256=%x">`, sha256.Sum256(evil))
		return true
	}
	cache := sourcetest.NewCache(t)
	own := kind.Options{Cache: cache, Registry: client(t, x.URL+"/simple/")}
	other := kind.Options{Cache: cache, Registry: client(t, x.URL+"/other/")}
	for range 2 {
		a, _, err := fetched(t, x, "pypi:demo-server@2.0", own)
		sourcetest.Must(t, err)
		b, _, err := fetched(t, x, "pypi:demo-server@2.0", other)
		sourcetest.Must(t, err)
		if a.Files != 3 || b.Files != 4 {
			t.Errorf("got %d and %d files", a.Files, b.Files)
		}
	}
}

// TestPyPIBadCache: what the cache returns is verified, too.
func TestPyPIBadCache(t *testing.T) {
	x := demoIndex(t)
	cache := sourcetest.NewCache(t)
	opts := kind.Options{Cache: cache, Registry: client(t, x.URL+"/simple/")}
	_, _, err := fetched(t, x, "pypi:demo-server@2.0", opts)
	sourcetest.Must(t, err)
	for key, note := range cache.Notes {
		if strings.Contains(key, "/request/") {
			cache.Notes[key] = []byte(strings.ReplaceAll(string(note), `"demo_server-2.0`, `"../demo_server-2.0`))
		} else {
			sourcetest.Must(t, os.Remove(cache.Path(key)))
			sourcetest.Must(t, os.WriteFile(cache.Path(key), []byte("damaged"), 0o644))
		}
	}
	a, _, err := fetched(t, x, "pypi:demo-server@2.0", opts)
	sourcetest.Must(t, err)
	if a.Origin.Offline {
		t.Error("the damaged file was taken")
	}
}

func TestPyPIFullCache(t *testing.T) {
	x := demoIndex(t)
	cache := sourcetest.NewCache(t)
	cache.Full = true
	a, _, err := fetched(t, x, "pypi:demo-server", kind.Options{Cache: cache, Registry: client(t, x.URL+"/simple/")})
	sourcetest.Must(t, err)
	beside, err := os.ReadDir(filepath.Dir(a.Install.Package))
	sourcetest.Must(t, err)
	if len(beside) != 1 || beside[0].Name() != "demo_server-2.0-py3-none-any.whl" {
		t.Errorf("beside the package there is %v", beside)
	}
}

// TestPyPIKeepsNothingBad: a download that fails verification does not get into
// the cache.
func TestPyPIKeepsNothingBad(t *testing.T) {
	for _, bad := range []upload{
		{name: "demo_server-2.0-py3-none-any.whl", data: wheel(t, "2.0"), serve: wheel(t, "1.0")},
		{name: "demo_server-2.0-py3-none-any.whl", data: wheel(t, "2.0"), short: true},
	} {
		x := newIndex(t, map[string][]upload{"demo-server": {bad}})
		cache := sourcetest.NewCache(t)
		if _, _, err := fetched(t, x, "pypi:demo-server", kind.Options{Cache: cache, Registry: client(t, x.URL+"/simple/")}); err == nil {
			t.Error("no error")
		}
		if len(cache.Notes) != 0 {
			t.Errorf("the cache has %v", cache.Notes)
		}
	}
}
