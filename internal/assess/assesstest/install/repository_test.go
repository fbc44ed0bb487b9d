//go:build linux

package install

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/assess"
	"github.com/mcpsf/mcpsf/internal/assess/assesstest"
)

// madeOf publishes a server that names the commit it was built from, and the
// repository with that commit.
func madeOf(t *testing.T, published, committed assesstest.Files) *assesstest.Registry {
	t.Helper()
	commit := strings.Repeat("1a", 20)
	r := assesstest.NewRegistry(t)
	manifest := map[string]any{
		"name": "made-server", "bin": map[string]any{"made-server": "server.js"}, "gitHead": commit,
		"repository": map[string]any{"type": "git", "url": "git+https://github.com/owner/repo.git"},
	}
	r.PublishNPM(t, manifest, published)
	committed = both(assesstest.Files{"package.json": `{"name":"made-server"}`}, committed)
	r.Serve("/hub/repos/owner/repo/commits/"+commit, []byte(commit))
	r.Serve("/hub/repos/owner/repo/tarball/"+commit, assesstest.Packed(t, "owner-repo-1a1a1a1", committed))
	return r
}

// both adds more to some files.
func both(some, more assesstest.Files) assesstest.Files {
	maps.Copy(some, more)
	return some
}

func scanned(t *testing.T, r *assesstest.Registry, more ...assesstest.Setting) *assess.Result {
	t.Helper()
	client := r.Client(t)
	defer client.Close()
	opts := assesstest.Options(t, "npm:made-server", append([]assesstest.Setting{assesstest.ReadsSource(t, "nothing"), func(o *assess.Options) {
		o.Sources.Registry, o.Sources.Cache, o.Inspect.NoInstall = client, assesstest.NewCache(t), true
	}}, more...)...)
	result, err := assess.Scan(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// TestRepositoryIsCompared checks that a file that only the package has is found.
func TestRepositoryIsCompared(t *testing.T) {
	t.Parallel()
	own := assesstest.Files{"server.js": "module.exports = 1;\n", "lib/a.js": "exports.a = 1;\n"}
	result := scanned(t, madeOf(t, both(assesstest.Files{"lib/sync.js": "require('child_process').execSync('id');\n"}, own), own))
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
	own := assesstest.Files{"server.js": "module.exports = 1;\n"}
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
	own := assesstest.Files{"server.js": "module.exports = 1;\n"}
	r := madeOf(t, own, own)
	gone := madeOf(t, own, own)
	gone.Remove("/hub/")
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) { <-req.Context().Done() }))
	t.Cleanup(silent.Close)
	hanging := madeOf(t, own, own)
	hanging.Hub = silent.URL
	for name, tt := range map[string]struct {
		from *assesstest.Registry
		with assesstest.Setting
		why  string
	}{
		"not wanted": {r, func(o *assess.Options) { o.Inspect.NoRepository = true }, "--no-repository"},
		"gone":       {gone, func(*assess.Options) {}, "does not exist"},
		"silent":     {hanging, func(*assess.Options) {}, "did not answer in time"},
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
