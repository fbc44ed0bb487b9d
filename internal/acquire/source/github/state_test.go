package github

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf/internal/acquire/source/kind"
	"github.com/mcpsf/mcpsf/internal/acquire/source/sourcetest"
)

func unpackState(t *testing.T, h *hub, cache kind.Cache, address string, refs ...string) (*State, map[string]string, error) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "repository")
	sourcetest.Must(t, os.Mkdir(dir, 0o755))
	state, err := Unpack(t.Context(), address, refs, dir, h.options(t, cache).Complete())
	return state, sourcetest.Listing(t, dir), err
}

func TestUnpack(t *testing.T) {
	h := newHub(t)
	h.commit(t, commitOne, []string{"tags/v1.0.0", "main"}, sourcetest.TarFile("index.js", "one"), sourcetest.TarFile("packages/a/index.js", "two"))
	cache := sourcetest.NewCache(t)
	for _, tt := range []struct {
		address string
		refs    []string
		ref     string
	}{
		{"git+https://github.com/owner/repo.git", []string{commitOne, "v1.0.0"}, commitOne},
		{"github:owner/repo", []string{commitTwo, "1.0.0", "v1.0.0"}, "v1.0.0"},
		{"https://github.com/owner/repo/tree/main/packages/a", []string{"a b", "../x", "v1.0.0"}, "v1.0.0"},
	} {
		state, files, err := unpackState(t, h, cache, tt.address, tt.refs...)
		sourcetest.Must(t, err)
		if state.Commit != commitOne || state.Ref != tt.ref || state.Repository != "owner/repo" {
			t.Errorf("%+v", state)
		}
		if _, ok := files["packages/a/index.js"]; !ok {
			t.Errorf("files %v", files)
		}
	}
	if n := len(slices.DeleteFunc(slices.Clone(h.asked), func(s string) bool { return !strings.Contains(s, "tarball") })); n != 1 {
		t.Errorf("%d archives were fetched", n)
	}
	_, _, err := unpackState(t, h, cache, "github:owner/repo", "v2.0.0", "main")
	if !errors.Is(err, ErrNoSuchState) {
		t.Errorf("a branch was taken for a tag: %v", err)
	}
	h.fail = func(w http.ResponseWriter, _ *http.Request) bool {
		w.WriteHeader(http.StatusServiceUnavailable)
		return true
	}
	state, _, err := unpackState(t, h, cache, "github:owner/repo", "v1.0.0")
	if err != nil || state.Commit != commitOne {
		t.Errorf("what is in the cache was not used: %v", err)
	}
}

// TestUnpackRefused expects a reason for every repository that is not
// available.
func TestUnpackRefused(t *testing.T) {
	h := newHub(t)
	h.commit(t, commitOne, []string{"tags/v1.0.0"}, sourcetest.TarFile("index.js", "one"))
	for _, address := range []string{"https://gitlab.example/owner/repo", "", "github:", "github:owner/other", "github:../..", "file:///etc"} {
		if _, _, err := unpackState(t, h, nil, address, "v1.0.0"); err == nil {
			t.Errorf("%q: no error", address)
		}
	}
	h.fail = func(w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set("X-Ratelimit-Remaining", "0")
		w.WriteHeader(http.StatusForbidden)
		return true
	}
	if _, _, err := unpackState(t, h, nil, "github:owner/repo", "v1.0.0"); err == nil || !strings.Contains(err.Error(), "no more requests") {
		t.Errorf("%v", err)
	}
}
