package gateway

import (
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const tarball = "these are the bytes of a package"

// files is a registry with npm packages, a project and their files.
func files() http.Handler {
	mux := http.NewServeMux()
	answer := func(path, contentType, body string) {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") == "" {
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			w.Header().Set("Content-Type", contentType)
			w.Header().Set("Set-Cookie", "session="+secret)
			w.Header().Set("X-Internal", r.Host)
			w.Header().Set("ETag", `"v1"`)
			w.Header().Set("Cache-Control", "public, max-age=60")
			http.ServeContent(w, r, "", time.Unix(1e9, 0), strings.NewReader(strings.ReplaceAll(body, "HOST", "http://"+r.Host)))
		})
	}
	packument := `{"_id":"left","name":"left","dist-tags":{"latest":"1.0.0"},"versions":{"1.0.0":{"name":"left","version":"1.0.0",
 "dist":{"integrity":"sha512-abc","tarball":"HOST/npm/left/-/left-1.0.0.tgz","attestations":{"url":"HOST/npm/-/npm/v1/attestations/left"}}},
 "6.6.6":{"name":"left","version":"6.6.6","dist":{"tarball":"http://169.254.169.254/latest"}}}}`
	answer("/npm/left", npmShort, packument)
	answer("/npm/left/latest", "application/json", `{"name":"left","version":"1.0.0","dist":{"tarball":"HOST/npm/left/-/left-1.0.0.tgz"}}`)
	answer("/npm/left/-/left-1.0.0.tgz", "application/octet-stream", tarball)
	answer("/acme/@acme%2ftool", "application/json", strings.NewReplacer("/npm/left/", "/acme/download/", "left", "@acme/tool").Replace(packument))
	answer("/acme/download/-/{file...}", "application/octet-stream", tarball)
	answer("/simple/pip-demo/", simpleJSON, `{"meta":{"api-version":"1.1"},"name":"pip-demo","files":[
 {"filename":"pip_demo-1.0-py3-none-any.whl","url":"HOST/files/pip_demo-1.0-py3-none-any.whl","hashes":{"sha256":"`+sumA+`"},"requires-python":">=3.8","yanked":"bad","core-metadata":{"sha256":"`+sumB+`"},"size":3},
 {"filename":"x","url":"http://127.0.0.1:1/x.whl","hashes":{}},{"filename":"x","url":"file:///etc/passwd","hashes":{}}]}`)
	answer("/simple/web-demo/", "text/html; charset=utf-8", `<a href="/files/web%2Bdemo-1.0.tar.gz#sha256=`+sumA+`" data-requires-python="&gt;=3.8" data-gpg-sig="true">x</a>`)
	answer("/files/{file}", "application/octet-stream", tarball)
	answer("/files/pip_demo-1.0-py3-none-any.whl.metadata", "text/plain", "Name: pip-demo\n")
	return mux
}

func TestPackument(t *testing.T) {
	w := newWorld(t, files(), nil)
	for _, tt := range []struct{ path, accept, upstream, wantType, wantAccept, entry string }{
		{"/npm/left", acceptNPMShort, "/npm/left", npmShort, acceptNPMShort, "npm left@1.0.0"},
		{"/npm/left", "application/json, */*;evil=1", "/npm/left", npmShort, acceptNPMFull, "npm left@1.0.0"},
		{"/npm/@acme%2ftool", acceptNPMShort, "/acme/@acme%2ftool", "application/json", acceptNPMShort, "npm @acme/tool@1.0.0"},
	} {
		resp, body := w.get(tt.path, "Accept", tt.accept, "Authorization", "Bearer sandbox", "Cookie", "a=b", "X-Forwarded-For", "x")
		if resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != tt.wantType {
			t.Fatalf("%s: %s %s %q", tt.path, resp.Status, resp.Header.Get("Content-Type"), body)
		}
		asked := w.requests()
		last := asked[len(asked)-1]
		if last.RequestURI != tt.upstream || last.Header.Get("Accept") != tt.wantAccept {
			t.Errorf("asked for %s as %s", last.RequestURI, last.Header.Get("Accept"))
		}
		if last.Header.Get("Authorization") != "Bearer "+secret || last.UserAgent() != "mcpsf-test" ||
			last.Header.Get("Cookie") != "" || last.Header.Get("X-Forwarded-For") != "" {
			t.Errorf("the registry saw %v", last.Header)
		}
		var p struct {
			Versions map[string]struct {
				Dist struct{ Integrity, Tarball string }
			}
		}
		if err := json.Unmarshal([]byte(body), &p); err != nil {
			t.Fatal(err)
		}
		if got := p.Versions["1.0.0"].Dist.Integrity; got != "sha512-abc" {
			t.Errorf("integrity %q", got)
		}
		resp, body = w.get(p.Versions["1.0.0"].Dist.Tarball)
		if resp.StatusCode != http.StatusOK || body != tarball {
			t.Errorf("the tarball: %s %q", resp.Status, body)
		}
		sum := sha512.Sum512([]byte(tarball))
		if want := tt.entry + " sha512-" + base64.StdEncoding.EncodeToString(sum[:]); !contains(w.gateway.Totals().Packages, want) {
			t.Errorf("%q is not in %q", want, w.gateway.Totals().Packages)
		}
		if resp, body = w.get(p.Versions["6.6.6"].Dist.Tarball); resp.StatusCode != http.StatusForbidden {
			t.Errorf("a tarball at a metadata service: %s %q", resp.Status, body)
		}
	}
}

