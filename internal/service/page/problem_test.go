package page_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"golang.org/x/net/html"

	"github.com/mcpsf/mcpsf/internal/service/job"
	"github.com/mcpsf/mcpsf/internal/service/server"
)

// chrome is the Accept header of a browser that opens a page.
const chrome = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"

const (
	asPage = "text/html; charset=utf-8"
	asData = "application/problem+json"
)

// People get an error page, programs get JSON.
func TestProblems(t *testing.T) {
	w := newWorld(t)
	w.api.Mount("GET /breaks", func(http.ResponseWriter, *http.Request, *job.Key) { panic("a secret") })
	w.api.Mount("GET /fails", func(rw http.ResponseWriter, r *http.Request, _ *job.Key) {
		rw.Header().Set("Content-Length", "7")
		w.api.Errors.Write(rw, r, http.ErrServerClosed)
	})
	id := w.queue(job.Request{Source: "npm:a"})
	for _, tt := range []struct {
		method, path, accept string
		headers              []string
		status               int
		kind, says           string
	}{
		{"GET", "/nothing", chrome, nil, 404, asPage, "No such page, job, key or file in this project."},
		{"GET", "/runs/" + id + "/nothing", chrome, nil, 404, asPage, "Not Found"},
		{"GET", "/assets/none.css", chrome, nil, 404, asPage, "Not Found"},
		{"GET", "/a/../b", chrome, nil, 404, asPage, "Not Found"},
		{"GET", "/apiary", chrome, nil, 404, asPage, "Not Found"},
		{"HEAD", "/nothing", chrome, nil, 404, asPage, ""},
		{"PUT", "/history", chrome, nil, 405, asPage, "Method not allowed; use GET, HEAD."},
		{"POST", "/runs", chrome, []string{"Origin", "https://evil.example"}, 403, asPage, "Cross-site request refused."},
		{"GET", "/breaks", chrome, nil, 500, asPage, "Internal error; see the log of the service."},
		{"GET", "/fails", chrome, nil, 500, asPage, "Internal error; see the log of the service."},

		{"GET", "/nothing", "", nil, 404, asData, "not-found"},
		{"GET", "/nothing", "*/*", nil, 404, asData, "not-found"},
		{"GET", "/nothing", "text/html;q=0", nil, 404, asData, "not-found"},
		{"GET", "/nothing", "text/html;q=0.5, application/*", nil, 404, asData, "not-found"},
		{"GET", "/nothing", strings.Repeat("text/html;", 2000), nil, 404, asData, "not-found"},
		{"GET", "/breaks", "application/json", nil, 500, asData, "internal"},
		{"GET", "/api", chrome, nil, 404, asData, "not-found"},
		{"GET", "/api/v1/nothing", chrome, nil, 404, asData, "not-found"},
		{"GET", "/api/v1/jobs/" + job.NewID(), chrome, nil, 404, asData, "not-found"},
		{"PUT", "/api/v1/jobs", chrome, nil, 405, asData, "method"},
		{"POST", "/healthz", chrome, nil, 405, asData, "method"},
		{"GET", "/nothing", chrome, []string{"Host", "evil.example"}, 421, asData, "wrong-host"},
	} {
		for _, who := range []string{"alpha reader", ""} {
			res := w.ask(who, tt.method, tt.path, nil, append([]string{"Accept", tt.accept}, tt.headers...)...)
			status := tt.status
			switch {
			case who == "" && strings.HasPrefix(tt.path, "/api/v1/jobs/"):
				continue // that is another problem
			case who != "" && tt.status == 403: // with a key in the header it is not a browser
				continue
			}
			if res.StatusCode != status || res.Header.Get("Content-Type") != tt.kind || !strings.Contains(res.text, tt.says) || strings.Contains(res.text, "secret") {
				t.Errorf("%q: %s %s for %.40q: %s, %s: %s\nwant %d, %s, %q", who, tt.method, tt.path, tt.accept, res.Status, res.Header.Get("Content-Type"), res.text, status, tt.kind, tt.says)
			}
			if tt.kind == asPage && tt.method != "HEAD" {
				inLayout(t, tt.path, res, who != "" && status < 500)
			}
		}
	}
}

// inLayout checks an error page.
func inLayout(t *testing.T, path string, res *reply, signedIn bool) {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(res.text))
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range structure(doc) {
		t.Errorf("%s: %s", path, problem)
	}
	if got := strings.Contains(res.text, `href="/history"`); got != signedIn {
		t.Errorf("%s: navigation is there: %v, want %v", path, got, signedIn)
	}
	if !strings.HasPrefix(res.Header.Get("Content-Security-Policy"), "default-src 'none'; script-src 'self'") || res.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("%s: %v", path, res.Header)
	}
}

// A link cannot place text of its own on our error page.
func TestHostilePath(t *testing.T) {
	w := newWorld(t)
	for _, bad := range evil() {
		for _, path := range []string{"/" + pathEscape(bad), "/x?" + url.QueryEscape(bad), "/runs/" + pathEscape(bad) + "/x", "/x/" + strings.ReplaceAll(pathEscape(bad), "%2F", "/")} {
			for _, who := range []string{"alpha reader", ""} {
				res := w.ask(who, "GET", path, nil, "Accept", chrome)
				if res.StatusCode != http.StatusNotFound || res.Header.Get("Content-Type") != asPage || strings.Contains(res.text, marker) {
					t.Errorf("%q: %s: %s, %s: %s", who, path, res.Status, res.Header.Get("Content-Type"), res.text)
				}
			}
		}
	}
}

// A client that guesses keys has to wait, and gets a page that says so.
func TestTooManySignIns(t *testing.T) {
	w := newWorld(t)
	var res *reply
	for range 30 {
		_, text, _ := server.NewKey("alpha", "", job.Reader)
		if res = w.ask("", "GET", "/history", nil, "Accept", chrome, "Authorization", "Bearer "+text); res.StatusCode == http.StatusTooManyRequests {
			break
		}
	}
	if res.StatusCode != http.StatusTooManyRequests || res.Header.Get("Content-Type") != asPage || res.Header.Get("Retry-After") == "" || !strings.Contains(res.text, "try again in a minute.") {
		t.Errorf("%s: %v: %s", res.Status, res.Header, res.text)
	}
}

// In a browser the error page looks like the others, and links back.
func TestBrowserProblem(t *testing.T) {
	w := newWorld(t)
	b := w.browse()
	b.signIn("alpha reader")
	b.open("/" + pathEscape(evil()[0]))
	if got := eval[string](b, `document.querySelector("main h1").textContent`); got != "Not Found" {
		t.Errorf("the heading is %q", got)
	}
	if eval[bool](b, `window.pwned !== undefined || document.body.innerText.includes("`+marker+`")`) {
		t.Error("the path is on the page")
	}
	if got := eval[string](b, `getComputedStyle(document.querySelector("header.top")).display + document.styleSheets.length`); got != "block1" {
		t.Errorf("it does not look like ours: %s", got)
	}
	b.do(chromedp.Click(`main a[href="/"]`))
	b.until(`location.pathname === "/" && document.querySelector("main h1")`)
	for _, s := range b.console() {
		if !strings.Contains(s, "Failed to load resource: the server responded with a status of 404") {
			t.Errorf("the console says %q", s)
		}
	}
}
