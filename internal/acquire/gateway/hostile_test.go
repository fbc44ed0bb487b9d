package gateway

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
)

// never is a registry that must not be asked.
func never(t *testing.T) http.Handler {
	return http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("the registry was asked: %s %s", r.Method, r.RequestURI)
	})
}

// TestRefusedMethods has requests that change something, as npm, pip and twine
// send them.
func TestRefusedMethods(t *testing.T) {
	w := newWorld(t, never(t), nil)
	for _, tt := range []struct{ method, path string }{
		{"POST", "/npm/-/npm/v1/security/advisories/bulk"}, {"POST", "/npm/-/npm/v1/security/audits/quick"},
		{"PUT", "/npm/left"}, {"PUT", "/npm/@acme%2ftool"}, {"PUT", "/npm/-/user/org.couchdb.user:me"}, {"PUT", "/npm/-/package/left/dist-tags/latest"},
		{"DELETE", "/npm/left/-rev/1"}, {"PATCH", "/npm/left"}, {"OPTIONS", "/npm/left"}, {"TRACE", "/npm/left"}, {"PROPFIND", "/npm/left"},
		{"POST", "/pypi/legacy/"}, {"POST", "/pypi/simple/x/"}, {"PUT", "/npm-files/abc/x.tgz"}, {"get", "/npm/left"}, {"POST", "/"},
	} {
		resp, body := w.do(tt.method, tt.path)
		if resp.StatusCode != http.StatusMethodNotAllowed || resp.Header.Get("Allow") != "GET, HEAD" || len(body) > 100 {
			t.Errorf("%s %s: %s %q", tt.method, tt.path, resp.Status, body)
		}
		attempts := w.recorded()
		if got := attempts[len(attempts)-1]; got.Method != tt.method || got.URL != tt.path || got.Refused == "" || got.Status != 405 {
			t.Errorf("recorded: %+v", got)
		}
	}
}

