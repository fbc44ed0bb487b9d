package session_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/session"
	"github.com/mcpsf/mcpsf/internal/drive/transport"
)

func TestConversation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := start(func(p *process) {
			fmt.Fprint(p.err, "starting\r\n\nlast words")
			p.listen(func(r rpc) {
				switch r.Method {
				case "initialize":
					p.write("%s\n", response(r.ID, `{"protocolVersion":"2025-06-18","instructions":"be nice","capabilities":{"tools":{},"resources":{},"prompts":{}},"serverInfo":{"name":"notes","version":"3"}}`))
				case "tools/list":
					p.write("%s\n", response(r.ID, `{"tools":[{"name":"read","description":"Reads","inputSchema":{"type":"object","properties":{"path":{"type":"string"}}}}]}`))
				case "resources/list":
					p.write("%s\n", response(r.ID, `{"resources":[{"uri":"notes://1","name":"one"}]}`))
				case "prompts/list":
					p.write("%s\n", response(r.ID, `{"prompts":[{"name":"ask","arguments":[{"name":"query","required":true}]}]}`))
				case "tools/call", "resources/read", "prompts/get":
					p.write("%s\n", response(r.ID, done))
				}
			})
		})
		var steps []string
		s, tap := drive(t, p, &session.Options{
			Client:   session.Client{Name: "editor", Version: "9"},
			Progress: func(step string, done, total int) { steps = append(steps, fmt.Sprint(step, done, total)) },
		})

		want := &mcpsf.Session{
			Initialized: true, Name: "notes", Version: "3", Protocol: "2025-06-18", Instructions: "be nice",
			Capabilities: json.RawMessage(`{"tools":{},"resources":{},"prompts":{}}`), Closed: "orderly",
			Tools: []mcpsf.Tool{{
				Name: "read", Description: "Reads",
				InputSchema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}}}`),
				Raw:         json.RawMessage(`{"name":"read","description":"Reads","inputSchema":{"type":"object","properties":{"path":{"type":"string"}}}}`),
			}},
			Resources: []mcpsf.Resource{{URI: "notes://1", Name: "one", Raw: json.RawMessage(`{"uri":"notes://1","name":"one"}`)}},
			Prompts:   []mcpsf.Prompt{{Name: "ask", Raw: json.RawMessage(`{"name":"ask","arguments":[{"name":"query","required":true}]}`)}},
			Calls: []mcpsf.Call{
				{ID: "c1", Method: "initialize", Status: "ok"},
				{ID: "c2", Method: "tools/list", Status: "ok"},
				{ID: "c3", Method: "resources/list", Status: "ok"},
				{ID: "c4", Method: "prompts/list", Status: "ok"},
				{ID: "c5", Method: "tools/call", Tool: "read", Status: "ok", Arguments: json.RawMessage(`{"path":"` + mcpsf.WorkDir + `/README.md"}`)},
				{ID: "c6", Method: "resources/read", Status: "ok", Arguments: json.RawMessage(`{"uri":"notes://1"}`), ServerValues: mcpsf.ServerValues{{Pointer: "/uri", From: mcpsf.OriginListed}}},
				{ID: "c7", Method: "prompts/get", Status: "ok", Arguments: json.RawMessage(`{"arguments":{"query":"hello"},"name":"ask"}`)},
			},
		}
		if diff := cmp.Diff(want, s); diff != "" {
			t.Errorf("session (-want +got):\n%s", diff)
		}
		var sent []string
		var size int64
		for _, m := range tap.messages {
			if m.Stream == mcpsf.Stdin {
				size += m.Size
				if m.Offset != size {
					t.Errorf("%s ends at %d, want %d", m.Method, m.Offset, size)
				}
				sent = append(sent, strings.TrimSpace(fmt.Sprint(m.Phase, " ", m.Kind, " ", m.Call, " ", m.Method, " ", string(m.ID))))
			}
		}
		if diff := cmp.Diff([]string{
			"start request c1 initialize 1",
			"start notification  notifications/initialized",
			"drive request c2 tools/list 2",
			"drive request c3 resources/list 3",
			"drive request c4 prompts/list 4",
			"drive request c5 tools/call 5",
			"drive request c6 resources/read 6",
			"drive request c7 prompts/get 7",
			"stop close",
		}, sent); diff != "" {
			t.Errorf("sent (-want +got):\n%s", diff)
		}
		if got := tap.of(mcpsf.Stdin, mcpsf.MessageRequest)[0].Body; !strings.Contains(string(got), `"name":"editor"`) {
			t.Errorf("we said we are %s", got)
		}
		answer := tap.of(mcpsf.Stdout, mcpsf.MessageResponse)[4]
		if answer.Call != "c5" || answer.Tool != "read" || string(answer.Body) != done {
			t.Errorf("answer to the tool is %+v", answer)
		}
		var lines []string
		for _, m := range tap.of(mcpsf.Stderr, mcpsf.MessageStderr) {
			lines = append(lines, fmt.Sprint(m.Offset, string(m.Body)))
		}
		if diff := cmp.Diff([]string{`10"starting"`, `21"last words"`}, lines); diff != "" {
			t.Errorf("stderr (-want +got):\n%s", diff)
		}
		if got := strings.Join(steps, " "); !strings.Contains(got, "call0 1 call1 1") || !strings.HasSuffix(got, "stop1 1") {
			t.Errorf("progress was %s", got)
		}
	})
}

func TestOneToolGoesWrong(t *testing.T) {
	on := func(method string, f func(p *process, r rpc)) *process {
		return start(func(p *process) {
			p.listen(func(r rpc) {
				switch {
				case r.Method == method && r.Params.Name != "fine":
					f(p, r)
				case r.Method == "tools/list":
					p.write("%s\n", response(r.ID, `{"tools":[{"name":"odd","inputSchema":{}},{"name":"fine","inputSchema":{}}]}`))
				case r.ID != nil:
					p.write("%s\n", response(r.ID, results(r.Method)))
				}
			})
		})
	}
	tests := map[string]struct {
		method string
		do     func(p *process, r rpc)
		calls  string // how the calls of the two tools ended
		closed string
		notes  []string
	}{
		"never answers": {
			do: func(*process, rpc) {}, calls: "timeout ok", closed: "orderly",
		},
		"answers twice": {
			do: func(p *process, r rpc) {
				p.write("%s\n%s\n", response(r.ID, done), response(r.ID, `{"content":[]}`))
			}, calls: "ok ok", closed: "orderly", notes: []string{"answered a request twice"},
		},
		"answers another": {
			do: func(p *process, r rpc) {
				p.write("%s\n%s\n", response(json.RawMessage("99"), done), response(r.ID, done))
			}, calls: "ok ok", closed: "orderly", notes: []string{"answered a request that was not made"},
		},
		"answers before asked": {
			do: func(p *process, r rpc) {
				p.write("%s\n%s\n", response(json.RawMessage("4"), done), response(r.ID, done))
			}, calls: "ok ok", closed: "orderly", notes: []string{"answered a request that was not made"},
		},
		"answers without an id": {
			do:    func(p *process, r rpc) { p.write(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700}}` + "\n") },
			calls: "refused ok", closed: "orderly", notes: []string{"answered without a request id"},
		},
		"answers nothing": {
			do:    func(p *process, r rpc) { p.write(`{"jsonrpc":"2.0","id":%s}`+"\n", r.ID) },
			calls: "garbled ok", closed: "orderly", notes: []string{"answered with a result that is not an object"},
		},
		"refuses": {
			do: func(p *process, r rpc) {
				p.write("%s\n", response(r.ID, `{"isError":true,"content":[{"type":"text","text":"no"}]}`))
			}, calls: "refused ok", closed: "orderly",
		},
		"crashes": {
			do: func(p *process, r rpc) { p.exit() }, calls: "crashed", closed: "crashed",
		},
		"crashes in the middle of an answer": {
			do: func(p *process, r rpc) { p.write(`{"jsonrpc":"2.0","id":`); p.exit() }, calls: "crashed", closed: "crashed",
			notes: []string{"wrote a line that is not JSON to stdout"},
		},
		"answers and crashes": {
			do: func(p *process, r rpc) { p.write("%s", response(r.ID, done)); p.exit() }, calls: "ok crashed", closed: "crashed",
		},
		"closes its output": {
			do: func(p *process, r rpc) { p.out.Close() }, calls: "crashed", closed: "orderly",
		},
		"closes its input": {
			do:    func(p *process, r rpc) { p.write("%s\n", response(r.ID, done)); p.in.Close(); <-p.killed },
			calls: "ok crashed", closed: "terminated",
		},
		"crashes at the start": {
			method: "initialize", do: func(p *process, r rpc) { p.exit() }, closed: "crashed",
		},
		"never starts": {
			method: "initialize", do: func(*process, rpc) {}, closed: "orderly",
		},
		"crashes while listing": {
			method: "tools/list", do: func(p *process, r rpc) { p.exit() }, closed: "crashed",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if test.method == "" {
					test.method = "tools/call"
				}
				s, _ := drive(t, on(test.method, test.do), nil)
				var calls []string
				for _, c := range s.Calls {
					if c.Method == "tools/call" {
						calls = append(calls, string(c.Status))
					}
				}
				if got := strings.Join(calls, " "); got != test.calls {
					t.Errorf("calls ended %q, want %q (%s)", got, test.calls, statuses(s))
				}
				if s.Closed != test.closed {
					t.Errorf("closed %q (%s), want %q", s.Closed, s.Ending, test.closed)
				}
				if s.Initialized == (test.method == "initialize") {
					t.Errorf("initialized is %v", s.Initialized)
				}
				if diff := cmp.Diff(test.notes, s.Irregularities); diff != "" {
					t.Errorf("irregularities (-want +got):\n%s", diff)
				}
			})
		})
	}
}

