package egress

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mcpsf/mcpsf"

	"github.com/mcpsf/mcpsf/internal/network/netclass"
)

// echo answers with what arrived.
func echo(out http.ResponseWriter, in *http.Request) {
	body, _ := io.ReadAll(in.Body)
	out.Header().Set("X-Proto", in.Proto)
	fmt.Fprintf(out, "%s %s host=%s %d bytes", in.Method, in.RequestURI, in.Host, len(body))
	for _, name := range []string{"User-Agent", "Accept-Encoding", "X-Forwarded-For", "Via", "Authorization", "Forwarded"} {
		if v, ok := in.Header[name]; ok {
			fmt.Fprintf(out, "; %s=%s", name, v)
		}
	}
}

func TestRequestsAreRelayedAndTold(t *testing.T) {
	for _, tt := range []struct {
		name          string
		secure        bool
		speaks        func(*http.Protocols)
		here, there   string // HTTP versions on both sides
		service, base string
	}{
		{"plain", false, http1, "1.1", "HTTP/1.1", "http", "http://api.example"},
		{"plain, version 2", false, h2c, "2", "HTTP/2.0", "http", "http://api.example"},
		{"TLS", true, http1, "1.1", "HTTP/1.1", "tls/http", "https://api.example"},
		{"TLS, either version", true, both, "2", "HTTP/1.1", "tls/http", "https://api.example"},
		{"TLS, version 2 only", true, http2, "2", "HTTP/2.0", "tls/http", "https://api.example"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			far, roots := realHost(t, tt.secure, echo)
			w := start(t, &Options{Allow: mustList(t, "api.example")}, "api.example", far.Listener.Addr(), trusting(roots))
			client := w.client(t, tt.speaks)
			for range 2 {
				var packed bytes.Buffer
				z := gzip.NewWriter(&packed)
				z.Write([]byte("the stolen secret"))
				z.Close()
				req, err := http.NewRequest(http.MethodPost, tt.base+"/a%2fb?q=%zz;x", &packed)
				if err != nil {
					t.Fatal(err)
				}
				req.Header = http.Header{
					"User-Agent": nil, "Content-Encoding": {"gzip"}, "Authorization": {"Bearer t0ken"},
					"X-Forwarded-For": {"198.51.100.7"}, "Forwarded": {"for=x"}, "Accept-Encoding": {"br"},
				}
				res, err := client.Do(req)
				if err != nil {
					t.Fatal(err)
				}
				want := "POST /a%2fb?q=%zz;x host=api.example 41 bytes; Accept-Encoding=[br]; X-Forwarded-For=[198.51.100.7]; Authorization=[Bearer t0ken]; Forwarded=[for=x]"
				if got := read(t, res); got != want {
					t.Errorf("the real host saw\n%s, want\n%s", got, want)
				}
				if got := res.Header.Get("X-Proto"); got != tt.there {
					t.Errorf("relayed as %s, want %s", got, tt.there)
				}
			}
			client.CloseIdleConnections()
			if got, want := w.end(t, 1), (end{Service: tt.service, Reached: "127.0.0.1"}); got != want {
				t.Errorf("ended %+v, want %+v", got, want)
			}
			reqs := w.requests()
			if len(reqs) != 2 {
				t.Fatalf("%d requests were told", len(reqs))
			}
			want := &mcpsf.HTTPDetail{
				Method: "POST", URL: tt.base + "/a%2fb?q=%zz;x", Version: tt.here, Body: "the stolen secret", Size: 41, Status: 200, AnswerSize: 156,
			}
			if diff := cmp.Diff(want, reqs[1], cmpopts.IgnoreFields(mcpsf.HTTPDetail{}, "Headers", "Answer", "AnswerSize")); diff != "" {
				t.Error(diff)
			}
			if !strings.HasPrefix(reqs[1].Answer, "POST /a%2fb") || reqs[1].AnswerSize != int64(len(reqs[1].Answer)) {
				t.Errorf("answered %q of %d", reqs[1].Answer, reqs[1].AnswerSize)
			}
			if !slices.Contains(reqs[1].Headers, mcpsf.HTTPHeader{Name: "Authorization", Value: "Bearer t0ken"}) {
				t.Errorf("headers %v", reqs[1].Headers)
			}
			for part, want := range map[string]string{
				"body": strings.Repeat("the stolen secret", 2), "header Authorization": strings.Repeat("Bearer t0ken", 2),
			} {
				if got := w.said(part); got != want {
					t.Errorf("%s: %q", part, got)
				}
			}
			if got := len(w.handshakes()); got != map[bool]int{true: 1}[tt.secure] {
				t.Errorf("%d handshakes were told", got)
			} else if tt.secure {
				if h := w.handshakes()[0]; h.SNI != "api.example" || h.Version != "1.3" || h.JA4 == "" || h.Rejected != "" {
					t.Errorf("handshake %+v", h)
				}
			}
		})
	}
}