func contains(list []string, s string) bool {
	return slices.Contains(list, s)
}

func TestPackumentCached(t *testing.T) {
	w := newWorld(t, files(), nil)
	resp, body := w.get("/npm/left")
	again, same := w.get("/npm/left")
	if n := len(w.requests()); n != 1 || body != same {
		t.Errorf("the registry was asked %d times", n)
	}
	if resp, body := w.get("/npm/left", "If-None-Match", again.Header.Get("ETag")); resp.StatusCode != http.StatusNotModified || body != "" {
		t.Errorf("unchanged: %s %q", resp.Status, body)
	}
	if resp.Header.Get("ETag") == `"v1"` {
		t.Error("the registry's tag on a page that is not the registry's")
	}
	head, body := w.do(http.MethodHead, "/npm/left")
	if head.StatusCode != http.StatusOK || head.ContentLength != int64(len(same)) || body != "" {
		t.Errorf("HEAD: %s, %d bytes announced", head.Status, head.ContentLength)
	}
}

func TestVersionAndLockFile(t *testing.T) {
	w := newWorld(t, files(), nil)
	_, body := w.get("/npm/left/latest")
	var v struct{ Dist struct{ Tarball string } }
	if err := json.Unmarshal([]byte(body), &v); err != nil || !strings.HasSuffix(v.Dist.Tarball, "/left-1.0.0.tgz") {
		t.Errorf("%v: %s", err, body)
	}
	for _, path := range []string{"/npm/left/-/left-1.0.0.tgz", "/left/-/left-1.0.0.tgz"} {
		if resp, body := w.get(path); resp.StatusCode != http.StatusOK || body != tarball {
			t.Errorf("%s: %s %q", path, resp.Status, body)
		}
	}
	if got := w.gateway.Totals().Packages; len(got) != 1 || !strings.HasPrefix(got[0], "npm left@1.0.0 sha512-") {
		t.Errorf("lock: %q", got)
	}
	if resp, body := w.get("/npm/-/ping"); resp.StatusCode != http.StatusOK || body != "{}" {
		t.Errorf("ping: %s %q", resp.Status, body)
	}
}

