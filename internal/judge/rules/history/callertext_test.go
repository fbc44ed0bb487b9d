package history

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/declared"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
	"github.com/mcpsf/mcpsf/internal/judge/rules/lex"
	"github.com/mcpsf/mcpsf/internal/judge/rules/programs"
)

func TestCallerText(t *testing.T) {
	tests := []struct {
		name, args, line string
		want             bool
	}{
		{"the whole line", `{"c":"ls -la"}`, "ls -la", true},
		{"a part of a word", `{"q":"todo"}`, "grep mytodos", true},
		{"too short for a part of a word", `{"q":"tod"}`, "grep mytodos", false},
		{"a short word", `{"q":"tod"}`, "grep tod|wc", true},
		{"a short word behind an option", `{"q":"a"}`, "tool --name=a", true},
		{"deep in the arguments", `{"q":[{"x":["words"]}]}`, "echo words", true},
		{"quoted", `{"q":"say \"hi\" now"}`, `echo 'say "hi" now'`, true},
		{"the last part of a path", `{"p":"/srv/data/main.c"}`, "cd /srv && cc main.c", true},
		{"the last part inside of a word", `{"p":"/srv/data/main"}`, "cc domains.c", false},
		{"names of arguments are the server's", `{"words":1}`, "echo words", false},
		{"numbers are no text", `{"n":4711}`, "head -n 4711", false},
		{"nothing", `{"q":""}`, "ls", false},
		{"only spaces and marks", `{"q":" '\"\\ "}`, "ls -l /", false},
		{"no object", `["ls"]`, "ls", false},
		{"too deep", strings.Repeat("[", 100) + `"ls"` + strings.Repeat("]", 100), "ls", false},
		{"too long", `{"q":"` + strings.Repeat("a", lex.MaxValue+1) + `"}`, strings.Repeat("a", lex.MaxValue+1), false},
		{"invalid text", "{\"q\":\"\xff\xfe\"}", "echo \xff\xfe", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := New(declared.New(declared.Scope{Home: mcpsf.Home, WorkDir: mcpsf.WorkDir}))
			r.Before(&mcpsf.Event{Kind: mcpsf.KindMCPRequest, Call: "c1", MCP: &mcpsf.MCPDetail{
				Method: "tools/call", Tool: "t", Body: json.RawMessage(`{"name":"ls","arguments":` + tt.args + `}`),
			}})
			f := &event.Fields{}
			f.Call, f.Args = "c1", []string{"sh", "-c", tt.line}
			for range 2 { // the second time uses the cached texts
				if got := r.Calls.CallerText(f); got != tt.want {
					t.Errorf("%v, want %v", got, tt.want)
				}
			}
			if f.Call = "c2"; r.Calls.CallerText(f) {
				t.Error("found in another call")
			}
		})
	}
}

func TestStartedByProgram(t *testing.T) {
	tests := []struct {
		name   string
		parent programs.Program
		want   bool
	}{
		{"tar", programs.Program{Path: "/usr/bin/tar", Args: []string{"tar"}}, true},
		{"npm", programs.Program{Path: "/usr/bin/node", Args: []string{"node", "/usr/bin/npm"}}, true},
		{"the server's code in another process", programs.Program{Path: "/usr/bin/node", Args: []string{"node", "worker.js"}}, false},
		{"code on the command line", programs.Program{Path: "/usr/bin/python3.12", Args: []string{"python3", "-c", "x"}}, false},
		{"a path that only begins like the system's", programs.Program{Path: "/usr/bin/node", Args: []string{"node", "/usr/../tmp/x"}}, false},
		{"a program of the server's called tar", programs.Program{Path: "/home/dev/code/server/tar"}, false},
		{"a shell", programs.Program{Path: "/usr/bin/dash", Args: []string{"sh"}}, false},
		{"xargs", programs.Program{Path: "/usr/bin/xargs", Args: []string{"xargs", "sh"}}, false},
		{"the loader", programs.Program{Path: "/usr/lib64/ld-linux-x86-64.so.2"}, false},
		{"unknown", programs.Program{}, false},
	}
	for _, tt := range tests {
		p := newProcesses(mcpsf.WorkDir)
		p.Server, p.Programs[5], p.Parents[6] = 1, tt.parent, 5
		f := &event.Fields{}
		f.PID = 6
		if got := p.StartedByProgram(f); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
		if p.Server = 5; p.StartedByProgram(f) {
			t.Errorf("%s: the server itself counts as a program of the system", tt.name)
		}
	}
}
