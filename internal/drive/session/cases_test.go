package session_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/session"
)

// malformed are servers with one defect each. The defect must not affect the
// rest of the session.
func malformed() map[string]malformedCase {
	result := func(method, result string) func(rpc, string) string {
		return func(r rpc, usual string) string {
			if r.Method == method {
				return response(r.ID, result) + "\n"
			}
			return usual
		}
	}
	tool := func(entry string) func(rpc, string) string {
		return result("tools/list", `{"tools":[`+entry+`]}`)
	}
	each := func(f func(string) string) func(rpc, string) string {
		return func(_ rpc, usual string) string { return f(usual) }
	}
	return map[string]malformedCase{
		"well formed": {tools: 1},
		"banner line": {
			change: before("initialize", "Server v1 is ready!\n"), tools: 1,
			notes: []string{"wrote a line that is not JSON to stdout"},
		},
		"byte order mark": {
			change: before("initialize", "\ufeff"), tools: 1,
			notes: []string{"wrote a byte order mark to stdout"},
		},
		"log line between": {
			change: before("tools/list", "[info] listing\n"), tools: 1,
			notes: []string{"wrote a line that is not JSON to stdout"},
		},
		"truncated line": {
			change: before("tools/list", `{"jsonrpc":"2.0","id":2,"resu`+"\n"), tools: 1,
			notes: []string{"wrote a line that is not JSON to stdout"},
		},
		"truncated before a value": {
			change: before("tools/list", `{"jsonrpc":"2.0","id":2,"result":`+"\n"), tools: 1,
			notes: []string{"wrote a line that is not JSON to stdout"},
		},
		"discover ignored": {change: each(func(s string) string { return s }), tools: 1},
		"unknown version": {
			change: result("initialize", strings.Replace(helloResult, "2025-11-25", "2099-01-01", 1)), tools: 1,
			notes: []string{`speaks an unknown protocol version: "2099-01-01"`},
		},
		"id as string": {
			change: func(r rpc, _ string) string {
				return response([]byte(`"`+string(r.ID)+`"`), results(r.Method)) + "\n"
			}, tools: 1,
			notes: []string{"echoed a request id with another type"},
		},
		"id as float": {
			change: func(r rpc, _ string) string {
				return response([]byte(string(r.ID)+".0"), results(r.Method)) + "\n"
			}, tools: 1,
			notes: []string{"echoed a request id with another type"},
		},
		"no jsonrpc field": {
			change: each(func(s string) string { return strings.Replace(s, `"jsonrpc":"2.0",`, "", 1) }), tools: 1,
			notes: []string{"left out the jsonrpc field"},
		},
		"wrong jsonrpc field": {
			change: each(func(s string) string { return strings.Replace(s, `"2.0"`, "1", 1) }), tools: 1,
			notes: []string{"sent a wrong jsonrpc version"},
		},
		"batch": {
			change: each(func(s string) string { return "[" + strings.TrimSpace(s) + "]\n" }), tools: 1,
			notes: []string{"sent a batch, which the protocol does not allow"},
		},
		"two on one line": {
			change: before("initialize", `{"jsonrpc":"2.0","method":"notifications/message"} `), tools: 1,
			notes: []string{"wrote several messages on one line"},
		},
		"pretty printed": {
			change: each(func(s string) string { return strings.ReplaceAll(s, ",", ",\r\n  ") }), tools: 1,
			notes: []string{"spread one message over several lines"},
		},
		"carriage returns": {change: each(func(s string) string { return strings.TrimSpace(s) + "\r\n\r\n" }), tools: 1},
		"no input schema": {
			change: tool(`{"name":"echo"}`), tools: 1,
			notes: []string{"listed a tool without an input schema"},
		},
		"input schema null": {
			change: tool(`{"name":"echo","inputSchema":null}`), tools: 1,
			notes: []string{"listed a tool without an input schema"},
		},
		"input schema a string": {
			change: tool(`{"name":"echo","inputSchema":"object"}`), tools: 1,
			notes: []string{"listed a tool whose input schema is not an object"},
		},
		"input schema true": {
			change: tool(`{"name":"echo","inputSchema":true}`), tools: 1,
			notes: []string{"listed a tool whose input schema is not an object"},
		},
		"schema type a list": {change: tool(`{"name":"echo","inputSchema":{"type":["object"]}}`), tools: 1},
		"description a number": {
			change: tool(`{"name":"bad","description":5,"inputSchema":{}},{"name":"good","inputSchema":{}}`), tools: 2,
			notes: []string{"sent a tool description that is not a string"},
		},
		"name null": {
			change: tool(`{"name":null,"inputSchema":{}}`), tools: 1,
			notes: []string{"listed a tool without a name"},
		},
		"tools null": {
			change: result("tools/list", `{"tools":null}`),
			notes:  []string{"answered tools/list without a list"},
		},
		"tool not an object": {
			change: tool(`7,{"name":"good","inputSchema":{}}`), tools: 1,
			notes: []string{"listed a tool that is not an object"},
		},
		"duplicate names": {change: tool(`{"name":"a","inputSchema":{}},{"name":"a","inputSchema":{}}`), tools: 2},
		"annotations a string": {
			change: tool(`{"name":"a","annotations":"yes","inputSchema":{}}`), tools: 1,
			notes: []string{"sent tool annotations that are not an object"},
		},
		"unknown content": {
			change: result("tools/call", `{"content":[{"type":"hologram"}]}`), tools: 1,
			notes: []string{"returned content of an unknown type"},
		},
		"content missing": {
			change: result("tools/call", `{}`), tools: 1,
			notes: []string{"returned a tool result without a content list"},
		},
		"content a string": {
			change: result("tools/call", `{"content":"hello"}`), tools: 1,
			notes: []string{"returned a tool result without a content list"},
		},
		"result null": {
			change: result("tools/call", `null`), tools: 1, status: mcpsf.CallGarbled,
			notes: []string{"answered with a result that is not an object"},
		},
		"text a number": {
			change: result("tools/call", `{"content":[{"type":"text","text":5}]}`), tools: 1,
			notes: []string{"returned text content that is not a string"},
		},
		"invalid UTF-8": {
			change: result("tools/call", "{\"content\":[{\"type\":\"text\",\"text\":\"a\xff\xfe\"}]}"), tools: 1,
			notes: []string{"sent text that is not valid UTF-8"},
		},
		"20 MiB line": {
			change: func(r rpc, usual string) string {
				if r.Method != "tools/call" {
					return usual
				}
				return strings.Replace(usual, "done", strings.Repeat("x", 20<<20), 1)
			}, tools: 1, status: mcpsf.CallGarbled,
			notes: []string{"sent a message longer than the limit"},
		},
		"error with a string code": {
			change: func(r rpc, usual string) string {
				if r.Method != "tools/call" {
					return usual
				}
				return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":"E1","message":"no"}}`+"\n", r.ID)
			}, tools: 1, status: mcpsf.CallRefused,
		},
	}
}