func TestProject(t *testing.T) {
	w := newWorld(t, files(), nil)
	for _, name := range []string{"pip-demo", "web-demo"} {
		inHTML, page := w.get("/pypi/simple/"+name+"/", "Accept", "text/html")
		links, _ := parseSimpleHTML([]byte(page))
		inJSON, page := w.get("/pypi/simple/"+name+"/", "Accept", acceptSimple)
		same, err := parseSimpleJSON([]byte(page))
		if err != nil || len(links) != 1 || len(same) != 1 {
			t.Fatalf("%s: %v: %v, %v", name, err, links, same)
		}
		if !strings.HasPrefix(inHTML.Header.Get("Content-Type"), "text/html") || inJSON.Header.Get("Content-Type") != simpleJSON {
			t.Errorf("types %q, %q", inHTML.Header.Get("Content-Type"), inJSON.Header.Get("Content-Type"))
		}
		if links[0].address != same[0].address+"#sha256="+sumA || links[0].python != ">=3.8" || same[0].hashes["sha256"] != sumA {
			t.Errorf("%s: %+v, %+v", name, links[0], same[0])
		}
		if resp, body := w.get(same[0].address); resp.StatusCode != http.StatusOK || body != tarball {
			t.Errorf("file of %s: %s %q", name, resp.Status, body)
		}
		resp, body := w.get(same[0].address + ".metadata")
		if name == "pip-demo" && (body != "Name: pip-demo\n" || *same[0].yanked != "bad" || same[0].metadata["sha256"] != sumB) {
			t.Errorf("metadata: %s %q %+v", resp.Status, body, same[0])
		}
		if resp, _ := w.get(same[0].address + "x"); resp.StatusCode != http.StatusNotFound {
			t.Errorf("another name: %s", resp.Status)
		}
	}
	got := w.gateway.Totals().Packages
	if len(got) != 2 || !strings.HasPrefix(got[0], "pypi pip_demo-1.0-py3-none-any.whl sha256:") || !strings.HasPrefix(got[1], "pypi web+demo-1.0.tar.gz sha256:") {
		t.Errorf("lock: %q", got)
	}
	for _, r := range w.requests() {
		if user, password, _ := r.BasicAuth(); user != "me" || password != secret {
			t.Errorf("%s was asked for as %q", r.URL, user)
		}
	}
}