// An answer after its timeout is reported with its call and changes nothing.
func TestLateAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var slow json.RawMessage
		p := start(func(p *process) {
			p.listen(func(r rpc) {
				switch {
				case r.Params.Name == "slow":
					slow = r.ID
				case r.Method == "tools/list":
					p.write("%s\n", response(r.ID, `{"tools":[{"name":"slow"},{"name":"quick"}]}`))
				case r.Method == "tools/call":
					p.write("%s\n%s\n", response(slow, done), response(r.ID, done))
				case r.ID != nil:
					p.write("%s\n", response(r.ID, results(r.Method)))
				}
			})
		})
		s, tap := drive(t, p, &session.Options{Timing: session.Timing{CallTimeout: 5 * time.Second}})
		if got := statuses(s); !strings.HasSuffix(got, "c3 tools/call timeout, c4 tools/call ok") {
			t.Errorf("calls: %s", got)
		}
		if s.Calls[2].Seconds != 5 {
			t.Errorf("the timeout took %v seconds", s.Calls[2].Seconds)
		}
		answers := tap.of(mcpsf.Stdout, mcpsf.MessageResponse)
		if late := answers[2]; late.Call != "c3" || late.Tool != "slow" || late.Seconds != 5 {
			t.Errorf("late answer is %+v", late)
		}
		cancel := tap.of(mcpsf.Stdin, mcpsf.MessageNotification)[1]
		if cancel.Method != "notifications/cancelled" || string(cancel.Body) != `{"reason":"timeout","requestId":3}` {
			t.Errorf("after the timeout we sent %+v", cancel)
		}
		if diff := cmp.Diff([]string{"listed a tool without an input schema", "answered after the timeout"}, s.Irregularities); diff != "" {
			t.Errorf("irregularities (-want +got):\n%s", diff)
		}
	})
}

