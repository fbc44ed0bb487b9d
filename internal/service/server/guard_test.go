package server

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf/internal/service/job"
)

// A request for a foreign host name that resolves to us is refused.
func TestHost(t *testing.T) {
	tweak := func(_ *Server, o *Options) { o.Public.Hosts = []string{"mcpsf.example.com", "Other.Example:8443"} }
	eachWith(t, tweak, func(w *world) {
		for host, want := range map[string]int{
			"localhost": 200, "localhost:9999": 200, "LOCALHOST.": 200, "127.0.0.1:80": 200, "127.9.9.9": 200, "[::1]:80": 200, "mcpsf.example.com": 200, "MCPSF.example.com:443": 200, "other.example": 200,
			"evil.example": 421, "localhost.evil.example": 421, "mcpsf.example.com.evil.example": 421, "127.0.0.1.evil.example": 421, "192.168.0.1": 421, "0.0.0.0": 421, "x@localhost": 421,
		} {
			if res := w.ask("alpha reader", "GET", "/api/v1/jobs", nil, header{"Host", host}); res.StatusCode != want {
				t.Errorf("%s: %s", host, res.Status)
			}
		}
		if res := w.ask("", "GET", "/healthz", nil, header{"Host", "10.0.0.7:80"}); res.StatusCode != http.StatusOK {
			t.Errorf("a probe: %s", res.Status)
		}
	})
}

func TestUnknownRequests(t *testing.T) {
	each(t, func(w *world) {
		id := w.done("alpha submitter", "npm:weather@1.0.0")
		for _, tt := range []struct {
			method, path string
			status       int
		}{
			{"GET", "/", 404}, {"GET", "/api", 404}, {"GET", "/api/v1", 404}, {"GET", "/api/v1/", 404}, {"GET", "/api/v1/jobs/", 404}, {"GET", "/api/v2/jobs", 404},
			{"GET", "/api/v1/../v1/jobs", 404}, {"GET", "//api/v1/jobs", 404}, {"GET", "/api//v1/jobs", 404}, {"GET", "/api/v1/jobs/./" + id, 404}, {"GET", "/API/v1/jobs", 404},
			{"POST", "/api/v1/jobs", 405}, {"PUT", "/api/v1/assess", 405}, {"GET", "/api/v1/assess", 405}, {"PATCH", "/api/v1/jobs/" + id, 405}, {"TRACE", "/api/v1/jobs", 405}, {"BREW", "/api/v1/rules", 405},
			{"OPTIONS", "/api/v1/jobs", 204}, {"OPTIONS", "/nothing", 404}, {"HEAD", "/api/v1/jobs", 200}, {"HEAD", "/api/v1/jobs/" + id, 200}, {"HEAD", "/api/v1/jobs/" + job.NewID(), 404},
			{"HEAD", "/api/v1/jobs/" + id + "/report", 200}, {"HEAD", "/api/v1/jobs/" + id + "/events", 200}, {"HEAD", "/api/v1/jobs/" + id + "/artifacts/report.json", 200},
			{"GET", "/api/v1/jobs/..", 404}, {"GET", "/api/v1/jobs/%2e%2e", 404}, {"GET", "/api/v1/jobs/%2e%2e%2f", 404}, {"GET", "/api/v1/jobs/..%5c..", 404}, {"GET", "/api/v1/jobs/%00", 404},
			{"GET", "/api/v1/jobs/" + id + "%00", 404}, {"GET", "/api/v1/jobs/" + strings.ToUpper(id), 404}, {"GET", "/api/v1/jobs/" + id + "%2fartifacts", 404}, {"GET", "/api/v1/jobs/%ff", 404},
			{"GET", "/api/v1/jobs/1' OR '1'='1", 404}, {"GET", "/api/v1/packages/x", 404}, {"GET", "/api/v1/packages//trend", 404}, {"GET", "/api/v1/packages/%00/trend", 404},
		} {
			req := w.request("alpha admin", tt.method, "", nil)
			req.URL = literal(t, w.at.URL+tt.path)
			res, err := w.client.Do(req)
			if err != nil {
				t.Fatalf("%s %s: %v", tt.method, tt.path, err)
			}
			res.Body.Close()
			if res.StatusCode != tt.status {
				t.Errorf("%s %s: %s, want %d", tt.method, tt.path, res.Status, tt.status)
			}
			if tt.status == 405 && (res.Header.Get("Allow") == "" || strings.Contains(res.Header.Get("Allow"), tt.method)) {
				t.Errorf("%s %s: allowed is %q", tt.method, tt.path, res.Header.Get("Allow"))
			}
			for name := range res.Header {
				if strings.HasPrefix(name, "Access-Control") {
					t.Errorf("%s %s: %s: other sites may read us", tt.method, tt.path, name)
				}
			}
		}
	})
}

