package github

import (
	"archive/tar"
	"bytes"
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/acquire/archive"
	"github.com/mcpsf/mcpsf/internal/acquire/registry"
	"github.com/mcpsf/mcpsf/internal/acquire/source/kind"
	"github.com/mcpsf/mcpsf/internal/acquire/source/sourcetest"
	"github.com/mcpsf/mcpsf/internal/acquire/source/staging"
)

var (
	commitOne = strings.Repeat("1a", 20)
	commitTwo = strings.Repeat("2b", 20)
)

// hub is a GitHub with one repository, owner/repo. Its archives come from
// another host, as with the real one.
type hub struct {
	refs     map[string]string // to commits
	archives map[string][]byte
	token    string // required, unless ""
	fail     func(w http.ResponseWriter, r *http.Request) bool

	api, files *httptest.Server
	mu         sync.Mutex
	asked      []string
	leaked     []string // credentials that the other host received
}

func newHub(t *testing.T) *hub {
	t.Helper()
	h := &hub{refs: map[string]string{}, archives: map[string][]byte{}}
	h.files = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.mu.Lock()
		h.leaked = append(h.leaked, r.Header.Values("Authorization")...)
		h.mu.Unlock()
		data, ok := h.archives[filepath.Base(r.URL.Path)]
		if !ok {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		_, _ = w.Write(data)
	}))
	h.api = httptest.NewServer(http.HandlerFunc(h.serve))
	t.Cleanup(h.api.Close)
	t.Cleanup(h.files.Close)
	return h
}

