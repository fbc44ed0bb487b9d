package host

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
)

func TestRequestIsTold(t *testing.T) {
	w := start(t, nil, "api.example", 80)
	reply := w.exchange(t, "POST /v1/items?x=1 HTTP/1.1\r\nhost: api.example\r\nX-Twice: a\r\nx-twice:b\r\nAuthorization: Bearer k\r\n"+
		"Content-Type: application/json\r\nContent-Length: 7\r\nConnection: close\r\n\r\n{\"a\":1}")
	if !strings.HasPrefix(reply, "HTTP/1.1 201 Created\r\n") {
		t.Errorf("reply: %q", reply)
	}
	ends := w.end(t, 1)
	if diff := cmp.Diff([]visitEnd{{Service: "http"}}, ends); diff != "" {
		t.Error(diff)
	}
	want := []sentPart{
		{"url", "http://api.example/v1/items?x=1"}, {"header host", "api.example"}, {"header X-Twice", "a"}, {"header x-twice", "b"},
		{"header Authorization", "Bearer k"}, {"header Content-Type", "application/json"}, {"header Content-Length", "7"},
		{"header Connection", "close"}, {"body", `{"a":1}`},
	}
	if diff := cmp.Diff(want, w.sent); diff != "" {
		t.Error(diff)
	}
	got := *w.requests()[0]
	if got.Answer == "" || got.AnswerSize == 0 {
		t.Error("the answer is not told")
	}
	got.Answer, got.AnswerSize, got.Headers = "", 0, got.Headers[:2]
	if diff := cmp.Diff(mcpsf.HTTPDetail{
		Method: "POST", URL: "http://api.example/v1/items?x=1", Version: "1.1", Body: `{"a":1}`, Size: 7, Status: 201,
		Headers: []mcpsf.HTTPHeader{{Name: "host", Value: "api.example"}, {Name: "X-Twice", Value: "a"}},
	}, got); diff != "" {
		t.Error(diff)
	}
}