// TestIndexes merges the files of two indexes, and works without one that
// fails.
func TestIndexes(t *testing.T) {
	page := func(names ...string) string {
		var b strings.Builder
		for _, n := range names {
			fmt.Fprintf(&b, `<a href="/files/%s">x</a>`, n)
		}
		return b.String()
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/one/{name}/", func(w http.ResponseWriter, r *http.Request) {
		switch r.PathValue("name") {
		case "both", "first":
			_, _ = io.WriteString(w, page("a-1.whl", "b-1.whl"))
		case "down":
			w.WriteHeader(http.StatusInternalServerError)
		case "private", "closed":
			w.WriteHeader(http.StatusUnauthorized)
		default:
			http.NotFound(w, r)
		}
	})
	mux.HandleFunc("/two/{name}/", func(w http.ResponseWriter, r *http.Request) {
		switch r.PathValue("name") {
		case "both", "down", "private":
			_, _ = io.WriteString(w, page("b-1.whl", "c-1.whl"))
		default:
			http.NotFound(w, r)
		}
	})
	mux.HandleFunc("/files/{name}", func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.PathValue("name")) })
	w := newWorld(t, mux, nil)
	w.gateway.opts.Client = newClient(t, w.upstream.URL, map[string]string{
		"PIP_INDEX_URL": w.upstream.URL + "/one/", "PIP_EXTRA_INDEX_URL": w.upstream.URL + "/two/",
	})
	for name, want := range map[string]string{
		"both": "a-1.whl b-1.whl c-1.whl", "first": "a-1.whl b-1.whl", "down": "b-1.whl c-1.whl", "private": "b-1.whl c-1.whl",
		"neither": "404", "closed": "403",
	} {
		resp, body := w.get("/pypi/simple/" + name + "/")
		got := fmt.Sprint(resp.StatusCode)
		if resp.StatusCode == http.StatusOK {
			links, _ := parseSimpleHTML([]byte(body))
			var names []string
			for _, l := range links {
				_, file := w.get(l.address)
				names = append(names, file)
			}
			got = strings.Join(names, " ")
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

func TestRangeAndHead(t *testing.T) {
	w := newWorld(t, files(), nil)
	const path = "/npm/left/-/left-1.0.0.tgz"
	for _, tt := range []struct {
		name, method, header, value string
		status                      int
		body, contentRange          string
	}{
		{"range", "GET", "Range", "bytes=6-8", 206, tarball[6:9], fmt.Sprintf("bytes 6-8/%d", len(tarball))},
		{"end", "GET", "Range", "bytes=-7", 206, "package", fmt.Sprintf("bytes %d-%d/%d", len(tarball)-7, len(tarball)-1, len(tarball))},
		{"beyond", "GET", "Range", "bytes=999-", 416, "", fmt.Sprintf("bytes */%d", len(tarball))},
		{"several ranges are not passed on", "GET", "Range", "bytes=0-1,3-4", 200, tarball, ""},
		{"no range", "GET", "Range", "lines=1", 200, tarball, ""},
		{"unchanged", "GET", "If-None-Match", `"v1"`, 304, "", ""},
		{"changed", "GET", "If-None-Match", `"v0", W/"v2"`, 200, tarball, ""},
		{"no tag", "GET", "If-None-Match", `*`, 200, tarball, ""},
		{"head", "HEAD", "Accept", "*/*", 200, "", ""},
		{"head of a range", "HEAD", "Range", "bytes=0-1", 206, "", fmt.Sprintf("bytes 0-1/%d", len(tarball))},
	} {
		t.Run(tt.name, func(t *testing.T) {
			resp, body := w.do(tt.method, path, tt.header, tt.value)
			if resp.StatusCode != tt.status || body != tt.body || resp.Header.Get("Content-Range") != tt.contentRange {
				t.Errorf("got %s, %q, %q", resp.Status, body, resp.Header.Get("Content-Range"))
			}
			if resp.StatusCode == http.StatusOK && resp.ContentLength != int64(len(tarball)) {
				t.Errorf("length %d", resp.ContentLength)
			}
			asked := w.requests()
			last := asked[len(asked)-1]
			if last.Method != tt.method || last.Header.Get("Accept-Encoding") != "identity" {
				t.Errorf("the registry saw %s %v", last.Method, last.Header)
			}
		})
	}
	want := []string{"npm left@1.0.0 partial"}
	if got := w.gateway.Totals().Packages; len(got) != 2 || got[0] != want[0] {
		t.Errorf("lock: %q", got)
	}
}

func TestConcurrent(t *testing.T) {
	w := newWorld(t, files(), nil)
	var wg sync.WaitGroup
	for i := range 100 {
		wg.Go(func() {
			path := []string{"/npm/left", "/npm/left/-/left-1.0.0.tgz", "/pypi/simple/pip-demo/", "/npm/none"}[i%4]
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://packages.lan"+path, nil)
			if err != nil {
				t.Error(err)
				return
			}
			resp, err := w.client.Do(req)
			if err != nil {
				t.Error(err)
				return
			}
			defer resp.Body.Close()
			if _, err := io.Copy(io.Discard, resp.Body); err != nil || (resp.StatusCode == http.StatusOK) == (i%4 == 3) {
				t.Errorf("%s: %s %v", path, resp.Status, err)
			}
		})
	}
	wg.Wait()
	totals := w.gateway.Totals()
	if totals.Requests != 100 || totals.Refused != 0 || len(totals.Packages) != 1 {
		t.Errorf("totals: %+v", totals)
	}
}

func TestAttemptsAndProgress(t *testing.T) {
	type progress struct {
		packages int
		bytes    int64
	}
	var last progress
	w := newWorld(t, files(), func(o *Options) {
		o.Progress = func(packages int, bytes int64) { last = progress{packages, bytes} }
	})
	_, page := w.get("/pypi/simple/web-demo/")
	links, _ := parseSimpleHTML([]byte(page))
	w.get(links[0].address)
	w.get("/npm/none")
	w.get("/npm/../etc/passwd")
	got := w.recorded()
	for i := range got {
		if _, err := netip.ParseAddrPort(got[i].From); err != nil {
			t.Errorf("attempt %d came from %q", i, got[i].From)
		}
		got[i].From = ""
	}
	const missing = "the registry does not have it\n"
	refusal := "no package has such a path"
	want := []Attempt{
		{Method: "GET", URL: "/pypi/simple/web-demo/", Status: 200, Bytes: int64(len(page))},
		{Method: "GET", URL: "/pypi-files/*/web+demo-1.0.tar.gz", Status: 200, Bytes: int64(len(tarball))},
		{Method: "GET", URL: "/npm/none", Status: 404, Bytes: int64(len(missing))},
		{Method: "GET", URL: "/npm/../etc/passwd", Status: 404, Bytes: int64(len(refusal)) + 1, Refused: refusal},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	w.gateway.hooks.Lock()
	defer w.gateway.hooks.Unlock()
	if want := (progress{1, int64(len(page) + len(tarball))}); last != want {
		t.Errorf("progress %+v, want %+v", last, want)
	}
}
