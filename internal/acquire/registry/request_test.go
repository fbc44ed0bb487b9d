package registry

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

// seen records the requests that servers got.
type seen struct {
	mu   sync.Mutex
	list []string
}

func (s *seen) add(name string, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, name+" "+r.URL.Path+" "+r.Header.Get("Authorization")+r.Header.Get("Cookie"))
}

func TestCredentialsStayAtTheirOrigin(t *testing.T) {
	var got seen
	other := serve(t, func(w http.ResponseWriter, r *http.Request) {
		got.add("other", r)
		if r.URL.Path == "/back" {
			http.Redirect(w, r, r.URL.Query().Get("to"), http.StatusFound)
		}
	})
	var own *httptest.Server
	own = serve(t, func(w http.ResponseWriter, r *http.Request) {
		got.add("own", r)
		switch r.URL.Path {
		case "/n/away":
			http.Redirect(w, r, other.URL+"/x", http.StatusMovedPermanently)
		case "/n/around":
			http.Redirect(w, r, other.URL+"/back?to="+url.QueryEscape(own.URL+"/n/end"), http.StatusFound)
		case "/n/within":
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		}
	})
	host := strings.TrimPrefix(own.URL, "http://")
	c := user(t, "registry="+own.URL+"/n\n//"+host+"/n/:_authToken=secret\n", nil)
	for _, tt := range []struct {
		url  string
		want []string
	}{
		{"x", []string{"own /n/x Bearer secret"}},
		{"/y", []string{"own /y Bearer secret"}},
		{own.URL + "/z", []string{"own /z Bearer secret"}},
		{"away", []string{"own /n/away Bearer secret", "other /x "}},
		{"around", []string{"own /n/around Bearer secret", "other /back ", "own /n/end Bearer secret"}},
		{"within", []string{"own /n/within Bearer secret", "own /elsewhere Bearer secret"}},
		{other.URL + "/direct", []string{"other /direct "}},
		{strings.Replace(other.URL, "//", "//user:password@", 1) + "/user", []string{"other /user "}},
		{"//" + strings.TrimPrefix(other.URL, "http://") + "/host", []string{"other /host "}},
	} {
		got.list = nil
		resp, err := c.Do(t.Context(), &Request{
			Registry: c.NPM(""), URL: tt.url,
			Header: http.Header{"Authorization": {"forged"}, "cookie": {"forged"}},
		})
		must(t, err)
		discard(resp)
		if diff := cmp.Diff(tt.want, got.list); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.url, diff)
		}
	}
}

func TestBearerOfPlain(t *testing.T) {
	var got seen
	s := serve(t, func(_ http.ResponseWriter, r *http.Request) { got.add("s", r) })
	c := user(t, "", nil)
	base, err := url.Parse(s.URL + "/api")
	must(t, err)
	plain := c.Plain(base)
	for _, r := range []Registry{plain, c.WithBearer(plain, "t"), c.WithBearer(plain, "")} {
		resp, err := c.Do(t.Context(), &Request{Registry: r, URL: "x"})
		must(t, err)
		discard(resp)
	}
	if diff := cmp.Diff([]string{"s /api/x ", "s /api/x Bearer t", "s /api/x "}, got.list); diff != "" {
		t.Error(diff)
	}
	if _, err := c.Do(t.Context(), &Request{Registry: c.Plain(&url.URL{Scheme: "ftp", Host: "x.test"})}); err == nil {
		t.Error("another scheme is accepted")
	}
}

func TestOnlyRead(t *testing.T) {
	c := user(t, "", nil)
	for _, r := range []*Request{
		{Registry: c.NPM(""), Method: "POST", URL: "x"},
		{Registry: c.NPM(""), Method: "get", URL: "x"},
		{Registry: c.Plain(&url.URL{Scheme: "https", Host: "x.test"}), Method: "POST", URL: "x"},
		{Registry: c.WithBearer(c.Plain(&url.URL{Scheme: "https", Host: "x.test"}), "t"), Method: "POST", URL: "x", Body: []byte("{}")},
		{Registry: c.NPM(""), URL: "file:///etc/passwd"},
		{Registry: c.NPM(""), URL: "gopher://host.test/"},
		{Registry: c.NPM(""), URL: "http:///x"},
		{Registry: c.NPM(""), URL: "a\x00b"},
		{Registry: c.NPM(""), URL: "%zz"},
		{URL: "https://host.test/"},
	} {
		if resp, err := c.Do(t.Context(), r); err == nil {
			discard(resp)
			t.Errorf("%+v is accepted", r)
		}
	}
}