func TestRefusedRequests(t *testing.T) {
	w := newWorld(t, never(t), nil)
	const host = "Host: packages.lan\r\n"
	for _, tt := range []struct {
		name, request string
		status        int
		url           string // of the attempt, "" if the server itself refuses
	}{
		{"proxy", "GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n", 403, "http://evil.example/"},
		{"proxy to a package", "GET http://packages.lan/npm/left HTTP/1.1\r\n" + host + "\r\n", 403, "http://packages.lan/npm/left"},
		{"proxy, host differs", "GET http://evil.example/npm/left HTTP/1.1\r\n" + host + "\r\n", 403, "http://evil.example/npm/left"},
		{"connect", "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n", 405, "evil.example:443"},
		{"star", "OPTIONS * HTTP/1.1\r\n" + host + "\r\n", 405, "*"},
		{"another host", "GET /npm/left HTTP/1.1\r\nHost: evil.example\r\n\r\n", 421, "http://evil.example/npm/left"},
		{"no host", "GET /npm/left HTTP/1.0\r\n\r\n", 421, "http:///npm/left"},
		{"upgrade", "GET /npm/left HTTP/1.1\r\n" + host + "Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n", 403, "/npm/left"},
		{"HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 405, "*"},
		{"TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + strings.Repeat("\x00", 500) + "\r\n\r\n", 400, ""},
		{"raw control character", "GET /npm/left\x01 HTTP/1.1\r\n" + host + "\r\n", 400, ""},
		{"raw high bytes", "GET /npm/\xff\xfe HTTP/1.1\r\n" + host + "\r\n", 404, "/npm/%FF%FE"},
		{"backslash", "GET \\npm\\left HTTP/1.1\r\n" + host + "\r\n", 400, ""},
		{"large body", "GET /npm/left HTTP/1.1\r\n" + host + "Content-Length: 65537\r\n\r\n", 413, "/npm/left"},
		{"large body, unannounced", "GET /npm/left HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked\r\n\r\n10001\r\n" + strings.Repeat("x", 0x10001) + "\r\n0\r\n\r\n", 413, "/npm/left"},
		{"two lengths", "GET /npm/left HTTP/1.1\r\n" + host + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab", 400, ""},
		{"large header", "GET /npm/left HTTP/1.1\r\n" + host + "X: " + strings.Repeat("x", 64<<10) + "\r\n\r\n", 431, ""},
		{"long path", "GET /npm/" + strings.Repeat("a", 10_000) + " HTTP/1.1\r\n" + host + "\r\n", 414, "/npm/" + strings.Repeat("a", 507) + "..."},
		{"long method", strings.Repeat("A", 5000) + " / HTTP/1.1\r\n" + host + "\r\n", 405, "/"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before := len(w.recorded())
			line := w.raw(tt.request)
			if !strings.HasPrefix(line, fmt.Sprintf("HTTP/1.1 %d ", tt.status)) && !strings.HasPrefix(line, fmt.Sprintf("HTTP/1.0 %d ", tt.status)) {
				t.Errorf("got %q, want %d", line, tt.status)
			}
			attempts := w.recorded()[before:]
			if tt.url == "" {
				if len(attempts) != 0 {
					t.Errorf("recorded: %+v", attempts)
				}
				return
			}
			if len(attempts) != 1 || attempts[0].URL != tt.url || attempts[0].Refused == "" || attempts[0].Status != tt.status || len(attempts[0].Method) > 40 {
				t.Errorf("recorded: %+v", attempts)
			}
		})
	}
}

func TestRefusedPaths(t *testing.T) {
	w := newWorld(t, never(t), nil)
	for _, path := range badPaths() {
		if !strings.HasPrefix(path, "/") || strings.ContainsAny(path, " #") {
			continue
		}
		line := w.raw("GET " + path + " HTTP/1.1\r\nHost: packages.lan\r\n\r\n")
		if !strings.Contains(line, " 404 ") && !strings.Contains(line, " 400 ") && !strings.Contains(line, " 414 ") {
			t.Errorf("%.80q: %s", path, line)
		}
	}
	for _, a := range w.recorded() {
		if a.Refused == "" || strings.ContainsFunc(a.URL, func(r rune) bool { return r <= ' ' || r > '~' }) {
			t.Errorf("recorded: %+v", a)
		}
	}
}

// TestForged requests files with forged tokens.
func TestForged(t *testing.T) {
	w := newWorld(t, never(t), nil)
	evil := &upstreamFile{kind: targetNPMFile, entry: "npm x@1", file: "x.tgz", address: w.upstream.URL + "/secret"}
	asPython := *evil
	asPython.kind = targetPyPIFile
	for _, path := range []string{
		"/npm-files/" + newAddressCipher().encrypt(evil) + "/x.tgz",
		"/npm-files/" + w.gateway.addresses.encrypt(evil) + "/y.tgz",
		"/npm-files/" + w.gateway.addresses.encrypt(evil) + "/x.tgz.metadata",
		"/npm-files/" + w.gateway.addresses.encrypt(&asPython) + "/x.tgz",
		"/pypi-files/" + w.gateway.addresses.encrypt(evil) + "/x.tgz",
		"/npm-files/aHR0cDovL2V2aWwuZXhhbXBsZS8/x.tgz",
		"/npm-files/" + strings.Repeat("A", 4000) + "/x.tgz",
	} {
		if resp, body := w.get(path); resp.StatusCode != http.StatusNotFound {
			t.Errorf("%.60s: %s %q", path, resp.Status, body)
		}
	}
	for _, a := range w.recorded() {
		if a.Refused == "" {
			t.Errorf("recorded: %+v", a)
		}
	}
}

func TestRegistryFails(t *testing.T) {
	const words = "internal host db1.corp.example says no"
	mux := http.NewServeMux()
	mux.HandleFunc("/npm/status/{code}", func(w http.ResponseWriter, r *http.Request) {
		code, _ := strconv.Atoi(r.PathValue("code"))
		w.Header().Set("X-Internal", words)
		w.Header().Set("WWW-Authenticate", `Basic realm="corp"`)
		w.WriteHeader(code)
		_, _ = io.WriteString(w, words)
	})
	mux.HandleFunc("/npm/text", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>"+words) })
	mux.HandleFunc("/npm/cut", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "1000")
		_, _ = io.WriteString(w, `{"name":`)
	})
	mux.HandleFunc("/npm/deep", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, strings.Repeat("[", 1<<20)) })
	mux.HandleFunc("/npm/large", func(w http.ResponseWriter, _ *http.Request) {
		blank := bytes.Repeat([]byte(" "), 1<<20)
		for range maxPage>>20 + 2 {
			if _, err := w.Write(blank); err != nil {
				return
			}
		}
	})
	mux.HandleFunc("/npm/away", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://169.254.169.254/latest", http.StatusFound)
	})
	mux.HandleFunc("/npm/loop", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/npm/loop", http.StatusFound) })
	w := newWorld(t, mux, nil)
	for _, tt := range []struct {
		path   string
		status int
		failed bool
	}{
		{"status/404", 404, false}, {"status/410", 404, false}, {"status/401", 403, true}, {"status/403", 403, true}, {"status/407", 502, true},
		{"status/500", 502, true}, {"status/400", 502, true}, {"status/304", 502, true}, {"status/206", 502, true}, {"status/204", 502, true},
		{"text", 502, true}, {"cut", 502, true}, {"deep", 502, true}, {"large", 502, true}, {"away", 502, true}, {"loop", 502, true},
	} {
		t.Run(tt.path, func(t *testing.T) {
			resp, body := w.get("/npm/" + tt.path)
			if resp.StatusCode != tt.status || strings.Contains(body, "corp") || resp.Header.Get("WWW-Authenticate") != "" {
				t.Errorf("got %s %q", resp.Status, body)
			}
			attempts := w.recorded()
			last := attempts[len(attempts)-1]
			if last.Refused != "" || (last.Failure != nil) != tt.failed {
				t.Errorf("recorded: %+v", last)
			}
			if _, ours := errors.AsType[*mcpsf.Error](last.Failure); tt.failed && !ours {
				t.Errorf("not for users: %v", last.Failure)
			}
		})
	}
}