func (h *hub) serve(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	h.asked = append(h.asked, r.Method+" "+r.URL.EscapedPath())
	h.mu.Unlock()
	if h.fail != nil && h.fail(w, r) {
		return
	}
	if h.token != "" && r.Header.Get("Authorization") != "Bearer "+h.token {
		w.WriteHeader(http.StatusNotFound) // GitHub does not reveal that it exists
		return
	}
	rest, ok := strings.CutPrefix(r.URL.Path, "/api/v3/repos/owner/repo/")
	if !ok {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	kind, ref, _ := strings.Cut(rest, "/")
	switch kind {
	case "commits":
		commit, ok := h.refs[ref]
		if !ok || r.Header.Get("Accept") != "application/vnd.github.sha" {
			w.WriteHeader(http.StatusUnprocessableEntity)
			return
		}
		fmt.Fprint(w, commit)
	case "tarball":
		http.Redirect(w, r, h.files.URL+"/owner/repo/"+ref, http.StatusFound)
	}
}

// commit adds a commit, with the entries below one top directory.
func (h *hub) commit(t *testing.T, commit string, refs []string, items ...sourcetest.TarItem) {
	t.Helper()
	h.refs[commit] = commit
	for _, ref := range refs {
		h.refs[ref] = commit
	}
	h.archives[commit] = repositoryTar(t, commit, items...)
}

func repositoryTar(t testing.TB, commit string, items ...sourcetest.TarItem) []byte {
	t.Helper()
	all := []sourcetest.TarItem{sourcetest.TarOther("owner-repo-"+commit[:7]+"/", tar.TypeDir, "")}
	for _, i := range items {
		if !strings.HasPrefix(i.Name, "!") {
			i.Name = "owner-repo-" + commit[:7] + "/" + i.Name
		}
		i.Name = strings.TrimPrefix(i.Name, "!")
		all = append(all, i)
	}
	global := rawGlobal(t, "comment", commit)
	return sourcetest.Gzip(t, append(global, sourcetest.Tar(t, all...)...))
}

// rawGlobal is the global header that Git writes the commit into.
func rawGlobal(t testing.TB, key, value string) []byte {
	t.Helper()
	record := func() string {
		body := " " + key + "=" + value + "\n"
		n := len(body) + 2
		return fmt.Sprintf("%d%s", n, body)
	}()
	return append(sourcetest.RawTar(t, "pax_global_header", 'g', fmt.Sprintf("%011o", len(record)), nil), sourcetest.Pad(record)...)
}

func (h *hub) options(t *testing.T, cache kind.Cache, env ...string) *kind.Options {
	t.Helper()
	settings := map[string]string{"GITHUB_API_URL": h.api.URL + "/api/v3"}
	for _, kv := range env {
		name, value, _ := strings.Cut(kv, "=")
		settings[name] = value
	}
	client, err := registry.New(&registry.Options{Getenv: func(name string) string { return settings[name] }})
	sourcetest.Must(t, err)
	t.Cleanup(client.Close)
	o := &kind.Options{Registry: client}
	if cache != nil {
		o.Cache = cache
	}
	return o
}

func (h *hub) resolve(t *testing.T, source string, opts *kind.Options) (*mcpsf.Artifact, []mcpsf.Fact, error) {
	t.Helper()
	stage := filepath.Join(t.TempDir(), "stage")
	sourcetest.Must(t, os.Mkdir(stage, 0o755))
	return resolve(t.Context(), mcpsf.Target{Source: source}, stage, opts)
}

func TestGitHub(t *testing.T) {
	h := newHub(t)
	h.commit(t, commitOne, []string{"HEAD", "main", "v1.0", "feature/slash", "@scope/pkg@1.0.0"},
		sourcetest.TarFile("package.json", `{"name": "root", "version": "1.0.0", "bin": "index.js"}`), sourcetest.TarFile("index.js", "one"),
		sourcetest.TarOther("packages/", tar.TypeDir, ""), sourcetest.TarOther("packages/sub/", tar.TypeDir, ""),
		sourcetest.TarFile("packages/sub/package.json", `{"name": "sub", "bin": "s.js"}`), sourcetest.TarFile("packages/sub/s.js", "two"),
		sourcetest.TarOther("packages/sub/README.md", tar.TypeSymlink, "../../README.md"), sourcetest.TarOther("packages/sub/l.js", tar.TypeSymlink, "s.js"),
		sourcetest.TarFile("README.md", "read me"))
	root := []string{"README.md", "index.js", "package.json", "packages", "packages/sub", "packages/sub/README.md", "packages/sub/l.js", "packages/sub/package.json", "packages/sub/s.js"}
	sub := []string{"l.js", "package.json", "s.js"}
	for _, test := range []struct {
		source, name string
		files        []string
	}{
		{"github:owner/repo", "root", root},
		{"github:owner/repo@v1.0", "root", root},
		{"github:owner/repo@feature/slash", "root", root},
		{"github:owner/repo@@scope/pkg@1.0.0", "root", root},
		{"github:owner/repo@" + commitOne, "root", root},
		{"github:owner/repo/packages/sub", "sub", sub},
		{"github:owner/repo/packages/sub@main", "sub", sub},
		{"https://github.com/owner/repo", "root", root},
		{"https://github.com/owner/repo.git", "root", root},
		{"https://github.com/owner/repo/", "root", root},
		{"https://github.com/owner/repo?tab=readme-ov-file#usage", "root", root},
		{"https://github.com/owner/repo/tree/main", "root", root},
		{"https://github.com/owner/repo/tree/main/packages/sub", "sub", sub},
		{"https://github.com/owner/repo/tree/feature/slash/packages/sub", "sub", sub},
		{"https://github.com/owner/repo/tree/feature/slash", "root", root},
		{"https://github.com/owner/repo/commit/" + commitOne, "root", root},
		{"https://github.com/owner/repo/releases/tag/v1.0", "root", root},
		{"https://github.com/owner/repo/releases/tag/%40scope%2Fpkg%401.0.0", "root", root},
		{"git@github.com:owner/repo.git", "root", root},
	} {
		t.Run(strings.ReplaceAll(test.source, "/", "|"), func(t *testing.T) {
			a, facts, err := h.resolve(t, test.source, h.options(t, nil))
			sourcetest.Must(t, err)
			if len(facts) > 0 {
				t.Errorf("facts: %+v", facts)
			}
			var files []string
			for name := range sourcetest.Listing(t, a.Dir) {
				files = append(files, strings.TrimSuffix(name, "/"))
			}
			slices.Sort(files)
			if diff := cmp.Diff(test.files, files); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
			want := &mcpsf.Origin{URL: h.api.URL + "/api/v3/repos/owner/repo/tarball/" + commitOne, Pin: commitOne}
			if diff := cmp.Diff(want, a.Origin); diff != "" {
				t.Errorf("origin (-want +got):\n%s", diff)
			}
			if a.Kind != "github" || a.Name != test.name {
				t.Errorf("it is a %s called %s", a.Kind, a.Name)
			}
		})
	}
}

func TestGitHubTokenStaysWithTheAPI(t *testing.T) {
	h := newHub(t)
	h.token = "ghp_the-users-own"
	h.commit(t, commitOne, []string{"HEAD"}, sourcetest.TarFile("server.py", ""))
	_, _, err := h.resolve(t, "github:owner/repo", h.options(t, nil))
	sourcetest.WantUsage(t, err, "does not exist", "set GITHUB_TOKEN")
	for _, name := range []string{"GITHUB_TOKEN", "GH_TOKEN"} {
		a, _, err := h.resolve(t, "github:owner/repo", h.options(t, nil, name+"="+h.token))
		sourcetest.Must(t, err)
		if text := fmt.Sprintf("%+v", a); strings.Contains(text, h.token) {
			t.Errorf("the artifact tells the token: %s", text)
		}
	}
	if len(h.leaked) > 0 {
		t.Errorf("the other host was sent %q", h.leaked)
	}
	_, _, err = h.resolve(t, "github:owner/other", h.options(t, nil, "GITHUB_TOKEN="+h.token))
	sourcetest.WantUsage(t, err, "does not exist", "check that your GITHUB_TOKEN may read it")
}

func TestGitHubCache(t *testing.T) {
	h := newHub(t)
	h.commit(t, commitOne, []string{"HEAD", "main"}, sourcetest.TarFile("server.py", ""), sourcetest.TarFile("sub/server.py", ""))
	cache := sourcetest.NewCache(t)
	first, _, err := h.resolve(t, "github:Owner/Repo@main", h.options(t, nil))
	if err == nil {
		t.Fatalf("names are not told apart by case: %v", first)
	}
	first, _, err = h.resolve(t, "https://github.com/owner/repo/tree/main/sub", h.options(t, cache))
	sourcetest.Must(t, err)
	if first.Origin.Offline {
		t.Error("the first run was offline")
	}
	keys := slices.Sorted(maps.Keys(cache.Notes))
	host := strings.TrimPrefix(h.api.URL, "http://")
	if diff := cmp.Diff([]string{"github/" + host + "/owner/repo/" + commitOne, "github/" + host + "/owner/repo/request/tree/main/sub"}, keys); diff != "" {
		t.Errorf("keys (-want +got):\n%s", diff)
	}

	t.Run("a commit needs no network", func(t *testing.T) {
		h.asked = nil
		a, _, err := h.resolve(t, "github:owner/repo/sub@"+commitOne, h.options(t, cache))
		sourcetest.Must(t, err)
		if len(h.asked) > 0 || !a.Origin.Offline || a.Digest != first.Digest {
			t.Errorf("asked for %q, origin %+v", h.asked, a.Origin)
		}
	})
	t.Run("a name is asked for again", func(t *testing.T) {
		h.commit(t, commitTwo, []string{"main"}, sourcetest.TarFile("sub/server.py", "new"))
		a, _, err := h.resolve(t, "https://github.com/owner/repo/tree/main/sub", h.options(t, cache))
		sourcetest.Must(t, err)
		if a.Origin.Pin != commitTwo {
			t.Errorf("pin is %s", a.Origin.Pin)
		}
	})
	t.Run("unless GitHub is down", func(t *testing.T) {
		h.fail = func(w http.ResponseWriter, _ *http.Request) bool {
			w.WriteHeader(http.StatusInternalServerError)
			return true
		}
		defer func() { h.fail = nil }()
		a, _, err := h.resolve(t, "https://github.com/owner/repo/tree/main/sub", h.options(t, cache))
		sourcetest.Must(t, err)
		if a.Origin.Pin != commitTwo || !a.Origin.Offline || !strings.Contains(strings.Join(a.Notes, " "), "GitHub could not be asked") {
			t.Errorf("origin %+v, notes %q", a.Origin, a.Notes)
		}
		_, _, err = h.resolve(t, "github:owner/repo@v9", h.options(t, cache))
		if mcpsf.ErrorCode(err) != mcpsf.CodeUnavailable {
			t.Errorf("error is %v", err)
		}
	})
	t.Run("nothing bad is kept", func(t *testing.T) {
		bad := strings.Repeat("3c", 20)
		h.refs["bad"], h.archives[bad] = bad, repositoryTar(t, bad, sourcetest.TarFile("server.py", ""))[:150]
		_, _, err := h.resolve(t, "github:owner/repo@bad", h.options(t, cache))
		sourcetest.WantUsage(t, err, "damaged or cut short")
		if _, _, ok := cache.Get("github/" + host + "/owner/repo/" + bad); ok {
			t.Error("a damaged archive is in the cache")
		}
	})
}

func TestGitHubMistakes(t *testing.T) {
	status := func(code int, header ...string) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, _ *http.Request) bool {
			for i := 0; i < len(header); i += 2 {
				w.Header().Set(header[i], header[i+1])
			}
			w.WriteHeader(code)
			return true
		}
	}
	text := func(s string) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, _ *http.Request) bool { fmt.Fprint(w, s); return true }
	}
	for _, test := range []struct {
		name, source string
		fail         func(http.ResponseWriter, *http.Request) bool
		code         mcpsf.Code
		want         string
	}{
		{"unknown repository", "github:owner/none", nil, mcpsf.CodeUsage, `the GitHub repository "owner/none" does not exist; check the name; if it is private, set GITHUB_TOKEN`},
		{"unknown ref", "github:owner/repo@none", nil, mcpsf.CodeUsage, `the repository "owner/repo" has no branch, tag or commit "none"`},
		{"unknown tree", "https://github.com/owner/repo/tree/a/b/c", nil, mcpsf.CodeUsage, `no branch, tag or commit "a/b/c"`},
		{"empty", "github:owner/repo", status(409), mcpsf.CodeUsage, "is empty"},
		{"bad token", "github:owner/repo", status(401), mcpsf.CodeUsage, "does not accept your token"},
		{"blocked", "github:owner/repo", status(451), mcpsf.CodeUsage, "for legal reasons"},
		{"rate limit", "github:owner/repo", status(403, "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", "1900000000"), mcpsf.CodeUnavailable,
			"try again after 17:46 on 17 March, UTC, or set GITHUB_TOKEN"},
		{"second limit", "github:owner/repo", status(403, "Retry-After", "60"), mcpsf.CodeUnavailable, "try again later"},
		{"odd limit", "github:owner/repo", status(403, "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", "99999999999999999999"), mcpsf.CodeUnavailable, "try again later"},
		{"forbidden", "github:owner/repo", status(403), mcpsf.CodeUsage, "credentials"},
		{"down", "github:owner/repo", status(500), mcpsf.CodeUnavailable, "out of order"},
		{"no commit", "github:owner/repo", text("<html>"), mcpsf.CodeUnavailable, "answered with no commit"},
		{"another commit", "github:owner/repo@" + commitOne, text(commitTwo), mcpsf.CodeUnavailable, "answered with no commit"},
		{"endless", "github:owner/repo", text(strings.Repeat("a", 1<<20)), mcpsf.CodeUnavailable, "answered with no commit"},
		{"no directory", "github:owner/repo/none", nil, mcpsf.CodeUsage, `there is no directory "none" with files in owner/repo at 1a1a1a1a1a1a`},
		{"a file", "github:owner/repo/server.py", nil, mcpsf.CodeUsage, `"server.py" is a file`},
		{"no archive", "github:owner/repo@gone", nil, mcpsf.CodeUsage, "does not exist"},
		{"not what it says", "github:owner/repo@wrong", nil, mcpsf.CodeUsage, "is not what was asked for"},
		{"no files", "github:owner/repo@bare", nil, mcpsf.CodeUsage, "has no files"},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := newHub(t)
			h.commit(t, commitOne, []string{"HEAD"}, sourcetest.TarFile("server.py", ""))
			h.refs["gone"] = strings.Repeat("4d", 20)
			h.refs["wrong"], h.archives[commitTwo] = commitTwo, h.archives[commitOne]
			h.commit(t, strings.Repeat("5e", 20), []string{"bare"})
			h.fail = test.fail
			_, _, err := h.resolve(t, test.source, h.options(t, nil))
			if err == nil || mcpsf.ErrorCode(err) != test.code || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error is %v (%s), want %s (%s)", err, mcpsf.ErrorCode(err), test.want, test.code)
			}
		})
	}
	_, _, err := newHub(t).resolve(t, "github:owner/repo", nil)
	sourcetest.WantUsage(t, err, "no way to GitHub")
}