func TestServerAsks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := []string{
			`{"jsonrpc":"2.0","id":"p<1>","method":"ping"}`,
			`{"jsonrpc":"2.0","id":6,"method":"tools/list"}`,
			`{"jsonrpc":"2.0","id":7,"method":"sampling/createMessage","params":{"x":1}}`,
			`{"jsonrpc":"2.0","id":8,"method":"elicitation/create","params":{"requestedSchema":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}}}`,
			`{"jsonrpc":"2.0","id":9,"method":"elicitation/create","params":{"mode":"url","url":"https://a.example/"}}`,
			`{"jsonrpc":"2.0","id":10,"method":"roots/list"}`,
			`{"jsonrpc":"2.0","id":{"a":1},"method":"elicitation/create","params":{"requestedSchema":{"type":"object","$ref":"#"}}}`,
			`{"jsonrpc":"2.0","id":"` + strings.Repeat("x", 5000) + `","method":"roots/list"}`,
			`{"jsonrpc":"2.0","method":"notifications/progress"}`,
		}
		s, tap := drive(t, scripted(before("tools/call", strings.Join(asked, "\n")+"\n")), &session.Options{Answers: session.Answers{Roots: []string{"/home/dev/a b"}, Sampling: "Yes."}})
		if s.Closed != "orderly" {
			t.Errorf("closed %q (%s)", s.Closed, s.Ending)
		}
		var got []string
		for _, m := range tap.of(mcpsf.Stdin, mcpsf.MessageResponse) {
			got = append(got, fmt.Sprint(m.Method, string(m.ID), string(m.Body), m.Failed))
		}
		if diff := cmp.Diff([]string{
			`ping"p<1>"{}false`,
			`tools/list6{"code":-32601,"message":"Method not found"}true`,
			`sampling/createMessage7{"content":{"text":"Yes.","type":"text"},"model":"claude-sonnet-4-5","role":"assistant","stopReason":"endTurn"}false`,
			`elicitation/create8{"action":"accept","content":{"city":"Berlin"}}false`,
			`elicitation/create9{"action":"decline"}false`,
			`roots/list10{"roots":[{"name":"a b","uri":"file:///home/dev/a%20b"}]}false`,
			`elicitation/create{"a":1}{"action":"accept","content":{}}false`,
		}, got); diff != "" {
			t.Errorf("answers (-want +got):\n%s", diff)
		}
		if n := len(tap.of(mcpsf.Stdout, mcpsf.MessageRequest)); n != 8 {
			t.Errorf("%d requests of the server were told, want 8", n)
		}
	})
}

