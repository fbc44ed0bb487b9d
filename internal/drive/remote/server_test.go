package remote

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"github.com/mcpsf/mcpsf"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type none struct{}

// sdkServer is a secure server made with the official SDK.
func sdkServer(opts *mcp.ServerOptions) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "good", Version: "1"}, opts)
	mcp.AddTool(s, &mcp.Tool{Name: "get_time", Description: "Tells the time."},
		func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, any, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "noon"}}}, nil, nil
		})
	return s
}

func streamable(server *mcp.ServerOptions, opts *mcp.StreamableHTTPOptions) http.Handler {
	s := sdkServer(server)
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, opts)
}

// asking admits only requests with the token.
func asking(next http.Handler, exempt func(*http.Request) bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer right-one" && !exempt(r) {
			w.Header().Set("WWW-Authenticate", "Bearer")
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// crude is a careless server: it checks nothing but the message.
type crude struct {
	mu       sync.Mutex
	sessions int
	// session makes a session id, nil for no sessions.
	session func(n int) string
	// cors sets its CORS headers.
	cors func(h http.Header, origin string)
	// mixed stores the last requested name and answers every client with it.
	mixed bool
	last  string
}

func (c *crude) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if c.cors != nil {
		c.cors(w.Header(), r.Header.Get("Origin"))
	}
	switch r.Method {
	case http.MethodOptions:
		w.WriteHeader(http.StatusNoContent)
		return
	case http.MethodPost:
	default:
		http.Error(w, "no", http.StatusMethodNotAllowed)
		return
	}
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params struct {
			Name string `json:"name"`
		} `json:"params"`
	}
	_ = json.NewDecoder(r.Body).Decode(&m)
	c.mu.Lock()
	if m.Method == "initialize" && c.session != nil {
		c.sessions++
		w.Header().Set("Mcp-Session-Id", c.session(c.sessions))
	}
	c.last = m.Params.Name
	c.mu.Unlock()
	name := m.Params.Name
	if c.mixed {
		time.Sleep(20 * time.Millisecond) // gives the other client time to send
		c.mu.Lock()
		name = c.last
		c.mu.Unlock()
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18","tools":[],"content":[{"type":"text","text":%q}]}}`, m.ID, name)
}

// weakOf returns the checks that found a weakness, with the method where it
// matters.
func weakOf(t *testing.T, h http.Handler, opts *Options) []string {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	client := server.Client()
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	t.Cleanup(client.CloseIdleConnections)
	opts.Pause, opts.Overhear = time.Millisecond, 100*time.Millisecond
	told, err := Check(t.Context(), client, server.URL+"/mcp?key=hidden-one", opts)
	if err != nil {
		t.Fatal(err)
	}
	weak := map[string]bool{}
	for _, d := range told {
		if d.Weak {
			weak[strings.TrimSpace(string(d.Check)+" "+d.Method)] = true
		}
		if strings.Contains(fmt.Sprint(d), "hidden-one") || strings.Contains(fmt.Sprint(d), "right-one") {
			t.Errorf("a secret is told: %+v", d)
		}
	}
	if len(told) < 2 {
		t.Errorf("nothing was looked at: %+v", told)
	}
	return slices.Sorted(maps.Keys(weak))
}

func check(t *testing.T, name string, h http.Handler, opts Options, want ...string) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		if diff := cmp.Diff(want, weakOf(t, h, &opts), cmp.Transformer("set", func(s []string) string { return strings.Join(s, "; ") })); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

const (
	rebinding = "rebinding initialize"
	origin    = "origin initialize"
)

func credentials() http.Header { return http.Header{"Authorization": {"Bearer right-one"}} }

func nobody(*http.Request) bool { return false }

// Each vulnerable server is tested beside its fixed variant.
func TestCredentials(t *testing.T) {
	call := &Call{Tool: "get_time", Arguments: json.RawMessage(`{}`)}
	good := func() http.Handler { return streamable(nil, nil) }
	check(t, "asked of everybody", asking(good(), nobody), Options{Private: true, Credentials: credentials(), Call: call})
	check(t, "asked of nobody", good(), Options{Private: true, Credentials: credentials(), Call: call},
		"credentials tools/call", "credentials tools/list")
	check(t, "asked of nobody, and none were given", good(), Options{Private: true, Call: call})
	check(t, "any will do", asking(good(), func(r *http.Request) bool { return r.Header.Get("Authorization") != "" }),
		Options{Private: true, Credentials: credentials(), Call: call}, "forged-credentials tools/list")
	check(t, "asked at the door only", asking(good(), func(r *http.Request) bool { return r.Header.Get("Mcp-Session-Id") != "" }),
		Options{Private: true, Credentials: credentials(), Call: call}, "session-taken tools/list")
	check(t, "refused in words", refusing(good()), Options{Private: true, Credentials: credentials(), Call: call})
}