func TestGitHubHostileArchive(t *testing.T) {
	h := newHub(t)
	h.commit(t, commitOne, []string{"HEAD"},
		sourcetest.TarFile("only/server.py", "kept"), sourcetest.TarFile("!../evil", "x"), sourcetest.TarFile("!/abs", "x"), sourcetest.TarOther("out", tar.TypeSymlink, "../../../etc/passwd"),
		sourcetest.TarOther("hard", tar.TypeLink, "../../etc/passwd"), sourcetest.TarOther("pipe", tar.TypeFifo, ""), sourcetest.TarFile("!other-top/x.py", "y"),
		sourcetest.TarFile(".gitmodules", "[submodule]"), sourcetest.TarFile("only/big.bin", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"))
	a, facts, err := h.resolve(t, "github:owner/repo/only", h.options(t, nil))
	sourcetest.Must(t, err)
	if diff := cmp.Diff([]string{"big.bin", "server.py"}, slices.Sorted(maps.Keys(sourcetest.Listing(t, a.Dir)))); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	notes := strings.Join(a.Notes, "\n")
	for _, want := range []string{"submodules", `pointers to Git LFS, "big.bin"`, "refused \"../evil\""} {
		if !strings.Contains(notes, want) {
			t.Errorf("notes do not say %q:\n%s", want, notes)
		}
	}
	if len(facts) != 2 { // the two with "..", wherever they are
		t.Errorf("facts: %+v", facts)
	}
	stage := filepath.Dir(a.Dir)
	if entries, err := os.ReadDir(stage); err != nil || len(entries) != 1 {
		t.Errorf("beside the stage is %v", entries)
	}

	a, facts, err = h.resolve(t, "github:owner/repo", h.options(t, nil))
	sourcetest.Must(t, err)
	if got := slices.Sorted(maps.Keys(sourcetest.Listing(t, a.Dir))); !slices.Contains(got, "only/server.py") || slices.Contains(got, "out") || slices.Contains(got, "hard") {
		t.Errorf("files: %q", got)
	}
	if len(facts) != 5 {
		t.Errorf("facts: %+v", facts)
	}
}

// TestGitHubOneDirectory: a repository with a single directory is not stripped
// twice.
func TestGitHubOneDirectory(t *testing.T) {
	h := newHub(t)
	h.commit(t, commitOne, []string{"HEAD"}, sourcetest.TarOther("pkg/", tar.TypeDir, ""), sourcetest.TarFile("pkg/__main__.py", ""))
	a, _, err := h.resolve(t, "github:owner/repo", h.options(t, nil))
	sourcetest.Must(t, err)
	if diff := cmp.Diff([]string{"pkg/", "pkg/__main__.py"}, slices.Sorted(maps.Keys(sourcetest.Listing(t, a.Dir)))); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

func TestGitHubInterrupted(t *testing.T) {
	h := newHub(t)
	ctx, cancel := context.WithCancel(t.Context())
	h.fail = func(http.ResponseWriter, *http.Request) bool { cancel(); return false }
	_, _, err := resolve(ctx, mcpsf.Target{Source: "github:owner/repo"}, t.TempDir(), h.options(t, sourcetest.NewCache(t)))
	if err == nil || !strings.Contains(err.Error(), context.Canceled.Error()) {
		t.Errorf("error is %v", err)
	}
}

func TestParseGitHub(t *testing.T) {
	for _, test := range []struct {
		in   string
		want repository
	}{
		{"github:o/r", repository{owner: "o", name: "r"}},
		{"github:o/r.git@v1", repository{owner: "o", name: "r", ref: "v1"}},
		{"github:o/r/packages/@scope/x@main", repository{owner: "o", name: "r", sub: "packages/@scope/x", ref: "main"}},
		{"github:o/r/a//b/./c", repository{owner: "o", name: "r", sub: "a/b/c"}},
		{"github:o/r/.", repository{owner: "o", name: "r"}},
		{"HTTPS://www.GitHub.com/o/r", repository{owner: "o", name: "r"}},
		{"https://user:token@github.com/o/r", repository{owner: "o", name: "r"}},
		{"git+https://github.com/o/r.git@v1", repository{owner: "o", name: "r", ref: "v1"}},
		{"ssh://git@github.com/o/r.git", repository{owner: "o", name: "r"}},
		{"https://github.com/o/r/archive/refs/tags/v1.2.tar.gz", repository{owner: "o", name: "r", ref: "refs/tags/v1.2"}},
		{"https://github.com/o/r/tree/a/b", repository{owner: "o", name: "r", tail: []string{"a", "b"}}},
		{"https://github.com/o/r/tree/a%20b/c", repository{owner: "o", name: "r", tail: []string{"a b", "c"}}},
	} {
		got, err := parseSpec(test.in)
		sourcetest.Must(t, err)
		if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(repository{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.in, diff)
		}
	}
	for _, bad := range []string{
		"github:", "github:o", "github:/", "github:o/", "github:o/..", "github:o/r@", "github:o/r@-x", "github:o/r@a..b", "github:o/r@a b", "github:o/r@a^{}",
		"github:o/r@x\x1b[31m", "github:o/r@refs/../x", "github:o/r@.x", "github:o/r@x.lock", "github:o/r@" + strings.Repeat("a", 300),
		"github:o/r/../x", "github:o/r/a/../../x", "github:o/r/a\nb", "github:o r/x", "github:o/r?x=1", "github:o%2f../r", "github:-o/r",
		"https://github.com/", "https://github.com/o", "https://github.com/o/r/issues/1", "https://github.com/o/r/blob/main/x.py", "https://github.com/o%2Fp/r",
		"https://github.com/o/r/tree/../x", "https://github.com/o/r/tree/a/..", "https://github.com/o/r/tree/%zz", "https://github.com/o/r/tree/" + strings.Repeat("a/", 100),
		"github:" + strings.Repeat("a", 3000) + "/r",
	} {
		if !(Resolver{}).Match(mcpsf.Target{Source: bad}) {
			t.Errorf("%q is not taken for GitHub", bad)
		}
		if _, err := parseSpec(bad); err == nil {
			t.Errorf("%q is no repository", bad)
		} else {
			sourcetest.WantUsage(t, err)
		}
	}
	for _, other := range []string{"githubx:o/r", "https://github.com.evil.example/o/r", "https://evil.example/github.com/o/r", "./github.com/o/r", "https://github.community/o/r",
		"https://evil.example@x.github.com/o/r", "owner/repo"} {
		if matches(other) {
			t.Errorf("%q is taken for GitHub", other)
		}
	}
}

func FuzzParseGitHub(f *testing.F) {
	for _, s := range []string{
		"github:o/r/a@b", "https://github.com/o/r/tree/a/b", "git@github.com:o/r.git", "https://github.com/o/r/releases/tag/%40a%2Fb", "github:o/r@@a/b@1",
	} {
		f.Add(s)
	}
	api := registry.Registry{}
	f.Fuzz(func(t *testing.T, source string) {
		if !matches(source) {
			return
		}
		r, err := parseSpec(source)
		if err != nil {
			sourcetest.WantUsage(t, err)
			return
		}
		for _, one := range r.splits() {
			p := (&fetcher{api: api}).path(one, "commits", one.ref)
			if strings.ContainsAny(p, "?# \\\n\x00") || strings.Contains(p, "/../") || strings.HasSuffix(p, "/..") || !strings.HasPrefix(p, "./repos/") {
				t.Errorf("%q asks for %q", source, p)
			}
			if one.sub != "" && !filepath.IsLocal(one.sub) {
				t.Errorf("%q leads to %q", source, one.sub)
			}
		}
	})
}

func FuzzGitHubTar(f *testing.F) {
	good := repositoryTar(f, commitOne, sourcetest.TarFile("a/server.py", "x"), sourcetest.TarOther("a/l", tar.TypeSymlink, "../b"))
	f.Add(good, "a")
	f.Add(good, "")
	f.Fuzz(func(t *testing.T, data []byte, sub string) {
		if _, why := archive.MemberPath(sub); why != "" && sub != "" {
			return
		}
		dir := t.TempDir()
		file := filepath.Join(dir, "archive")
		sourcetest.Must(t, os.WriteFile(file, data, 0o600))
		sourcetest.Must(t, os.Mkdir(filepath.Join(dir, "stage"), 0o755))
		dst, err := os.OpenRoot(filepath.Join(dir, "stage"))
		sourcetest.Must(t, err)
		defer dst.Close()
		o := (&kind.Options{Limits: staging.Limits{MaxBytes: 1 << 20, MaxFiles: 1000}}).Complete()
		g := &tarball{Unpacker: archive.New("x", dst, o.Limits), pin: pinned{repo: repository{owner: "o", name: "r", sub: sub}, commit: commitOne}}
		if err := g.unpack(t.Context(), file); err != nil {
			sourcetest.WantUsage(t, err)
		}
		entries, err := os.ReadDir(dir)
		sourcetest.Must(t, err)
		now, err := os.ReadFile(file)
		if err != nil || len(entries) != 2 || !bytes.Equal(now, data) {
			t.Errorf("something happened beside the stage: %v", entries)
		}
	})
}