func TestRedirectsAreRefused(t *testing.T) {
	for _, tt := range []struct{ to, want string }{
		{"/again", "more than 5 times"},
		{"", "to nowhere"},
		{"file:///etc/passwd", "not an address of the web"},
		{"http://169.254.169.254/latest", "address of this machine"},
		{"http://[::ffff:10.0.0.1]/", "address of this machine"},
		{"http://0.0.0.0:1/", "address of this machine"},
	} {
		s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", tt.to)
			w.WriteHeader(http.StatusFound)
		})
		c := user(t, "registry="+s.URL, nil)
		_, err := c.Do(t.Context(), &Request{Registry: c.NPM(""), URL: "x"})
		wantLine(t, err, mcpsf.CodeUsage, tt.want)
	}
}

func TestDowngradeIsRefused(t *testing.T) {
	plain := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("the redirect is followed") })
	s := httptest.NewTLSServer(http.RedirectHandler(plain.URL, http.StatusFound))
	t.Cleanup(s.Close)
	c := user(t, "registry="+s.URL+"\ncafile=HOME/ca.pem", map[string]string{"npm_config_cafile": certificateOf(t, s)})
	_, err := c.Do(t.Context(), &Request{Registry: c.NPM(""), URL: "x"})
	wantLine(t, err, mcpsf.CodeUsage, "without encryption")
}

func certificateOf(t testing.TB, s *httptest.Server) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ca.pem")
	must(t, os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}), 0o600))
	return path
}

