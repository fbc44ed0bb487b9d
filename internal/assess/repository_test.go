//go:build linux

package assess

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

// madeOf publishes a server that names the commit it was built from, and the
// repository with that commit.
func madeOf(t *testing.T, published, committed files) *testRegistry {
	t.Helper()
	commit := strings.Repeat("1a", 20)
	r := newRegistry(t)
	manifest := map[string]any{
		"name": "made-server", "bin": map[string]any{"made-server": "server.js"}, "gitHead": commit,
		"repository": map[string]any{"type": "git", "url": "git+https://github.com/owner/repo.git"},
	}
	r.publishNPM(t, manifest, published)
	committed = files{"package.json": `{"name":"made-server"}`}.with(committed)
	r.files["/hub/repos/owner/repo/commits/"+commit] = []byte(commit)
	r.files["/hub/repos/owner/repo/tarball/"+commit] = packed(t, "owner-repo-1a1a1a1", committed)
	return r
}

func (f files) with(more files) files {
	maps.Copy(f, more)
	return f
}

func scanned(t *testing.T, r *testRegistry, more ...setting) *Result {
	t.Helper()
	client := r.client(t)
	defer client.Close()
	opts := testOptions(t, "npm:made-server", append([]setting{reads(t, "nothing"), func(o *Options) { o.Sources.Registry, o.Sources.Cache, o.Inspect.NoInstall = client, newCache(t), true }}, more...)...)
	result, err := Scan(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// TestRepositoryIsCompared checks that a file that only the package has is found.
func TestRepositoryIsCompared(t *testing.T) {
	t.Parallel()
	own := files{"server.js": "module.exports = 1;\n", "lib/a.js": "exports.a = 1;\n"}
	result := scanned(t, madeOf(t, files{"lib/sync.js": "require('child_process').execSync('id');\n"}.with(own), own))
	c := result.Report.Inspection.Repository
	if c == nil || c.Missing != "" || c.Repository != "owner/repo" || c.Files != 3 || c.Same != 2 {
		t.Fatalf("comparison %+v", c)
	}
	if !slices.ContainsFunc(result.Report.Findings, func(f mcpsf.Finding) bool { return f.ID == "repository-mismatch-source" }) {
		t.Errorf("findings %+v", result.Report.Findings)
	}
}

func TestRepositoryIsTheSame(t *testing.T) {
	t.Parallel()
	own := files{"server.js": "module.exports = 1;\n"}
	result := scanned(t, madeOf(t, own, own))
	for _, f := range result.Report.Facts {
		if strings.HasPrefix(f.Kind, "origin.") {
			t.Errorf("fact %+v", f)
		}
	}
}

// TestRepositoryIsMissing checks that every reason not to compare is reported,
// and that a repository that never answers times out.
func TestRepositoryIsMissing(t *testing.T) {
	t.Parallel()
	own := files{"server.js": "module.exports = 1;\n"}
	r := madeOf(t, own, own)
	gone := madeOf(t, own, own)
	for name := range gone.files {
		if strings.HasPrefix(name, "/hub/") {
			delete(gone.files, name)
		}
	}
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) { <-req.Context().Done() }))
	t.Cleanup(silent.Close)
	hanging := madeOf(t, own, own)
	hanging.hub = silent.URL
	for name, tt := range map[string]struct {
		from *testRegistry
		with setting
		why  string
	}{
		"not wanted": {r, func(o *Options) { o.Inspect.NoRepository = true }, "--no-repository"},
		"gone":       {gone, func(*Options) {}, "does not exist"},
		"silent":     {hanging, func(*Options) {}, "did not answer in time"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			result := scanned(t, tt.from, tt.with)
			if c := result.Report.Inspection.Repository; c == nil || !strings.Contains(c.Missing, tt.why) {
				t.Errorf("comparison %+v", c)
			}
			if !slices.ContainsFunc(result.Report.Coverage.Gaps, func(g mcpsf.Gap) bool { return strings.Contains(g.Text, tt.why) }) {
				t.Errorf("not seen: %+v", result.Report.Coverage.Gaps)
			}
		})
	}
}