func TestPages(t *testing.T) {
	tests := map[string]struct {
		page  func(cursor string) string // the result
		tools int
		note  string
	}{
		"three pages": {
			page: func(c string) string {
				return map[string]string{
					"":  `{"tools":[{"name":"a","inputSchema":{}}],"nextCursor":"1"}`,
					"1": `{"tools":[{"name":"b","inputSchema":{}}],"nextCursor":"2"}`,
					"2": `{"tools":[{"name":"c","inputSchema":{}}],"nextCursor":""}`,
				}[c]
			}, tools: 3,
		},
		"in circles": {
			page:  func(string) string { return `{"tools":[{"name":"a","inputSchema":{}}],"nextCursor":"1"}` },
			tools: 2, note: "repeated a cursor while listing tools",
		},
		"without end": {
			page:  func(c string) string { return `{"tools":[],"nextCursor":"` + c + `x"}` },
			tools: 0, note: "listed tools on more than 1000 pages",
		},
		"cursor a number": {
			page:  func(string) string { return `{"tools":[],"nextCursor":5}` },
			tools: 0, note: "sent a cursor for tools that makes no sense",
		},
		"cursor huge": {
			page:  func(string) string { return `{"tools":[],"nextCursor":"` + strings.Repeat("x", 1<<20) + `"}` },
			tools: 0, note: "sent a cursor for tools that makes no sense",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, _ := drive(t, scripted(func(r rpc, usual string) string {
					if r.Method == "tools/list" {
						return response(r.ID, test.page(r.Params.Cursor)) + "\n"
					}
					return usual
				}), nil)
				if len(s.Tools) != test.tools || s.Closed != "orderly" {
					t.Errorf("%d tools, closed %q, want %d tools", len(s.Tools), s.Closed, test.tools)
				}
				if got := strings.Join(s.Irregularities, "; "); got != test.note {
					t.Errorf("irregularities %q, want %q", got, test.note)
				}
			})
		})
	}
}

func TestTooManyEntries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		entries := strings.Repeat(`{"uri":"x://1"},`, 12_000)
		s, _ := drive(t, scripted(func(r rpc, usual string) string {
			switch r.Method {
			case "initialize":
				return strings.Replace(usual, `"tools":{}`, `"resources":{}`, 1)
			case "tools/list":
				return response(r.ID, `{"tools":[]}`) + "\n"
			case "resources/list":
				return response(r.ID, `{"resources":[`+strings.TrimSuffix(entries, ",")+`]}`) + "\n"
			case "resources/read":
				return response(r.ID, `{"contents":[]}`) + "\n"
			}
			return usual
		}), nil)
		if len(s.Resources) != 10_000 || len(s.Calls) != 3+1 { // all have the same address
			t.Errorf("%d resources and %d calls, want 10000 and 4", len(s.Resources), len(s.Calls))
		}
		if diff := cmp.Diff([]string{"listed more than 10000 resources"}, s.Irregularities); diff != "" {
			t.Errorf("irregularities (-want +got):\n%s", diff)
		}
	})
}

func TestBodiesAreCut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		long := strings.Repeat("\x01é\"<", 5000)
		quoted, _ := json.Marshal(long)
		_, tap := drive(t, scripted(func(r rpc, usual string) string {
			if r.Method != "tools/call" {
				return usual
			}
			return long + "\n" + response(r.ID, `{"content":[{"type":"text","text":`+string(quoted)+`}]}`) + "\n"
		}), &session.Options{Limits: transport.Limits{MaxBody: 1000}})
		junk := tap.of(mcpsf.Stdout, mcpsf.MessageJunk)[0]
		answer := tap.of(mcpsf.Stdout, mcpsf.MessageResponse)[2]
		for _, m := range []mcpsf.Message{junk, answer} {
			var s string
			if err := json.Unmarshal(m.Body, &s); err != nil || len(m.Body) > 1000 || !m.Truncated || m.Size < 1000 {
				t.Errorf("body of %d bytes, size %d, truncated %v: %v", len(m.Body), m.Size, m.Truncated, err)
			}
		}
	})
}

func TestContextEnds(t *testing.T) {
	for name, serve := range map[string]func(*process){
		"in a call":       func(p *process) { io.Copy(io.Discard, p.in); <-p.killed },
		"while blocked":   func(p *process) { <-p.killed },
		"before anything": func(p *process) { <-p.killed },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
				if name == "before anything" {
					cancel()
				}
				defer cancel()
				s, err := session.Drive(ctx, start(serve), &recorder{t: t}, nil)
				if !errors.Is(err, ctx.Err()) || err == nil {
					t.Errorf("error is %v, want %v", err, ctx.Err())
				}
				if s == nil || s.Closed != "killed" || s.Ending != "the run was over" {
					t.Errorf("session is %+v", s)
				}
			})
		})
	}
}
