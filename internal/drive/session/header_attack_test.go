package session

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/transport"
)

// The attack headers go with every request, and tool calls name the attack.
func TestHeadersAreWorn(t *testing.T) {
	server := mcp.NewServer(&mcp.Implementation{Name: "w", Version: "1"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "look"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{}, nil, nil
	})
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)
	var bare atomic.Int64
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Desk-Url") != "http://127.1.2.3/" {
			bare.Add(1)
		}
		handler.ServeHTTP(w, r)
	}))
	defer web.Close()
	tap := &memory{}
	_, err := Drive(t.Context(), nil, tap, &Options{
		Endpoint: Endpoint{Wire: transport.NewInternetWire(web.Client()), URL: web.URL, Headers: http.Header{"X-Desk-Url": {"http://127.1.2.3/"}}, HeaderAttack: &mcpsf.AttackDetail{Class: mcpsf.ClassHeaderRequest}},
	})
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	for _, m := range tap.messages {
		if m.Kind != mcpsf.MessageRequest {
			continue
		}
		if m.Method == "tools/call" {
			calls++
		}
		if (m.Attack != nil) != (m.Method == "tools/call") {
			t.Errorf("%s bears %+v", m.Method, m.Attack)
		}
	}
	if calls == 0 || bare.Load() > 0 {
		t.Errorf("%d calls, %d requests without the header", calls, bare.Load())
	}
}