func TestCertificateOfTheRealHost(t *testing.T) {
	calls := 0
	far, _ := realHost(t, true, func(http.ResponseWriter, *http.Request) { calls++ })
	w := start(t, nil, "api.example", far.Listener.Addr())
	// the host's authority is not among the roots
	_, err := w.client(t, both).Get("https://api.example/secret")
	if err == nil || !strings.Contains(err.Error(), "handshake failure") {
		t.Errorf("the client got %v", err)
	}
	got := w.end(t, 1)
	if got.Service != "tls" || !strings.Contains(got.Failed, "certificate of the real host does not verify") {
		t.Errorf("ended %+v", got)
	}
	if h := w.handshakes(); len(h) != 1 || h[0].SNI != "api.example" || h[0].Version != "" || h[0].Rejected != "" {
		t.Errorf("told %+v", h)
	}
	if calls != 0 || w.said("url") != "" {
		t.Error("a request was relayed to a host that is not who it says")
	}
}

func TestCertificateOfAnotherName(t *testing.T) {
	far, roots := realHost(t, true, echo)
	w := start(t, nil, "other.example", far.Listener.Addr(), trusting(roots))
	if _, err := w.client(t, both).Get("https://other.example/"); err == nil {
		t.Error("the client was answered")
	}
	if got := w.end(t, 1); !strings.Contains(got.Failed, "not other.example") {
		t.Errorf("ended %+v", got)
	}
}

// A client that trusts only the real host's authority.
func TestPinned(t *testing.T) {
	far, roots := realHost(t, true, echo)
	for _, untouched := range []bool{false, true} {
		w := start(t, &Options{Untouched: untouched}, "api.example", far.Listener.Addr(), trusting(roots))
		c := w.client(t, http1)
		c.Transport.(*http.Transport).TLSClientConfig = &tls.Config{RootCAs: roots}
		res, err := c.Post("https://api.example/x", "text/plain", strings.NewReader("inside"))
		if (err == nil) != untouched {
			t.Fatalf("untouched %v: %v", untouched, err)
		}
		if err == nil {
			if got := read(t, res); !strings.HasPrefix(got, "POST /x host=api.example 6 bytes") {
				t.Errorf("answered %q", got)
			}
		}
		c.CloseIdleConnections()
		got := w.end(t, 1)
		h := w.handshakes()
		if got.Service != "tls" || len(h) != 1 || h[0].SNI != "api.example" || h[0].JA4 == "" || (h[0].Rejected == "") != untouched {
			t.Errorf("untouched %v: ended %+v, told %+v", untouched, got, h)
		}
		if len(w.requests()) > 0 || len(w.sent) > 0 {
			t.Errorf("untouched %v: %v", untouched, w.sent)
		}
	}
}

// The fake host answers what is not allowed, however it is requested.
func TestTheRestStays(t *testing.T) {
	calls := 0
	far, roots := realHost(t, true, func(http.ResponseWriter, *http.Request) { calls++ })
	t.Run("another name", func(t *testing.T) {
		w := start(t, &Options{Allow: mustList(t, "api.example")}, "evil.example", far.Listener.Addr())
		res, err := w.client(t, both).Get("https://evil.example/")
		if err != nil || !strings.Contains(read(t, res), "<!doctype html>") {
			t.Errorf("not answered by the made-up host: %v", err)
		}
	})
	t.Run("another name inside", func(t *testing.T) { // as if both names shared an address
		w := start(t, &Options{Allow: mustList(t, "api.example")}, "api.example", far.Listener.Addr(), trusting(roots))
		res, err := w.client(t, both).Get("https://evil.example/")
		if err != nil || !strings.Contains(read(t, res), "<!doctype html>") {
			t.Errorf("not answered by the made-up host: %v", err)
		}
	})
	t.Run("another name inside, untouched", func(t *testing.T) {
		w := start(t, &Options{Allow: mustList(t, "api.example"), Untouched: true}, "api.example", far.Listener.Addr())
		res, err := w.client(t, both).Get("https://evil.example/")
		if err != nil || !strings.Contains(read(t, res), "<!doctype html>") {
			t.Errorf("not answered by the made-up host: %v", err)
		}
	})
	t.Run("another name in the request", func(t *testing.T) {
		w := start(t, &Options{Allow: mustList(t, "api.example")}, "api.example", far.Listener.Addr(), trusting(roots))
		req, _ := http.NewRequest(http.MethodGet, "https://api.example/", nil)
		req.Host = "evil.example"
		res, err := w.client(t, both).Do(req)
		if err != nil || res.StatusCode != http.StatusMisdirectedRequest {
			t.Errorf("answered %v %v", res, err)
		}
		if r := w.requests(); len(r) != 1 || r[0].Status != 421 || r[0].URL != "https://evil.example/" {
			t.Errorf("told %v", r)
		}
	})
	t.Run("an address", func(t *testing.T) {
		w := start(t, &Options{Allow: mustList(t, "api.example")}, "", far.Listener.Addr())
		res, err := w.client(t, both).Get("https://api.example/robots.txt")
		if err != nil || !strings.Contains(read(t, res), "404 Not Found") {
			t.Errorf("not answered by the made-up host: %v", err)
		}
	})
	if calls != 0 {
		t.Errorf("%d requests got out", calls)
	}
}

