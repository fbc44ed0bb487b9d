package services_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/services"
	"github.com/mcpsf/mcpsf/internal/network/fakenet/shape"
)

// ask sends one request to made-up services.
func ask(e *shape.Expectations, method, path, accept, body string) *services.Answer {
	s := services.New(&services.Options{Seed: 1, Now: func() time.Time { return time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC) }, Expected: e})
	r := &services.Request{Method: method, Target: path, Path: path, Scheme: "https", Host: "node.a.example", Query: url.Values{}, Kept: []byte(body)}
	if accept != "" {
		r.Fields = append(r.Fields, services.Field{Name: "Accept", Value: accept})
	}
	return s.Reply(r)
}

func TestProcedure(t *testing.T) {
	for body, want := range map[string]string{
		`{"jsonrpc":"2.0","id":7,"method":"eth_chainId","params":[]}`:                                           `{"id":7,"jsonrpc":"2.0","result":"0x1"}`,
		`{"jsonrpc":"2.0","id":"a secret","method":"eth_blockNumber"}`:                                          `{"id":1,"jsonrpc":"2.0","result":"0x12a05f2"}`,
		`[{"jsonrpc":"2.0","id":3,"method":"net_version"},{"jsonrpc":"2.0","id":99999999,"method":"eth_call"}]`: `"id":3`,
		`{"jsonrpc":"2.0","id":1,"method":"core.lookup"}`:                                                       `"name":`,
	} {
		if got := string(ask(nil, http.MethodPost, "/", "", body).Body); !strings.Contains(got, want) || strings.Contains(got, "secret") || strings.Contains(got, "99999999") {
			t.Errorf("%s: %s", body, got)
		}
	}
	// What one method returns is learned for that method.
	e := shape.New()
	call := func(method string) map[string]any {
		var v struct {
			Result map[string]any `json:"result"`
		}
		_ = json.Unmarshal(ask(e, http.MethodPost, "/rpc", "", `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":{}}`).Body, &v)
		return v.Result
	}
	e.Begin()
	call("lookup")
	if !e.Learn([]mcpsf.Wish{{Kind: mcpsf.WishType, Type: "array", Path: []string{"result", "name"}}}) {
		t.Fatal("nothing was learned")
	}
	if _, list := call("lookup")["name"].([]any); !list {
		t.Error("lookup: no list")
	}
	e.Begin()
	call("rename")
	if !e.Learn([]mcpsf.Wish{{Kind: mcpsf.WishType, Type: "string", Path: []string{"result", "name"}}}) {
		t.Fatal("nothing was learned of the other method")
	}
	_, text := call("rename")["name"].(string)
	if _, list := call("lookup")["name"].([]any); !list || !text {
		t.Errorf("the methods are not kept apart: %v %v", call("lookup")["name"], call("rename")["name"])
	}
}

func TestRemoteMCPServer(t *testing.T) {
	for body, want := range map[string]string{
		`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{}}}`: `"protocolVersion":"2025-06-18"`,
		`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"a secret"}}`:                     `"protocolVersion":"2025-03-26"`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`:                                                             `"name":"search"`,
		`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"search"}}`:                                  `"type":"text"`,
	} {
		if a := ask(nil, http.MethodPost, "/mcp", "application/json, text/event-stream", body); !strings.Contains(string(a.Body), want) || strings.Contains(string(a.Body), "secret") {
			t.Errorf("%s: %s", body, a.Body)
		}
	}
	if a := ask(nil, http.MethodPost, "/mcp", "", `{"jsonrpc":"2.0","method":"notifications/initialized"}`); a.Status != http.StatusAccepted {
		t.Errorf("a notification: %d", a.Status)
	}
}

func TestAccepted(t *testing.T) {
	for _, tt := range []struct{ path, accept, kind, begin string }{
		{"/v1/report", "application/pdf", "application/pdf", "%PDF"},
		{"/v1/report", "image/png, */*", "image/png", "\x89PNG"},
		{"/v1/report", "application/json, text/plain, */*", "json", "{"},
		{"/news/rss", "*/*", "application/rss+xml", "<?xml"},
		{"/news/atom.xml", "", "application/atom+xml", "<?xml"},
		{"/files/a.xlsx", "", "application/vnd.openxmlformats", "PK"},
		{"/v1/events", "application/rss+xml", "application/rss+xml", "<?xml"},
	} {
		if a := ask(nil, http.MethodGet, tt.path, tt.accept, ""); !strings.Contains(a.Kind(), tt.kind) || !strings.HasPrefix(string(a.Body), tt.begin) {
			t.Errorf("%s %s: %s %.20q", tt.path, tt.accept, a.Kind(), a.Body)
		}
	}
}

// TestLearnedBodies has parsers that complain about the beginning of an answer.
func TestLearnedBodies(t *testing.T) {
	e := shape.New()
	e.Begin()
	ask(e, http.MethodGet, "/v1/record", "", "")
	if !e.Learn([]mcpsf.Wish{{Kind: mcpsf.WishFormat, Type: "xml", Loose: true}}) {
		t.Fatal("nothing was learned")
	}
	if a := ask(e, http.MethodGet, "/v1/record", "", ""); !strings.Contains(a.Kind(), "xml") || !strings.Contains(string(a.Body), "<response>") {
		t.Errorf("%s %.80s", a.Kind(), a.Body)
	}
	e.Begin()
	ask(e, http.MethodDelete, "/v1/records/7", "", "")
	if !e.Learn([]mcpsf.Wish{{Kind: mcpsf.WishFormat, Type: "JSON"}}) {
		t.Fatal("nothing was learned about DELETE")
	}
	if a := ask(e, http.MethodDelete, "/v1/records/8", "", ""); a.Status != http.StatusOK || !json.Valid(a.Body) {
		t.Errorf("%d %s", a.Status, a.Body)
	}
}
