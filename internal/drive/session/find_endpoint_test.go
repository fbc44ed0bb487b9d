package session_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpsf/mcpsf/internal/drive/transport"
)

func TestFindEndpoint(t *testing.T) {
	serving := func(*http.Request) *mcp.Server { return notes() }
	at := func(path string, h http.Handler) http.Handler {
		mux := http.NewServeMux()
		mux.Handle(path, h)
		return mux
	}
	jsonOnly := func(w http.ResponseWriter, text string, status int) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, text)
	}
	tests := map[string]struct {
		handler http.Handler
		hints   []string
		path    string // "" for none
	}{
		"streamable":       {handler: at("/mcp", mcp.NewStreamableHTTPHandler(serving, nil)), path: "/mcp"},
		"stateless":        {handler: at("/mcp", mcp.NewStreamableHTTPHandler(serving, &mcp.StreamableHTTPOptions{Stateless: true})), path: "/mcp"},
		"the older one":    {handler: at("/sse", mcp.NewSSEHandler(serving, nil)), path: "/sse"},
		"at an odd place":  {handler: at("/odd/place", mcp.NewStreamableHTTPHandler(serving, nil)), hints: []string{"http://0.0.0.0:1/odd/place", "::"}, path: "/odd/place"},
		"at the root":      {handler: mcp.NewStreamableHTTPHandler(serving, nil), path: "/mcp"},
		"behind a login":   {handler: at("/v1/mcp", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) })), path: "/v1/mcp"},
		"something else":   {handler: http.NotFoundHandler()},
		"a page for all":   {handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>hello</html>") })},
		"JSON but no RPC":  {handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { jsonOnly(w, `{"error":"no"}`, http.StatusBadRequest) })},
		"only a handshake": {handler: at("/mcp", handshakeOnly()), path: "/mcp"},
		"endless": {handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			for err := error(nil); err == nil && r.Context().Err() == nil; {
				_, err = io.WriteString(w, strings.Repeat(":\n", 1000))
			}
		})},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(test.handler)
			t.Cleanup(server.Close)
			own := &http.Transport{}
			t.Cleanup(own.CloseIdleConnections)
			got, err := transport.FindEndpoint(t.Context(), transport.NewInternetWire(&http.Client{Transport: own}), server.URL, test.hints)
			if want := server.URL + test.path; test.path != "" && (err != nil || got != want) {
				t.Errorf("found %q, %v, want %q", got, err, want)
			}
			if test.path == "" && err == nil {
				t.Errorf("found %q", got)
			}
		})
	}
}

// handshakeOnly is a server that answers only initialize, and only while no
// other session is open.
func handshakeOnly() http.Handler {
	var open atomic.Int32
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch {
		case r.Method == http.MethodDelete:
			open.Add(-1)
		case strings.Contains(string(body), "initialize") && open.Add(1) == 1:
			w.Header().Set("Mcp-Session-Id", "x")
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":1,"result":%s}`, helloResult)
		default:
			http.Error(w, "Invalid or missing session", http.StatusBadRequest)
		}
	})
}

// A server may start listening late.
func TestFindEndpointLater(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	own := &http.Transport{}
	defer own.CloseIdleConnections()
	wire := transport.NewInternetWire(&http.Client{Transport: own})
	short, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if got, err := transport.FindEndpoint(short, wire, "http://"+address, nil); err == nil {
		t.Errorf("found %s where nobody is", got)
	}
	found := make(chan string)
	go func() {
		at, _ := transport.FindEndpoint(t.Context(), wire, "http://"+address, nil)
		found <- at
	}()
	time.Sleep(300 * time.Millisecond)
	l, err = net.Listen("tcp", address)
	if err != nil {
		t.Fatal("the port that was free is taken: ", err)
	}
	server := &http.Server{Handler: mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return notes() }, nil), ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(l) }()
	defer server.Close()
	if got := <-found; got != "http://"+address+"/mcp" {
		t.Errorf("found %q", got)
	}
}