type malformedCase struct {
	change func(r rpc, usual string) string
	tools  int
	status mcpsf.CallStatus // status of the calls, ok if empty
	notes  []string
}

// before writes something before the answer to a method.
func before(method, what string) func(rpc, string) string {
	return func(r rpc, usual string) string {
		if r.Method == method {
			return what + usual
		}
		return usual
	}
}

func TestMalformedServers(t *testing.T) {
	for name, test := range malformed() {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, _ := drive(t, scripted(test.change), &session.Options{})
				if !s.Initialized || s.Closed != "orderly" {
					t.Errorf("initialized %v, closed %q (%s)", s.Initialized, s.Closed, s.Ending)
				}
				if len(s.Tools) != test.tools {
					t.Errorf("%d tools, want %d", len(s.Tools), test.tools)
				}
				want := []string{"c1 initialize ok", "c2 tools/list ok"}
				if test.status == "" {
					test.status = mcpsf.CallOK
				}
				for i := range test.tools {
					want = append(want, fmt.Sprintf("c%d tools/call %s", 3+i, test.status))
				}
				if diff := cmp.Diff(strings.Join(want, ", "), statuses(s)); diff != "" {
					t.Errorf("calls (-want +got):\n%s", diff)
				}
				if diff := cmp.Diff(test.notes, s.Irregularities); diff != "" {
					t.Errorf("irregularities (-want +got):\n%s", diff)
				}
			})
		})
	}
}
