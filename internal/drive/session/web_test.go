package session_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/session"
	"github.com/mcpsf/mcpsf/internal/drive/transport"
)

// site is an HTTP server that answers as results does, except where change
// answers itself and returns true.
func site(t *testing.T, change func(w http.ResponseWriter, r *http.Request, m rpc) bool) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m rpc
		if r.Method == http.MethodPost {
			data, _ := io.ReadAll(r.Body)
			_ = json.Unmarshal(data, &m)
		}
		if change != nil && change(w, r, m) {
			return
		}
		switch {
		case r.Method == http.MethodDelete:
		case r.Method != http.MethodPost:
			w.WriteHeader(http.StatusMethodNotAllowed)
		case m.ID == nil:
			w.WriteHeader(http.StatusAccepted)
		default:
			asJSON(w, response(m.ID, results(m.Method)))
		}
	}))
	t.Cleanup(server.Close)
	return server
}

func asJSON(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, text)
}

func asEvents(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = io.WriteString(w, text)
	_ = http.NewResponseController(w).Flush()
}

// untilGone blocks until the client hangs up.
func untilGone(r *http.Request) { <-r.Context().Done() }

const fine = "c1 initialize ok, c2 tools/list ok, c3 tools/call ok"

func TestWebConversation(t *testing.T) {
	var mu sync.Mutex // the separate stream is requested at the same time
	var got []string
	server := site(t, func(w http.ResponseWriter, r *http.Request, m rpc) bool {
		if r.Method == http.MethodGet {
			return false
		}
		mu.Lock()
		defer mu.Unlock()
		got = append(got, strings.TrimSpace(fmt.Sprintf("%s %s id=%s version=%s", r.Method, m.Method, r.Header.Get("Mcp-Session-Id"), r.Header.Get("Mcp-Protocol-Version"))))
		if m.Method == "initialize" {
			w.Header().Set("Mcp-Session-Id", "abc")
		}
		return false
	})
	s, tap := browse(t, server.URL, session.Options{})
	if statuses(s) != fine || s.Closed != "orderly" || s.Irregularities != nil {
		t.Errorf("%s; closed %s %s; %v", statuses(s), s.Closed, s.Ending, s.Irregularities)
	}
	want := []string{
		"POST initialize id= version=",
		"POST notifications/initialized id=abc version=2025-11-25",
		"POST tools/list id=abc version=2025-11-25",
		"POST tools/call id=abc version=2025-11-25",
		"DELETE  id=abc version=2025-11-25",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	if n := len(tap.of(mcpsf.Served, mcpsf.MessageResponse)); n != 3 {
		t.Errorf("%d answers were told", n)
	}
	if call := tap.of(mcpsf.Served, mcpsf.MessageResponse)[2]; call.Tool != "echo" || string(call.Body) != done {
		t.Errorf("the answer to the call is %+v", call)
	}
}

func TestWebServersGoneWrong(t *testing.T) {
	on := func(method string, f func(w http.ResponseWriter, r *http.Request, m rpc)) func(http.ResponseWriter, *http.Request, rpc) bool {
		return func(w http.ResponseWriter, r *http.Request, m rpc) bool {
			if m.Method == method {
				f(w, r, m)
			}
			return m.Method == method
		}
	}
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("another origin was asked") }))
	t.Cleanup(elsewhere.Close)
	endless := func(w http.ResponseWriter, r *http.Request, piece string) {
		for r.Context().Err() == nil {
			if _, err := io.WriteString(w, piece); err != nil {
				return
			}
		}
	}
	tests := map[string]struct {
		change   func(http.ResponseWriter, *http.Request, rpc) bool
		statuses string // statuses after initialize and tools/list
		notes    []string
		closed   string
		timeout  time.Duration
	}{
		"pretty printed JSON": {change: on("tools/call", func(w http.ResponseWriter, _ *http.Request, m rpc) {
			asJSON(w, "\ufeff\r\n{\n \"jsonrpc\": \"2.0\",\n \"id\": "+string(m.ID)+",\n \"result\": "+done+"\n}\n\n")
		}), statuses: "tools/call ok"},
		"events in pieces": {change: on("tools/call", func(w http.ResponseWriter, _ *http.Request, m rpc) {
			for _, c := range []byte(": hello\r\n\r\nevent: message\r\ndata: " + strings.ReplaceAll(response(m.ID, done), `,"id"`, ",\r\ndata: \"id\"") + "\r\n\r\n") {
				asEvents(w, string(c))
			}
		}), statuses: "tools/call ok"},
		"a batch": {change: on("tools/call", func(w http.ResponseWriter, _ *http.Request, m rpc) {
			asJSON(w, `[{"jsonrpc":"2.0","method":"notifications/message","params":{}},`+response(m.ID, done)+`]`)
		}), statuses: "tools/call ok", notes: []string{"sent a batch, which the protocol does not allow"}},
		"another content type": {change: on("tools/call", func(w http.ResponseWriter, _ *http.Request, m rpc) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, response(m.ID, done))
		}), statuses: "tools/call ok", notes: []string{"answered with a content type that is not of the protocol"}},
		"a page": {change: on("tools/call", func(w http.ResponseWriter, _ *http.Request, _ rpc) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, "<html>")
		}), statuses: "tools/call garbled", notes: []string{
			"answered with a content type that is not of the protocol", "answered with something that is not JSON", "accepted a request without answering it",
		}},
		"an error page": {change: on("tools/call", func(w http.ResponseWriter, _ *http.Request, _ rpc) {
			http.Error(w, "boom", http.StatusInternalServerError)
		}), statuses: "tools/call refused"},
		"an error as JSON-RPC": {change: on("tools/call", func(w http.ResponseWriter, _ *http.Request, _ rpc) {
			w.WriteHeader(http.StatusBadRequest)
			asJSON(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"no"}}`)
		}), statuses: "tools/call refused", notes: []string{"answered without a request id"}},
		"compressed": {change: on("tools/call", func(w http.ResponseWriter, _ *http.Request, m rpc) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Header().Set("Content-Type", "application/json")
			z := gzip.NewWriter(w)
			_, _ = io.WriteString(z, response(m.ID, done))
			_ = z.Close()
		}), statuses: "tools/call ok", notes: []string{"answered with an encoding that was not asked for"}},
		"compressed without an end": {change: on("tools/call", func(w http.ResponseWriter, r *http.Request, _ rpc) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Header().Set("Content-Type", "application/json")
			z := gzip.NewWriter(w)
			for piece := bytes.Repeat([]byte(" "), 1<<20); r.Context().Err() == nil; {
				if _, err := z.Write(piece); err != nil {
					return
				}
			}
		}), statuses: "tools/call crashed", notes: []string{"answered with an encoding that was not asked for", "sent a message longer than the limit"}, closed: "limit"},
		"no gzip": {change: on("tools/call", func(w http.ResponseWriter, _ *http.Request, m rpc) {
			w.Header().Set("Content-Encoding", "gzip")
			asJSON(w, response(m.ID, done))
		}), statuses: "tools/call garbled", notes: []string{"answered with an encoding that was not asked for", "accepted a request without answering it"}},
		"an endless body": {change: on("tools/call", func(w http.ResponseWriter, r *http.Request, _ rpc) {
			w.Header().Set("Content-Type", "application/json")
			endless(w, r, strings.Repeat(" ", 4096))
		}), statuses: "tools/call crashed", notes: []string{"sent a message longer than the limit"}, closed: "limit"},
		"an endless line": {change: on("tools/call", func(w http.ResponseWriter, r *http.Request, _ rpc) {
			asEvents(w, "data: ")
			endless(w, r, strings.Repeat("x", 4096))
		}), statuses: "tools/call crashed", closed: "limit"},
		"endless comments": {change: on("tools/call", func(w http.ResponseWriter, r *http.Request, _ rpc) {
			asEvents(w, "")
			endless(w, r, strings.Repeat(":\n\n", 2000))
		}), statuses: "tools/call crashed", closed: "limit"},
		"endless messages": {change: on("tools/call", func(w http.ResponseWriter, r *http.Request, _ rpc) {
			asEvents(w, "")
			endless(w, r, strings.Repeat("data: {\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n\n", 100))
		}), statuses: "tools/call crashed", closed: "limit"},
		"endless headers": {change: on("tools/call", func(w http.ResponseWriter, _ *http.Request, _ rpc) {
			c, buf, err := http.NewResponseController(w).Hijack()
			if err != nil {
				return
			}
			defer c.Close()
			_, _ = buf.WriteString("HTTP/1.1 200 OK\r\n")
			for err == nil {
				_, err = buf.WriteString("X-A: " + strings.Repeat("a", 4096) + "\r\n")
			}
		}), statuses: "tools/call garbled"},
		"one long message": {change: on("tools/call", func(w http.ResponseWriter, _ *http.Request, m rpc) {
			asEvents(w, "data: "+response(m.ID, `{"content":[],"x":"`+strings.Repeat("x", 300<<10)+`"}`)+"\n\n")
		}), statuses: "tools/call garbled", notes: []string{"sent a message longer than the limit"}},
		"deep nesting": {change: on("tools/call", func(w http.ResponseWriter, _ *http.Request, _ rpc) {
			asJSON(w, strings.Repeat("[", 100_000))
		}), statuses: "tools/call garbled", notes: []string{
			"sent JSON nested too deeply to be a message", "answered with something that is not JSON", "accepted a request without answering it",
		}},
		"another session": {change: func(w http.ResponseWriter, _ *http.Request, m rpc) bool {
			w.Header().Set("Mcp-Session-Id", "s"+string(m.ID))
			return false
		}, statuses: "tools/call ok", notes: []string{"changed the id of the session"}},
		"a session that cannot be sent back": {change: func(w http.ResponseWriter, _ *http.Request, m rpc) bool {
			if m.Method == "initialize" {
				w.Header().Set("Mcp-Session-Id", strings.Repeat("x", 5000))
			}
			return false
		}, statuses: "tools/call ok", notes: []string{"gave the session an id that cannot be sent back"}},
		"redirects within": {change: func(w http.ResponseWriter, r *http.Request, m rpc) bool {
			if m.Method == "tools/call" && r.URL.Path == "/" {
				http.Redirect(w, r, "/mcp/", http.StatusTemporaryRedirect)
				return true
			}
			return false
		}, statuses: "tools/call ok"},
		"redirects elsewhere": {change: on("tools/call", func(w http.ResponseWriter, r *http.Request, _ rpc) {
			http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
		}), statuses: "tools/call refused", notes: []string{"redirects to another origin"}},
		"redirects in circles": {change: on("tools/call", func(w http.ResponseWriter, r *http.Request, _ rpc) {
			http.Redirect(w, r, r.URL.Path+"a", http.StatusTemporaryRedirect)
		}), statuses: "tools/call garbled"},
		"hangs up": {change: on("tools/call", func(http.ResponseWriter, *http.Request, rpc) {
			panic(http.ErrAbortHandler)
		}), statuses: "tools/call garbled"},
		"a stream that breaks off": {change: on("tools/call", func(w http.ResponseWriter, _ *http.Request, _ rpc) {
			asEvents(w, "data: {\"jsonrpc\"")
		}), statuses: "tools/call garbled"},
		"a stream that breaks off for ever": {change: func(w http.ResponseWriter, r *http.Request, m rpc) bool {
			if m.Method == "tools/call" || r.Header.Get("Last-Event-ID") != "" {
				asEvents(w, "retry: 0\nid: 1\ndata:\n\n")
				return true
			}
			return false
		}, statuses: "tools/call garbled"},
		"never answers": {change: on("tools/call", func(_ http.ResponseWriter, r *http.Request, _ rpc) {
			untilGone(r)
		}), statuses: "tools/call timeout", timeout: time.Second},
		"never answers a notification": {change: on("notifications/initialized", func(_ http.ResponseWriter, r *http.Request, _ rpc) {
			untilGone(r)
		}), statuses: "tools/call ok"},
		"accepts and says no more": {change: on("tools/call", func(w http.ResponseWriter, _ *http.Request, _ rpc) {
			w.WriteHeader(http.StatusAccepted)
		}), statuses: "tools/call garbled", notes: []string{"accepted a request without answering it"}},
		"an unknown event": {change: on("tools/call", func(w http.ResponseWriter, _ *http.Request, m rpc) {
			asEvents(w, "event: mood\ndata: good\n\ndata: "+response(m.ID, done)+"\n\n")
		}), statuses: "tools/call ok", notes: []string{"answered with something that is not JSON", "sent an event that is not of the protocol"}},
		"answers twice": {change: on("tools/call", func(w http.ResponseWriter, _ *http.Request, m rpc) {
			asEvents(w, strings.Repeat("data: "+response(m.ID, done)+"\n\n", 2))
		}), statuses: "tools/call ok", notes: []string{"answered a request twice"}},
		"keeps the stream": {change: on("tools/call", func(w http.ResponseWriter, r *http.Request, m rpc) {
			asEvents(w, "data: "+response(m.ID, done)+"\n\n")
			untilGone(r)
		}), statuses: "tools/call ok"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := site(t, test.change)
			s, tap := browse(t, server.URL, session.Options{
				Limits: transport.Limits{MaxFrame: 256 << 10, MaxBody: 1 << 10, MaxOutput: 4 << 20, MaxMessages: 2000},
				Timing: session.Timing{CallTimeout: test.timeout},
			})
			if got, want := statuses(s), "c1 initialize ok, c2 tools/list ok, c3 "+test.statuses; got != want {
				t.Errorf("%s, want %s", got, want)
			}
			closed := test.closed
			if closed == "" {
				closed = "orderly"
			}
			if s.Closed != closed {
				t.Errorf("closed %q (%s), want %q", s.Closed, s.Ending, closed)
			}
			if diff := cmp.Diff(test.notes, s.Irregularities); diff != "" {
				t.Errorf("irregularities (-want +got):\n%s", diff)
			}
			if tap.bytes > 8<<20 {
				t.Errorf("%d bytes were told", tap.bytes)
			}
		})
	}
}

// A stream that breaks off in the middle of an answer is resumed after the
// server's retry delay.
func TestWebResumption(t *testing.T) {
	var asked time.Time
	var waited time.Duration
	server := site(t, func(w http.ResponseWriter, r *http.Request, m rpc) bool {
		switch {
		case m.Method == "tools/call":
			asEvents(w, "retry: 300\nid: half\ndata:\n\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}\n\n")
			asked = time.Now()
			return true
		case r.Header.Get("Last-Event-ID") == "half":
			waited = time.Since(asked)
			asEvents(w, "data: "+response(json.RawMessage("3"), done)+"\n\n")
			return true
		}
		return false
	})
	s, _ := browse(t, server.URL, session.Options{})
	if statuses(s) != fine || s.Irregularities != nil {
		t.Errorf("%s; %v", statuses(s), s.Irregularities)
	}
	if waited < 290*time.Millisecond {
		t.Errorf("gone back after %v", waited)
	}
}

func TestWebAsksUs(t *testing.T) {
	asked, answers := make(chan struct{}), make(chan string, 1)
	server := site(t, func(w http.ResponseWriter, r *http.Request, m rpc) bool {
		switch {
		case r.Method == http.MethodGet:
			asEvents(w, "")
			<-asked
			asEvents(w, "data: {\"jsonrpc\":\"2.0\",\"id\":\"q\",\"method\":\"ping\"}\n\n")
			untilGone(r)
			return true
		case m.Method == "" && r.Method == http.MethodPost:
			answers <- string(m.ID)
			w.WriteHeader(http.StatusAccepted)
			return true
		case m.Method == "tools/call":
			close(asked)
			id := <-answers
			asJSON(w, response(m.ID, `{"content":[{"type":"text","text":`+id+`}]}`))
			return true
		}
		return false
	})
	s, tap := browse(t, server.URL, session.Options{})
	if statuses(s) != fine || s.Irregularities != nil {
		t.Errorf("%s; %v", statuses(s), s.Irregularities)
	}
	if got := string(tap.of(mcpsf.Served, mcpsf.MessageResponse)[2].Body); !strings.Contains(got, `"q"`) {
		t.Errorf("the answer is %s", got)
	}
}

func TestOlderTransport(t *testing.T) {
	tests := map[string]struct {
		endpoint string
		statuses string
		notes    []string
		closed   string
	}{
		"a path":                {endpoint: "event: endpoint\ndata: /post?id=1\n\n", statuses: fine},
		"another origin":        {endpoint: "event: endpoint\ndata: http://elsewhere.example/post\n\n", statuses: "c1 initialize refused, c2 server/discover refused", notes: []string{"wants messages to be sent to another origin"}},
		"nothing that is one":   {endpoint: "event: endpoint\ndata: http://[::\n\n", statuses: "c1 initialize refused, c2 server/discover refused", notes: []string{"sent an event that is not of the protocol"}},
		"user and password":     {endpoint: "event: endpoint\ndata: //u:p@HOST/post\n\n", statuses: "c1 initialize refused, c2 server/discover refused", notes: []string{"wants messages to be sent to another origin"}},
		"closes in the middle":  {endpoint: "event: endpoint\ndata: /post?close=1\n\n", statuses: "c1 initialize ok, c2 tools/list crashed", closed: "crashed"},
		"two, the first counts": {endpoint: "event: endpoint\ndata: /post\n\nevent: endpoint\ndata: /nowhere\n\n", statuses: fine},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			events, hang := make(chan string, 10), make(chan struct{}, 1)
			server := site(t, func(w http.ResponseWriter, r *http.Request, m rpc) bool {
				switch {
				case r.Method == http.MethodGet:
					asEvents(w, strings.ReplaceAll(test.endpoint, "HOST", r.Host))
					for strings.Contains(test.endpoint, "/post") && !strings.Contains(test.endpoint, "elsewhere") && !strings.Contains(test.endpoint, "u:p") {
						select {
						case e := <-events:
							asEvents(w, e)
						case <-hang:
							return true
						case <-r.Context().Done():
							return true
						}
					}
				case r.URL.Path != "/post":
					http.Error(w, "not here", http.StatusMethodNotAllowed)
				default:
					w.WriteHeader(http.StatusAccepted)
					_, _ = io.WriteString(w, "Accepted")
					if m.Method == "tools/list" && r.FormValue("close") != "" {
						hang <- struct{}{}
					} else if m.ID != nil {
						events <- "event: message\ndata: " + response(m.ID, results(m.Method)) + "\n\n"
					}
				}
				return true
			})
			s, _ := browse(t, server.URL, session.Options{})
			if statuses(s) != test.statuses {
				t.Errorf("%s, want %s", statuses(s), test.statuses)
			}
			if diff := cmp.Diff(test.notes, s.Irregularities); diff != "" {
				t.Errorf("irregularities (-want +got):\n%s", diff)
			}
			if test.closed != "" && s.Closed != test.closed {
				t.Errorf("closed %s %s", s.Closed, s.Ending)
			}
		})
	}
}
