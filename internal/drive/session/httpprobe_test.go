package session

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/attack"
	"github.com/mcpsf/mcpsf/internal/drive/transport"
)

// launcher is a server that starts the program that a request names.
type launcher struct {
	mu      sync.Mutex
	started map[string]bool
	// guarded requires a token, picky refuses web pages of other origins.
	guarded, picky bool
}

func (l *launcher) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path == "/":
		_, _ = io.WriteString(w, `<form action="/go/launch">`)
	case r.URL.Path != "/go/launch":
		http.NotFound(w, r)
	case l.guarded && r.Header.Get("Authorization") != "Bearer secret", l.picky && r.Header.Get("Sec-Fetch-Site") == "cross-site":
		http.Error(w, "no", http.StatusForbidden)
	case r.URL.Query().Get("type") == "stdio":
		l.mu.Lock()
		l.started[r.URL.Query().Get("command")] = true
		l.mu.Unlock()
	}
}

// visited returns the requests that had their effect, by class.
func visited(t *testing.T, l *launcher) map[string]string {
	t.Helper()
	l.started = map[string]bool{}
	server := httptest.NewServer(l)
	defer server.Close()
	tap := &memory{}
	shown := map[string]string{}
	_, err := Drive(t.Context(), nil, tap, &Options{
		Endpoint: Endpoint{Wire: transport.NewInternetWire(server.Client()), URL: server.URL},
		Instead: Instead{HTTPProbe: &HTTPProbe{
			World: attack.New(1), Most: 400, Long: time.Minute, Expected: 1,
			Places: func(context.Context, int) []string { return []string{server.URL} },
			Shown: func(_ context.Context, a *mcpsf.AttackDetail, _ string) bool {
				l.mu.Lock()
				defer l.mu.Unlock()
				ran := l.started[a.Marker]
				if ran {
					shown[a.Class] = a.Payload
				}
				return ran
			},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	tap.check(t)
	return shown
}

func TestVisitsFindTheShortestRequest(t *testing.T) {
	shown := visited(t, &launcher{})
	payload := shown[mcpsf.ClassEndpointCommand+mcpsf.FromPage]
	if !strings.Contains(payload, "/go/launch?command=mc") || strings.Count(payload, "=") != 2 || !strings.HasSuffix(payload, "&type=stdio") {
		t.Errorf("the request is %q", payload)
	}
	if shown[mcpsf.ClassEndpointCommand] != "" {
		t.Error("what a page can do is told twice")
	}
}

func TestVisitsTellPagesFromPrograms(t *testing.T) {
	shown := visited(t, &launcher{picky: true})
	if shown[mcpsf.ClassEndpointCommand+mcpsf.FromPage] != "" || shown[mcpsf.ClassEndpointCommand] == "" {
		t.Errorf("shown: %v", shown)
	}
}

func TestVisitsBearNoCredentials(t *testing.T) {
	if shown := visited(t, &launcher{guarded: true}); len(shown) > 0 {
		t.Errorf("shown: %v", shown)
	}
}

// endless is a server that sends an endless response at every path.
func TestVisitsEndWithHostileServers(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"endless stream": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			for r.Context().Err() == nil {
				if _, err := io.WriteString(w, ": x\n"); err != nil {
					return
				}
				w.(http.Flusher).Flush()
			}
		},
		"silence": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"elsewhere": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://192.0.2.1/", http.StatusFound)
		},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(handler)
			defer server.Close()
			began := 0
			out, err := Drive(t.Context(), nil, &memory{}, &Options{
				Endpoint: Endpoint{Wire: transport.NewInternetWire(server.Client()), URL: server.URL},
				Instead: Instead{HTTPProbe: &HTTPProbe{
					World: attack.New(1), Most: 8, Long: time.Second, Expected: 1,
					Places: func(context.Context, int) []string { return []string{server.URL} },
					Shown:  func(context.Context, *mcpsf.AttackDetail, string) bool { began++; return false },
				}},
			})
			if err != nil || len(out.Calls) > 9 {
				t.Errorf("%d calls, %v", len(out.Calls), err)
			}
		})
	}
}

// memory keeps the messages.
type memory struct {
	mu       sync.Mutex
	messages []mcpsf.Message
}

func (m *memory) Observe(msg mcpsf.Message) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.messages = append(m.messages, msg)
}
func (*memory) Consumed(mcpsf.Stream, int64)       {}
func (*memory) Limit(mcpsf.LimitDetail)            {}
func (*memory) Changed(string, mcpsf.ChangeDetail) {}

// check checks that each request has its own call and names its attack.
func (m *memory) check(t *testing.T) {
	t.Helper()
	calls := map[string]bool{}
	for _, msg := range m.messages {
		if msg.Kind != mcpsf.MessageRequest {
			continue
		}
		var body struct {
			Request string `json:"request"`
		}
		if json.Unmarshal(msg.Body, &body) != nil || !strings.HasPrefix(body.Request, strings.Split(msg.Method, " ")[0]+" http://") || calls[msg.Call] {
			t.Errorf("%s: %s", msg.Call, msg.Body)
		}
		calls[msg.Call] = true
	}
}