func TestRebinding(t *testing.T) {
	answers := [][]string{{"93.184.216.34"}, {"127.0.0.1", "10.0.0.1", "::1", "64:ff9b::a00:1", "::ffff:192.168.1.1"}}
	var asked atomic.Int64
	lookup := func(_ context.Context, _, name string) ([]netip.Addr, error) {
		if name != "api.example." {
			t.Errorf("asked for %q", name)
		}
		var list []netip.Addr
		for _, a := range answers[min(asked.Add(1)-1, 1)] {
			list = append(list, netip.MustParseAddr(a))
		}
		return list, nil
	}
	w := start(t, nil, "api.example", nil, func(e *Egress) { e.check, e.lookup = netclass.Check, lookup }) // the real check
	if exists, decided := w.e.Real(t.Context(), "API.example."); !exists || !decided {
		t.Fatal("the name is not there")
	}
	c := w.dial(t)
	if p, _ := io.ReadAll(c); len(p) > 0 {
		t.Errorf("answered %q", p)
	}
	if got := w.end(t, 1); got.Reached != "" || !strings.Contains(got.Failed, "never reachable") {
		t.Errorf("ended %+v", got)
	}
	if exists, decided := w.e.Real(t.Context(), "api.example"); exists || !decided {
		t.Error("a name of private addresses exists")
	}
	if w.e.made.Load() != 0 {
		t.Error("something was dialled")
	}
	for _, address := range []string{"10.0.0.1:80", "[::1]:80", "[::ffff:127.0.0.1]:80", "[fe80::1%lo]:80", "nonsense"} {
		if w.e.guard("tcp", address, nil) == nil {
			t.Errorf("%s is let through at the last moment", address)
		}
	}
}

// The checked address is the one that is dialled: the name is not resolved
// again.
func TestResolvedOnce(t *testing.T) {
	far, _ := realHost(t, false, echo)
	var asked atomic.Int64
	w := start(t, nil, "api.example", far.Listener.Addr(), func(e *Egress) {
		e.lookup = func(context.Context, string, string) ([]netip.Addr, error) {
			if asked.Add(1) > 1 {
				return []netip.Addr{netip.MustParseAddr("127.0.0.2")}, nil
			}
			return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
		}
	})
	client := w.client(t, http1)
	for range 3 { // the second and third use a new connection
		req, _ := http.NewRequest(http.MethodGet, "http://api.example/", nil)
		req.Header.Set("Connection", "keep-alive")
		res, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		read(t, res)
		far.CloseClientConnections()
	}
	client.CloseIdleConnections()
	w.end(t, 1)
	if asked.Load() != 1 {
		t.Errorf("resolved %d times", asked.Load())
	}
}

func TestUnreachable(t *testing.T) {
	far, _ := realHost(t, false, echo)
	far.Close()
	for name, want := range map[string]string{"api.example": "connection refused", "gone.example": "no such host"} {
		w := start(t, nil, name, far.Listener.Addr())
		if _, err := w.client(t, http1).Get("http://" + name); err == nil {
			t.Errorf("%s answered", name)
		}
		if got := w.end(t, 1); !strings.Contains(got.Failed, want) || got.Reached != "" {
			t.Errorf("%s ended %+v", name, got)
		}
	}
	w := start(t, nil, "gone.example", nil)
	if exists, decided := w.e.Real(t.Context(), "gone.example"); exists || !decided {
		t.Error("gone.example is there")
	}
	if _, decided := w.e.Real(t.Context(), "printer.local"); decided {
		t.Error("printer.local was asked for")
	}
}