// refusing answers with a JSON-RPC error.
func refusing(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") == "Bearer right-one" || r.Method != http.MethodPost {
			next.ServeHTTP(w, r)
			return
		}
		var m struct {
			ID json.RawMessage `json:"id"`
		}
		_ = json.NewDecoder(r.Body).Decode(&m)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32001,"message":"Unauthorized"}}`, m.ID)
	})
}

func TestPagesOfStrangers(t *testing.T) {
	guarded := http.NewCrossOriginProtection().Handler(streamable(nil, nil))
	check(t, "guarded", guarded, Options{Private: true})
	check(t, "host not looked at", streamable(nil, &mcp.StreamableHTTPOptions{DisableLocalhostProtection: true}), Options{Private: true}, rebinding)
	check(t, "on the Internet", streamable(nil, &mcp.StreamableHTTPOptions{DisableLocalhostProtection: true}), Options{}, "cleartext")
	check(t, "nothing looked at", &crude{}, Options{Private: true}, origin, rebinding)
	anybody := func(h http.Header, _ string) {
		h.Set("Access-Control-Allow-Origin", "*")
		h.Set("Access-Control-Allow-Headers", "Content-Type, Mcp-Session-Id")
	}
	check(t, "invited", &crude{cors: anybody}, Options{Private: true}, "cors", origin, rebinding)
	check(t, "invited, on the Internet", &crude{cors: anybody}, Options{}, "cleartext", origin)
	echo := func(h http.Header, origin string) {
		h.Set("Access-Control-Allow-Origin", origin)
		h.Set("Access-Control-Allow-Credentials", "true")
	}
	check(t, "invited with cookies", &crude{cors: echo}, Options{}, "cleartext", "cors", origin)
	own := func(h http.Header, _ string) { h.Set("Access-Control-Allow-Origin", "https://app.test") }
	check(t, "one page invited", &crude{cors: own}, Options{}, "cleartext", origin)
}

func TestSessions(t *testing.T) {
	with := func(id func(n int) string) http.Handler {
		n := 0
		return streamable(&mcp.ServerOptions{GetSessionID: func() string { n++; return id(n) }}, nil)
	}
	const ids = "session-id initialize"
	check(t, "counted", with(func(n int) string { return fmt.Sprint("session-", n) }), Options{Private: true}, ids)
	check(t, "by the clock", with(func(n int) string { return fmt.Sprint(1731700000000 + 57*n) }), Options{Private: true}, ids)
	check(t, "random", with(func(n int) string { return fmt.Sprintf("%08x-aaaa-4bbb-8ccc-%012x", n*0x9e3779b1, n*0x1234567890ab) }), Options{Private: true})
	check(t, "none", streamable(nil, &mcp.StreamableHTTPOptions{Stateless: true}), Options{Private: true})
	check(t, "all believed", &crude{session: func(n int) string { return strings.Repeat(fmt.Sprintf("%08x", n*0x9e3779b1), 4) }}, Options{Private: true},
		origin, rebinding, "session-made-up tools/list")
}

func TestCrossClient(t *testing.T) {
	check(t, "mixed up", &crude{mixed: true}, Options{Private: true}, "cross-client", origin, rebinding)
	check(t, "kept apart", &crude{}, Options{Private: true}, origin, rebinding)
	check(t, "one line for all", &oldServer{shared: true}, Options{Private: true}, "cross-client", rebinding)
	check(t, "a line for each", &oldServer{}, Options{Private: true}, rebinding)
	sdk := mcp.NewSSEHandler(func(*http.Request) *mcp.Server { return sdkServer(nil) }, nil)
	check(t, "the kit's", sdk, Options{Private: true})
}

// A server that does not speak MCP, or stops doing so, is not checked.
func TestNoServer(t *testing.T) {
	for name, h := range map[string]http.HandlerFunc{
		"a web page": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>") },
		"not found":  func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) },
		"another host": func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, "event: endpoint\ndata: https://other.example/x\n\n")
		},
		"endless": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			for range 100_000 {
				if _, err := fmt.Fprintf(w, "data: %s\n\n", strings.Repeat("x", 100)); err != nil {
					return
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(h)
			defer server.Close()
			defer server.Client().CloseIdleConnections()
			told, err := Check(t.Context(), server.Client(), server.URL, &Options{Private: true, Pause: time.Millisecond})
			if err != nil || len(told) != 1 || told[0].Check != mcpsf.CheckCleartext {
				t.Errorf("%v, %v", told, err)
			}
		})
	}
}