// TestNothingIsMissed sends requests that servers reject or read in two ways,
// with a secret in each place.
func TestNothingIsMissed(t *testing.T) {
	const host = "Host: a.example\r\n"
	for _, tt := range []struct{ name, text, status string }{
		{"chunked", "POST / HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n3\r\nSEC\r\n3\r\nRET\r\n0\r\n\r\n", "200"},
		{"chunk extension", "POST / HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n3;a=SECRET\r\nabc\r\n0\r\n\r\n", "200"},
		{"trailer", "POST / HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\nX-T: SECRET\r\n\r\n", "200"},
		{"two hosts", "GET / HTTP/1.1\r\n" + host + "Host: SECRET\r\nConnection: close\r\n\r\n", "200"},
		{"no host", "GET /SECRET HTTP/1.1\r\nConnection: close\r\n\r\n", "200"},
		{"no version", "GET /SECRET\r\n\r\n", "400"},
		{"another version", "GET /SECRET HTTP/3.0\r\n\r\n", "400"},
		{"unknown method", "SECRET / HTTP/1.1\r\n" + host + "Connection: close\r\n\r\n", "405"},
		{"space in the target", "GET /a SECRET HTTP/1.1\r\n" + host + "Connection: close\r\n\r\n", "200"},
		{"header without colon", "GET / HTTP/1.1\r\n" + host + "SECRET\r\n\r\n", "400"},
		{"folded header", "GET / HTTP/1.1\r\n" + host + "X-A: 1\r\n SECRET\r\nConnection: close\r\n\r\n", "200"},
		{"NUL", "GET / HTTP/1.1\r\n" + host + "X-A: \x00SECRET\r\n\r\n", "400"},
		{"not UTF-8", "GET / HTTP/1.1\r\n" + host + "X-\xff: \xfe\xffSECRET\r\nConnection: close\r\n\r\n", "200"},
		{"unfinished head", "GET / HTTP/1.1\r\n" + host + "X-A: SECRET", "400"},
		{"unfinished body", "POST / HTTP/1.1\r\n" + host + "Content-Length: 100\r\n\r\nSECRET", ""},
		{"length and chunks", "POST / HTTP/1.1\r\n" + host + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nSECRET", "200"},
		{"two lengths", "POST / HTTP/1.1\r\n" + host + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nSECRET", "400"},
		{"bad length", "POST / HTTP/1.1\r\n" + host + "Content-Length: -1\r\n\r\nSECRET", "400"},
		{"huge length", "POST / HTTP/1.1\r\n" + host + "Content-Length: 99999999999999999999\r\n\r\nSECRET", "400"},
		{"unknown coding", "POST / HTTP/1.1\r\n" + host + "Transfer-Encoding: xor\r\n\r\nSECRET", "400"},
		{"bad chunk", "POST / HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked\r\n\r\nzz\r\nSECRET", "400"},
		{"chunk without end", "POST / HTTP/1.1\r\n" + host + "Transfer-Encoding: chunked\r\n\r\n3\r\nabcSECRET\r\n", "400"},
		{"after the end", "GET / HTTP/1.1\r\n" + host + "Connection: close\r\n\r\nSECRET", "200"},
		{"bare newlines", "POST / HTTP/1.1\nHost: a.example\nContent-Length: 6\nConnection: close\n\nSECRET", "200"},
		{"absolute", "GET http://b.example/SECRET HTTP/1.1\r\n" + host + "Connection: close\r\n\r\n", "200"},
		{"HTTP/1.0", "GET /SECRET HTTP/1.0\r\n\r\n", "200"},
		{"wrong gzip", "POST / HTTP/1.1\r\n" + host + "Content-Encoding: gzip\r\nContent-Length: 6\r\nConnection: close\r\n\r\nSECRET", "200"},
		{"unknown encoding", "POST / HTTP/1.1\r\n" + host + "Content-Encoding: br\r\nContent-Length: 6\r\nConnection: close\r\n\r\nSECRET", "200"},
		{"proxy", "CONNECT b.example:80 HTTP/1.1\r\n" + host + "\r\nGET /SECRET HTTP/1.1\r\nHost: b.example\r\nConnection: close\r\n\r\n", "200"},
		{"blank lines before", "\r\n\r\nGET /SECRET HTTP/1.1\r\n" + host + "Connection: close\r\n\r\n", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := start(t, nil, "a.example", 80)
			reply := w.exchange(t, tt.text)
			w.end(t, 1)
			if status, _ := strings.CutPrefix(reply, "HTTP/1.1 "); !strings.HasPrefix(status, tt.status) {
				t.Errorf("reply: %.100q", reply)
			}
			var all strings.Builder
			for _, s := range w.sent {
				if s.Part == "body" {
					all.WriteString(s.Text)
				} else {
					all.WriteString("|" + s.Part + ":" + s.Text + "|")
				}
			}
			if !strings.Contains(all.String(), "SECRET") {
				t.Errorf("the secret is not in %q", all.String())
			}
			if tt.name != "blank lines before" && len(w.requests()) == 0 {
				t.Error("no request was told")
			}
			if strings.Contains(reply, "SECRET") {
				t.Errorf("the reply repeats what was sent: %q", reply)
			}
		})
	}
}

func TestPipelining(t *testing.T) {
	w := start(t, nil, "a.example", 80)
	var text strings.Builder
	for i := range 50 {
		fmt.Fprintf(&text, "POST /n/%d HTTP/1.1\r\nHost: a.example\r\nContent-Length: 2\r\n\r\n%02d", i, i)
	}
	reply := w.exchange(t, text.String())
	if n := strings.Count(reply, "HTTP/1.1 200 OK\r\n"); n != 50 {
		t.Errorf("%d replies", n)
	}
	for i, r := range w.requests() {
		if want := fmt.Sprintf("http://a.example/n/%d", i); r.URL != want || r.Body != fmt.Sprintf("%02d", i) {
			t.Errorf("request %d is %s with %q", i, r.URL, r.Body)
		}
	}
}

func TestTooManyRequests(t *testing.T) {
	w := start(t, nil, "a.example", 80)
	reply := w.exchange(t, strings.Repeat("GET /a HTTP/1.1\r\nHost: a.example\r\n\r\n", maxRequests)+"GET /SECRET HTTP/1.1\r\n\r\n")
	if n := strings.Count(reply, "HTTP/1.1 200 OK\r\n"); n != maxRequests || strings.Count(reply, "Connection: close\r\n") != 1 {
		t.Errorf("%d replies", n)
	}
	w.end(t, 1)
	if n := len(w.requests()); n != maxRequests || !strings.Contains(w.all(""), "SECRET") {
		t.Errorf("%d requests, and %q", n, w.all(""))
	}
}

func TestEndlessHead(t *testing.T) {
	for name, text := range map[string]string{
		"one header":   "GET / HTTP/1.1\r\nX: " + strings.Repeat("a", 3*maxHead),
		"many headers": "GET / HTTP/1.1\r\n" + strings.Repeat("X: a\r\n", maxHead),
		"one line":     "GET /" + strings.Repeat("a", 3*maxHead),
		"blank lines":  "GET / HTTP/1.1\r\n\r\n" + strings.Repeat("\r\n", maxHead),
	} {
		t.Run(name, func(t *testing.T) {
			w := start(t, nil, "a.example", 80)
			reply := w.exchange(t, text)
			if name != "blank lines" && !strings.HasPrefix(reply, "HTTP/1.1 431 ") {
				t.Errorf("reply: %.100q", reply)
			}
			w.end(t, 1)
			for _, r := range w.requests() {
				if len(r.URL) > 2*maxHead || len(r.Headers) > maxHead/4 {
					t.Errorf("the event is too large: %d bytes of URL, %d headers", len(r.URL), len(r.Headers))
				}
			}
		})
	}
}

func TestBodyTooLarge(t *testing.T) {
	w := start(t, nil, "a.example", 80)
	reply := w.exchange(t, fmt.Sprintf("POST /u HTTP/1.1\r\nHost: a.example\r\nContent-Length: %d\r\n\r\n%s", maxBody+1000, strings.Repeat("b", maxBody+1000)))
	if !strings.HasPrefix(reply, "HTTP/1.1 413 ") {
		t.Errorf("reply: %.100q", reply)
	}
	if end := w.end(t, 1)[0]; !end.Cut || w.unread == 0 {
		t.Error("the cut is not told")
	}
	r := w.requests()[0]
	if !r.Cut || r.Size != maxBody || len(r.Body) != keptInEvent {
		t.Errorf("told: cut %t, size %d, body of %d", r.Cut, r.Size, len(r.Body))
	}
	if n := len(w.all("body")); n != maxBody {
		t.Errorf("%d bytes of the body were passed on", n)
	}
}

func TestExpect(t *testing.T) {
	w := start(t, nil, "a.example", 80)
	reply := w.exchange(t, "PUT /f HTTP/1.1\r\nHost: a.example\r\nExpect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
	if !strings.HasPrefix(reply, "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n") {
		t.Errorf("reply: %q", reply)
	}
}

func FuzzHTTP1(f *testing.F) {
	f.Add([]byte("GET / HTTP/1.1\r\nHost: a\r\n\r\n"))
	f.Add([]byte("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n5\r\nabcde\r\n0\r\n\r\n"))
	f.Add([]byte("GET / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n\r\n\x81\x85abcdefghi"))
	f.Add([]byte("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00"))
	f.Add([]byte("CONNECT a:1 HTTP/1.1\r\n\r\nCONNECT b:2 HTTP/1.1\r\n\r\n"))
	f.Add([]byte("GET /latest/meta-data/ HTTP/1.1\r\nHost: 169.254.169.254\r\n\r\n"))
	o := testOptions(f)
	h := New(o)
	f.Fuzz(func(t *testing.T, p []byte) {
		c := &replay{in: p}
		sent := 0
		h.Serve(t.Context(), &Visit{Conn: c, To: c.to(), Sent: func(_ string, p []byte) { sent += len(p) }})
		if len(p) > 0 && sent == 0 && len(p) > 40 {
			t.Logf("nothing of %d bytes was told", len(p))
		}
	})
}