func TestTLS(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{}`) }))
	s.Config.ErrorLog = silent()
	s.StartTLS()
	t.Cleanup(s.Close)
	ca, err := os.ReadFile(certificateOf(t, s))
	must(t, err)
	inline := strings.ReplaceAll(string(ca), "\n", `\n`)
	for name, env := range map[string]map[string]string{
		"cafile": {"npm_config_cafile": certificateOf(t, s)},
		"ca":     {"npm_config_ca": inline},
		"node":   {"NODE_EXTRA_CA_CERTS": certificateOf(t, s)},
	} {
		c := user(t, "registry="+s.URL, env)
		var v any
		if err := c.JSON(t.Context(), &Request{Registry: c.NPM(""), URL: "x"}, 100, &v); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	c := user(t, "registry="+s.URL+"\nca[]=\""+inline+"\"", nil)
	var v any
	must(t, c.JSON(t.Context(), &Request{Registry: c.NPM(""), URL: "x"}, 100, &v))
	c = user(t, "registry="+s.URL, nil)
	err = c.JSON(t.Context(), &Request{Registry: c.NPM(""), URL: "x"}, 100, &v)
	wantLine(t, err, mcpsf.CodeUnavailable, "not trusted", "cafile")
}

// silent is the log of a server that is meant to fail.
func silent() *log.Logger { return log.New(io.Discard, "", 0) }

func TestOldTLS(t *testing.T) {
	s := httptest.NewUnstartedServer(http.NotFoundHandler())
	s.Config.ErrorLog = silent()
	s.TLS = &tls.Config{MaxVersion: tls.VersionTLS11}
	s.StartTLS()
	t.Cleanup(s.Close)
	c := user(t, "registry="+s.URL, map[string]string{"npm_config_cafile": certificateOf(t, s)})
	if resp, err := c.Do(t.Context(), &Request{Registry: c.NPM(""), URL: "x"}); err == nil {
		discard(resp)
		t.Error("TLS 1.1 is accepted")
	}
}

func TestRetries(t *testing.T) {
	for _, tt := range []struct {
		statuses []int
		want     int
		asked    int32
	}{
		{[]int{503, 429, 200}, 200, 3},
		{[]int{502, 504, 503, 200}, 503, 3},
		{[]int{500, 200}, 500, 1},
		{[]int{404, 200}, 404, 1},
	} {
		var asked atomic.Int32
		s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "999999999")
			w.WriteHeader(tt.statuses[asked.Add(1)-1])
		})
		c := user(t, "registry="+s.URL, nil)
		resp, err := c.Do(t.Context(), &Request{Registry: c.NPM(""), URL: "x"})
		must(t, err)
		discard(resp)
		if resp.StatusCode != tt.want || asked.Load() != tt.asked {
			t.Errorf("%v: status %d after %d requests", tt.statuses, resp.StatusCode, asked.Load())
		}
	}
}

func TestConnectionIsTriedAgain(t *testing.T) {
	var asked atomic.Int32
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		if asked.Add(1) < 3 {
			panic(http.ErrAbortHandler)
		}
		fmt.Fprint(w, "1")
	})
	c := user(t, "registry="+s.URL, nil)
	var v int
	must(t, c.JSON(t.Context(), &Request{Registry: c.NPM(""), URL: "x"}, 100, &v))
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		cancel()
		w.WriteHeader(http.StatusServiceUnavailable)
	})
	c := user(t, "registry="+s.URL, nil)
	c.pace.backoff = time.Hour
	var v any
	if err := c.JSON(ctx, &Request{Registry: c.NPM(""), URL: "x"}, 100, &v); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
}

func TestSilence(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer l.Close()
	c := user(t, "registry=http://"+l.Addr().String(), nil)
	c.pace.header = 20 * time.Millisecond
	var v any
	err = c.JSON(t.Context(), &Request{Registry: c.NPM(""), URL: "x"}, 100, &v)
	wantLine(t, err, mcpsf.CodeUnavailable, "does not answer in time")
}

func TestDownload(t *testing.T) {
	const text = "0123456789"
	var encoding string
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		encoding = r.Header.Get("Accept-Encoding")
		switch r.URL.Path {
		case "/whole":
			fmt.Fprint(w, text)
		case "/unknown":
			fmt.Fprint(w, text[:5])
			_ = http.NewResponseController(w).Flush()
			fmt.Fprint(w, text[5:])
		case "/short":
			w.Header().Set("Content-Length", "20")
			fmt.Fprint(w, text)
		case "/aborted":
			fmt.Fprint(w, text)
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		default:
			w.WriteHeader(http.StatusForbidden)
		}
	})
	c := user(t, "registry="+s.URL, nil)
	for _, tt := range []struct {
		url   string
		limit int64
		want  string
		code  mcpsf.Code
		total int64
	}{
		{"whole", 10, "", "", 10},
		{"whole", 9, "sends too much", mcpsf.CodeUnavailable, 10},
		{"unknown", 10, "", "", -1},
		{"unknown", 9, "sends too much", mcpsf.CodeUnavailable, -1},
		{"short", 100, "truncated", mcpsf.CodeUnavailable, 20},
		{"aborted", 100, "truncated", mcpsf.CodeUnavailable, -1},
		{"denied", 100, "credentials in npm_config_registry or .npmrc", mcpsf.CodeUsage, 0},
	} {
		var b bytes.Buffer
		var done, total int64
		err := c.Download(t.Context(), &Request{Registry: c.NPM(""), URL: tt.url, What: "the file"}, &b, tt.limit, func(d, all int64) { done, total = d, all })
		if tt.want != "" {
			wantLine(t, err, tt.code, tt.want, "the file")
			continue
		}
		must(t, err)
		if b.String() != text || done != 10 || total != tt.total || encoding != "identity" {
			t.Errorf("%s: got %q, %d of %d, encoding %q", tt.url, b.String(), done, total, encoding)
		}
	}
	full := errors.New("no space")
	err := c.Download(t.Context(), &Request{Registry: c.NPM(""), URL: "whole"}, failingWriter{full}, 100, nil)
	if !errors.Is(err, full) {
		t.Errorf("error is %v", err)
	}
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

func TestJSON(t *testing.T) {
	bomb := func() []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = io.WriteString(z, `{"x":"`+strings.Repeat("a", 1<<20)+`"}`)
		_ = z.Close()
		return b.Bytes()
	}()
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/bomb":
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(bomb)
		case "/deep":
			fmt.Fprint(w, strings.Repeat("[", 1<<16))
		case "/cut":
			fmt.Fprint(w, `{"x":`)
		case "/html":
			fmt.Fprint(w, "<html>\x1b[31m")
		case "/fit":
			fmt.Fprint(w, `{"x":"1234"}`)
		}
	})
	c := user(t, "registry="+s.URL, nil)
	for _, tt := range []struct {
		url, want string
		limit     int64
	}{
		{"fit", "", 12},
		{"fit", "sends too much", 11},
		{"bomb", "sends too much", 1 << 19},
		{"deep", "what a registry answers", 1 << 20},
		{"cut", "truncated", 100},
		{"html", "what a registry answers", 100},
		{"empty", "truncated", 100},
	} {
		var v any
		err := c.JSON(t.Context(), &Request{Registry: c.NPM(""), URL: tt.url}, tt.limit, &v)
		if tt.want == "" {
			must(t, err)
			continue
		}
		wantLine(t, err, mcpsf.CodeUnavailable, tt.want)
	}
}