func TestRegistryDown(t *testing.T) {
	w := newWorld(t, never(t), nil)
	w.upstream.Close()
	for _, path := range []string{"/npm/left", "/npm/left/-/left-1.0.0.tgz", "/pypi/simple/x/"} {
		if resp, body := w.get(path); resp.StatusCode != http.StatusBadGateway {
			t.Errorf("%s: %s %q", path, resp.Status, body)
		}
	}
}

// TestFileCut checks that a truncated file is never taken for complete.
func TestFileCut(t *testing.T) {
	w := newWorld(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "known") {
			w.Header().Set("Content-Length", "100000")
		}
		_, _ = w.Write(bytes.Repeat([]byte("x"), 50_000))
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}), nil)
	for _, path := range []string{"/npm/known/-/known-1.tgz", "/npm/other/-/other-1.tgz"} {
		resp, err := w.client.Get("http://packages.lan" + path)
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		if err == nil {
			t.Errorf("%s looked complete", path)
		}
	}
	if got := w.gateway.Totals().Packages; len(got) != 0 {
		t.Errorf("lock: %q", got)
	}
}

// TestRedirectedFile follows a redirect to another path of the registry, but
// returns nothing from elsewhere on this machine.
func TestRedirectedFile(t *testing.T) {
	inside := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "inside") }))
	defer inside.Close()
	mux := http.NewServeMux()
	mux.HandleFunc("/npm/a/-/a-1.tgz", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, inside.URL, http.StatusFound) })
	mux.HandleFunc("/npm/b/-/b-1.tgz", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/blob", http.StatusFound) })
	mux.HandleFunc("/blob", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "blob") })
	w := newWorld(t, mux, nil)
	if resp, body := w.get("/npm/a/-/a-1.tgz"); resp.StatusCode != http.StatusForbidden || strings.Contains(body, "inside") {
		t.Errorf("got %s %q", resp.Status, body)
	}
	if resp, body := w.get("/npm/b/-/b-1.tgz"); resp.StatusCode != http.StatusOK || body != "blob" {
		t.Errorf("got %s %q", resp.Status, body)
	}
}

func TestMaxRequests(t *testing.T) {
	w := newWorld(t, files(), func(o *Options) { o.MaxRequests = 3 })
	for i := range 6 {
		resp, body := w.get("/npm/-/ping")
		if want := map[bool]int{true: 200, false: 403}[i < 3]; resp.StatusCode != want {
			t.Errorf("request %d: %s %q", i, resp.Status, body)
		}
	}
	if got := w.recorded(); len(got) != 4 || got[3].Refused != "too many requests" {
		t.Errorf("recorded: %+v", got)
	}
	if got := w.gateway.Totals(); got.Requests != 6 || got.Refused != 3 {
		t.Errorf("totals: %+v", got)
	}
}

func TestMaxBytes(t *testing.T) {
	big := bytes.Repeat([]byte("x"), 300_000)
	w := newWorld(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "known") {
			w.Header().Set("Content-Length", strconv.Itoa(len(big)))
		}
		_, _ = w.Write(big)
	}), func(o *Options) { o.MaxBytes = 400_000 })
	if resp, body := w.get("/npm/known/-/known-1.tgz"); resp.StatusCode != http.StatusOK || len(body) != len(big) {
		t.Errorf("within: %s, %d bytes", resp.Status, len(body))
	}
	if resp, body := w.get("/npm/known/-/known-2.tgz"); resp.StatusCode != http.StatusForbidden {
		t.Errorf("announced: %s %.50q", resp.Status, body)
	}
	resp, err := w.client.Get("http://packages.lan/npm/other/-/other-1.tgz")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if n, err := io.Copy(io.Discard, resp.Body); err == nil || n > 100_000 {
		t.Errorf("unannounced: %d bytes, %v", n, err)
	}
	if resp, _ := w.do(http.MethodHead, "/npm/known/-/known-1.tgz"); resp.StatusCode != http.StatusOK {
		t.Errorf("nothing is spent on HEAD: %s", resp.Status)
	}
	totals := w.gateway.Totals()
	if totals.Bytes > 400_000 || len(totals.Packages) != 1 {
		t.Errorf("totals: %+v", totals)
	}
}