// literal parses a URL in which only spaces are escaped.
func literal(t testing.TB, address string) *url.URL {
	t.Helper()
	u, err := url.Parse(strings.ReplaceAll(address, " ", "%20"))
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// Malformed requests that no client library sends are refused as well.
func TestRawRequests(t *testing.T) {
	each(t, func(w *world) {
		for _, tt := range []struct{ request, want string }{
			{"OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n", "404"},
			{"GET * HTTP/1.1\r\nHost: localhost\r\n\r\n", "404"},
			{"GET /api/v1/jobs HTTP/1.0\r\n\r\n", "421"},
			{"GET http://evil.example/api/v1/jobs HTTP/1.1\r\nHost: localhost\r\n\r\n", "421"},
			{"CONNECT localhost:80 HTTP/1.1\r\nHost: localhost:80\r\n\r\n", "404"},
			{"GET /api/v1/../../healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", "404"},
			{"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: " + strings.Repeat("x", 64<<10) + "\r\n\r\n", "431"},
		} {
			conn, err := net.Dial("tcp", w.at.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			conn.SetDeadline(time.Now().Add(30 * time.Second))
			fmt.Fprint(conn, tt.request)
			line, _ := bufio.NewReader(conn).ReadString('\n')
			if !strings.Contains(line, " "+tt.want+" ") {
				t.Errorf("%.60q: %q, want %s", tt.request, line, tt.want)
			}
			conn.Close()
		}
	})
}

// A panic gives an error answer, or cuts the connection if an answer was begun.
func TestPanic(t *testing.T) {
	tweak := func(s *Server, _ *Options) {
		if s == nil {
			return
		}
		s.Mount("GET /before", func(http.ResponseWriter, *http.Request, *job.Key) { panic("a secret") })
		s.Mount("GET /after", func(w http.ResponseWriter, _ *http.Request, _ *job.Key) {
			_, _ = w.Write([]byte(strings.Repeat("x", 100_000)))
			panic("a secret")
		})
		s.Mount("GET /error", func(w http.ResponseWriter, r *http.Request, _ *job.Key) {
			w.Header().Set("Content-Length", "100")
			s.Errors.Write(w, r, errors.New("a secret"))
		})
	}
	eachWith(t, tweak, func(w *world) {
		w.client.Transport = w.client.Transport.(*checker).to
		for _, path := range []string{"/before", "/error"} {
			if res := w.ask("", "GET", path, nil); res.StatusCode != http.StatusInternalServerError || res.problem() != "internal" || strings.Contains(string(res.text), "secret") {
				t.Errorf("%s: %s: %s", path, res.Status, res.text)
			}
		}
		res, err := w.client.Do(w.request("", "GET", "/after", nil))
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		if _, err := bufio.NewReader(res.Body).WriteTo(new(strings.Builder)); err == nil {
			t.Error("half an answer looks whole")
		}
	})
}

// A database that hangs gives an error answer, so that the client does not wait for ever.
func TestTimeout(t *testing.T) {
	tweak := func(s *Server, _ *Options) {
		if s != nil {
			s.timeouts.request = time.Nanosecond
		}
	}
	eachWith(t, tweak, func(w *world) {
		if res := w.ask("alpha reader", "GET", "/api/v1/jobs", nil); res.StatusCode != http.StatusServiceUnavailable || res.problem() != "timeout" {
			t.Errorf("%s: %s", res.Status, res.text)
		}
	})
}

func TestHealth(t *testing.T) {
	now := time.Now()
	clock := func(_ *Server, o *Options) { o.Now = func() time.Time { return now } }
	eachWith(t, clock, func(w *world) {
		ready := func() int {
			now = now.Add(2 * time.Second)
			return w.ask("", "GET", "/readyz", nil).StatusCode
		}
		if got := ready(); got != 200 {
			t.Errorf("ready: %d", got)
		}
		w.files.fail(errors.New("gone"))
		if res := w.ask("", "GET", "/readyz", nil); res.StatusCode != http.StatusOK {
			t.Error("it looks at every request")
		}
		if got := ready(); got != 503 {
			t.Errorf("without files: %d", got)
		}
		w.files.fail(nil)
		if got := ready(); got != 200 {
			t.Errorf("with files again: %d", got)
		}
		w.server.Close()
		w.server.Close()
		if got := ready(); got != 503 {
			t.Errorf("while it ends: %d", got)
		}
		_ = w.store.Close()
		if res := w.ask("", "GET", "/healthz", nil); res.StatusCode != http.StatusOK {
			t.Errorf("without a database: %s", res.Status)
		}
		if res := w.ask("alpha reader", "GET", "/api/v1/jobs", nil); res.StatusCode != http.StatusInternalServerError {
			t.Errorf("without a database: %s", res.Status)
		}
	})
}

func TestMetrics(t *testing.T) {
	each(t, func(w *world) {
		w.submit("alpha submitter", source("npm:a@1.0.0"))
		w.submit("alpha submitter", source("npm:a@1.0.0"))
		w.ask("alpha submitter", "POST", "/api/v1/assess", `{}`)
		w.ask("", "BREW", "/coffee", nil)
		text := string(w.ask("", "GET", "/metrics", nil).text)
		for _, want := range []string{
			`mcpsf_jobs{state="queued"} 1`, `mcpsf_jobs{state="running"} 0`, `mcpsf_submissions_total{result="shared"} 1`, `mcpsf_submissions_total{result="refused"} 1`,
			`mcpsf_http_requests_total{method="POST",route="POST /api/v1/assess",status="202"} 2`, `mcpsf_http_requests_total{method="other",route="none",status="404"} 1`,
			`mcpsf_event_streams 0`, `mcpsf_http_request_seconds_count{route="POST /api/v1/assess"} 3`, "go_goroutines",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("no %s in\n%s", want, text)
			}
		}
		for _, h := range []header{{"X-Forwarded-For", "192.0.2.1"}, {"Forwarded", "for=192.0.2.1"}, {"Via", "1.1 x"}} {
			if res := w.ask("", "GET", "/metrics", nil, h); res.StatusCode != http.StatusNotFound {
				t.Errorf("%s: %s", h.name, res.Status)
			}
		}
		rec := httptest.NewRecorder()
		req := httptest.NewRequest(http.MethodGet, "http://localhost/metrics", nil)
		req.RemoteAddr = "192.0.2.1:1234"
		w.server.ServeHTTP(rec, req)
		if rec.Code != http.StatusNotFound {
			t.Errorf("from elsewhere: %d", rec.Code)
		}
		rec = httptest.NewRecorder()
		w.server.Metrics().ServeHTTP(rec, req)
		if rec.Code != http.StatusOK || !strings.Contains(rec.Body.String(), "mcpsf_jobs") {
			t.Errorf("at its own address: %d", rec.Code)
		}
	})
}

func TestNew(t *testing.T) {
	if _, err := New(Options{}); err == nil {
		t.Error("a server without anything")
	}
}

// A client that reads nothing is cut off.
func TestSlowReader(t *testing.T) {
	tweak := func(s *Server, _ *Options) {
		if s == nil {
			return
		}
		s.timeouts.write = 50 * time.Millisecond
		s.Mount("GET /endless", func(w http.ResponseWriter, _ *http.Request, _ *job.Key) {
			for {
				if _, err := w.Write(make([]byte, 1<<16)); err != nil {
					return
				}
			}
		})
	}
	eachWith(t, tweak, func(w *world) {
		conn, err := net.Dial("tcp", w.at.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprint(conn, "GET /endless HTTP/1.1\r\nHost: localhost\r\n\r\n")
		eventually(t, "the answer is still written", func() bool {
			rec := httptest.NewRecorder()
			w.server.Metrics().ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "/", nil))
			return strings.Contains(rec.Body.String(), `route="GET /endless",status="200"} 1`)
		})
	})
}

func TestLimiters(t *testing.T) {
	l, now := newRateLimits(60), time.Now()
	for i := range maxRemembered + 10 {
		l.take(fmt.Sprint(i), now)
	}
	if n := l.clients.order.Len(); n != maxRemembered || len(l.clients.items) != n {
		t.Errorf("%d are remembered in %d", len(l.clients.items), n)
	}
	for range 60 {
		l.take("x", now)
	}
	if wait := l.take("x", now); wait != time.Second {
		t.Errorf("it takes %s", wait)
	}
	if wait := l.wait("x", now); wait != time.Second {
		t.Errorf("it takes %s", wait)
	}
	if wait := l.take("x", now.Add(time.Second)); wait != 0 {
		t.Errorf("it takes %s", wait)
	}
	c := newOpenCounts(1)
	leave := c.enter("x")
	if c.enter("x") != nil || c.enter("y") == nil {
		t.Error("not one each")
	}
	leave()
	if c.enter("x") == nil {
		t.Error("who has left is still there")
	}
}