func TestFileTooLarge(t *testing.T) {
	w := newWorld(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", strconv.Itoa(maxFile+1))
		w.WriteHeader(http.StatusOK)
	}), nil)
	if resp, body := w.get("/npm/x/-/x-1.tgz"); resp.StatusCode != http.StatusForbidden || body != "the file is too large\n" {
		t.Errorf("got %s %q", resp.Status, body)
	}
}

// TestConnections opens more connections than one sandbox may hold, and can
// connect again when they are closed.
func TestConnections(t *testing.T) {
	w := newWorld(t, files(), nil)
	var conns []net.Conn
	for range maxConns + 20 {
		c, err := net.Dial("tcp", w.addr)
		if err != nil {
			t.Fatal(err)
		}
		conns = append(conns, c)
	}
	// The last connection is closed without an answer.
	last := conns[len(conns)-1]
	_ = last.SetReadDeadline(time.Now().Add(30 * time.Second))
	_, err := last.Read(make([]byte, 1))
	if timeout, ok := errors.AsType[net.Error](err); err == nil || (ok && timeout.Timeout()) {
		t.Errorf("connection %d was kept: %v", len(conns), err)
	}
	for _, c := range conns {
		_ = c.Close()
	}
	for w.gateway.conns.Load() > 0 {
		time.Sleep(time.Millisecond)
	}
	if resp, _ := w.get("/npm/-/ping"); resp.StatusCode != http.StatusOK {
		t.Errorf("afterwards: %s", resp.Status)
	}
}

func TestServerLimits(t *testing.T) {
	s := New(&Options{Base: &url.URL{Scheme: "http", Host: "packages.lan:80"}}).Server()
	if s.ReadHeaderTimeout <= 0 || s.IdleTimeout <= 0 || s.MaxHeaderBytes != 32<<10 || s.ReadTimeout != 0 ||
		s.Protocols.HTTP2() || s.Protocols.UnencryptedHTTP2() || !s.Protocols.HTTP1() || s.ConnState == nil {
		t.Errorf("%+v", s)
	}
}

// TestLargePages checks that large pages wait for each other, and small ones do
// not wait for them.
func TestLargePages(t *testing.T) {
	body := `{"x":"` + strings.Repeat("x", 2*smallPage) + `"}`
	w := newWorld(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "small") {
			_, _ = io.WriteString(w, "{}")
			return
		}
		_, _ = io.WriteString(w, body)
	}), nil)
	w.gateway.large <- struct{}{} // taken by another request
	large := make(chan int, 3)
	for i := range cap(large) {
		go func() {
			_, got := w.get(fmt.Sprintf("/npm/large%d", i))
			large <- len(got)
		}()
	}
	for i := range 20 {
		if resp, _ := w.get(fmt.Sprintf("/npm/small%d", i)); resp.StatusCode != http.StatusOK {
			t.Errorf("small: %s", resp.Status)
		}
	}
	if len(large) > 0 {
		t.Error("a large page did not wait")
	}
	<-w.gateway.large
	for range cap(large) {
		if n := <-large; n != len(body) {
			t.Errorf("%d bytes, want %d", n, len(body))
		}
	}
	if kept := w.gateway.pages.bytes; kept > maxKept || kept < 3*len(body) {
		t.Errorf("%d bytes of pages are kept", kept)
	}
}

func TestPageCache(t *testing.T) {
	c := newPageCache()
	for i := range 10 {
		c.put(strconv.Itoa(i), newPage("x", make([]byte, maxKeptPage)))
		c.put(strconv.Itoa(i), newPage("x", make([]byte, maxKeptPage)))
	}
	c.put("large", newPage("x", make([]byte, maxKeptPage+1)))
	if c.bytes != maxKept || len(c.pages) != 4 || c.get("9") == nil || c.get("0") != nil || c.get("large") != nil {
		t.Errorf("%d pages, %d bytes", len(c.pages), c.bytes)
	}
}

func TestLockIsBounded(t *testing.T) {
	var l lock
	for i := range maxEntries + 5 {
		l.add(strconv.Itoa(i))
	}
	l.add("1")
	if list, omitted := l.list(); len(list) != maxEntries || omitted != 5 || l.count() != maxEntries+5 {
		t.Errorf("%d entries, %d omitted", len(list), omitted)
	}
}
