package explain

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/attack"
	"github.com/mcpsf/mcpsf/internal/judge/rules/declared"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
	"github.com/mcpsf/mcpsf/internal/judge/rules/history"
)

const credentials = "/home/dev/.aws/credentials"

func TestExplain(t *testing.T) {
	tests := []struct {
		name   string
		params string
		server mcpsf.ServerValues
		scope  declared.Scope
		path   string
		decoy  string
		want   bool
	}{
		{name: "the file", params: `{"arguments":{"p":"/home/dev/.aws/credentials"}}`, path: credentials, decoy: "aws", want: true},
		{name: "with a tilde", params: `{"arguments":{"p":"~/.aws/credentials"}}`, path: credentials, decoy: "aws", want: true},
		{name: "with $HOME", params: `{"arguments":{"p":"$HOME/.aws/credentials"}}`, path: credentials, decoy: "aws", want: true},
		{name: "as an address", params: `{"arguments":{"p":"file:///home/dev/.aws/credentials"}}`, path: credentials, decoy: "aws", want: true},
		{name: "as an escaped address", params: `{"arguments":{"p":"file:///home/dev/%2Eaws/credentials"}}`, path: credentials, decoy: "aws", want: true},
		{name: "relative to the work directory", params: `{"arguments":{"p":"../../.aws/credentials"}}`, path: credentials, decoy: "aws", want: true},
		{name: "not clean", params: `{"arguments":{"p":"/home/dev/./x/../.aws//credentials/"}}`, path: credentials, decoy: "aws", want: true},
		{name: "deep in the arguments", params: `{"arguments":{"a":[{"b":{"c":["x","~/.aws/credentials"]}}]}}`, path: credentials, decoy: "aws", want: true},
		{name: "as a key, which is the schema's", params: `{"arguments":{"files":{"/home/dev/.aws/credentials":"x"}}}`, path: credentials, decoy: "aws"},
		{name: "in a command", params: `{"arguments":{"c":"cat \"/home/dev/.aws/credentials\" | wc -l"}}`, path: credentials, decoy: "aws", want: true},
		{name: "as an option in a command", params: `{"arguments":{"c":"tool --file=~/.aws/credentials"}}`, path: credentials, decoy: "aws", want: true},
		{name: "its directory", params: `{"arguments":{"p":"/home/dev/.aws"}}`, path: credentials, decoy: "aws", want: true},
		{name: "with a wildcard", params: `{"arguments":{"p":"~/.aws/*"}}`, path: credentials, decoy: "aws", want: true},
		{name: "the top dot directory", params: `{"arguments":{"p":"~/.config"}}`, path: "/home/dev/.config/gh/hosts.yml", decoy: "gh", want: true},
		{name: "the uri of a resource", params: `{"uri":"file:///home/dev/.aws/credentials"}`, path: credentials, decoy: "aws", want: true},

		{name: "the journal of a database", params: `{"arguments":{"p":"/home/dev/data/shop.db"}}`, path: "/home/dev/data/shop.db-journal", want: true},
		{name: "an ending of its own", params: `{"arguments":{"p":"/home/dev/Documents/last.txt"}}`, path: "/home/dev/Documents/last.txt.docx", want: true},
		{name: "another ending", params: `{"arguments":{"p":"/home/dev/Documents/last.md"}}`, path: "/home/dev/Documents/last.pdf", want: true},
		{name: "a copy", params: `{"arguments":{"p":"/home/dev/Documents/last.docx"}}`, path: "/home/dev/Documents/last_copy.docx", want: true},
		{name: "a planted document with such a name", params: `{"arguments":{"p":"/home/dev/Documents/last.docx"}}`, path: "/home/dev/Documents/last_copy.docx", decoy: mcpsf.DecoyDocument},
		{name: "a longer name", params: `{"arguments":{"p":"/home/dev/Documents/last.md"}}`, path: "/home/dev/Documents/lastly.md"},
		{name: "beside a secret", params: `{"arguments":{"p":"/home/dev/.aws/credentials.txt"}}`, path: credentials, decoy: "aws"},
		{name: "an ending beside the home", params: `{"arguments":{"p":"/home/dev/x"}}`, path: "/home/dev/x.sh", want: true},

		{name: "the home directory", params: `{"arguments":{"p":"/home/dev"}}`, path: credentials, decoy: "aws"},
		{name: "the home directory is the parent", params: `{"arguments":{"p":"/home/dev"}}`, path: "/home/dev/.env", decoy: "dotenv"},
		{name: "the home directory with a wildcard", params: `{"arguments":{"p":"~/**/*"}}`, path: credentials, decoy: "aws"},
		{name: "the root", params: `{"arguments":{"p":"/"}}`, path: credentials, decoy: "aws"},
		{name: "one component", params: `{"arguments":{"p":"/home"}}`, path: credentials, decoy: "aws"},
		{name: "nothing", params: `{"arguments":{"p":""}}`, path: credentials, decoy: "aws"},
		{name: "a dot", params: `{"arguments":{"p":"."}}`, path: credentials, decoy: "aws"},
		{name: "a name that begins the same", params: `{"arguments":{"p":"/home/dev/.aws/cred"}}`, path: credentials, decoy: "aws"},
		{name: "a directory that begins the same", params: `{"arguments":{"p":"/home/dev/.a"}}`, path: credentials, decoy: "aws"},
		{name: "another directory of the home", params: `{"arguments":{"p":"/home/dev/code"}}`, path: "/home/dev/code/shop/.env", decoy: "dotenv"},
		{name: "the file's own directory", params: `{"arguments":{"p":"/home/dev/code/shop"}}`, path: "/home/dev/code/shop/.env", decoy: "dotenv", want: true},
		{name: "too deep", params: `{"arguments":{"p":` + strings.Repeat("[", 100) + `"~/.aws/credentials"` + strings.Repeat("]", 100) + `}}`, path: credentials, decoy: "aws"},
		{name: "no JSON", params: `{"arguments":{"p":"~/.aws/cred`, path: credentials, decoy: "aws"},
		{name: "no object", params: `"~/.aws/credentials"`, path: credentials, decoy: "aws"},
		{name: "the name of the tool", params: `{"name":"/home/dev/.aws/credentials","arguments":{}}`, path: credentials, decoy: "aws"},

		{name: "a document's folder", params: `{"arguments":{"p":"~/Documents"}}`, path: "/home/dev/Documents/a/b.txt", decoy: mcpsf.DecoyDocument, want: true},
		{name: "a document and the home", params: `{"arguments":{"p":"~"}}`, path: "/home/dev/Documents/a/b.txt", decoy: mcpsf.DecoyDocument},
		{name: "a secret among the documents", params: `{"arguments":{"p":"~/Documents"}}`, path: "/home/dev/Documents/a/passwords.csv", decoy: "passwords"},

		{name: "an ordinary file below the home", params: `{"arguments":{"p":"~"}}`, path: "/home/dev/Desktop/x", want: true},
		{name: "an ordinary file below /etc", params: `{"arguments":{"p":"/etc"}}`, path: "/etc/x/y"},
		{name: "a start-up file below the home", params: `{"arguments":{"p":"~"}}`, path: "/home/dev/.bashrc"},

		{name: "the command line", scope: declared.Scope{Command: []string{"node", "s.js", "/home/dev/.aws"}}, path: credentials, decoy: "aws", want: true},
		{name: "an option", scope: declared.Scope{Command: []string{"node", "--keys=~/.aws/credentials"}}, path: credentials, decoy: "aws", want: true},
		{name: "a variable", scope: declared.Scope{Env: []string{"AWS_SHARED_CREDENTIALS_FILE=/home/dev/.aws/credentials"}}, path: credentials, decoy: "aws", want: true},
		{name: "a list in a variable", scope: declared.Scope{Env: []string{"KUBECONFIG=/etc/k:/home/dev/.kube/config"}}, path: "/home/dev/.kube/config", decoy: "kube", want: true},
		{name: "the variable of the home", scope: declared.Scope{Env: []string{"HOME=/home/dev"}}, path: "/home/dev/Desktop/x"},
		{name: "relative to a configured directory", params: `{"arguments":{"p":".aws/credentials"}}`, scope: declared.Scope{Command: []string{"fs", "/home/dev"}}, path: credentials, decoy: "aws", want: true},

		{name: "a default of the server", params: `{"arguments":{"p":"~/.aws/credentials"}}`, server: mcpsf.ServerValues{{Pointer: "/arguments/p", From: mcpsf.OriginDefault}}, path: credentials, decoy: "aws"},
		{name: "a pattern of the server", params: `{"arguments":{"p":"~/.aws/credentials"}}`, server: mcpsf.ServerValues{{Pointer: "/arguments/p", From: mcpsf.OriginPattern}}, path: credentials, decoy: "aws"},
		{name: "nobody says who made it", params: `{"arguments":{"p":"~/.aws/credentials"}}`, server: mcpsf.ServerValues{{Pointer: "", From: mcpsf.OriginUnknown}}, path: credentials, decoy: "aws"},
		{name: "a value of the server beside ours", params: `{"arguments":{"p":"~/.aws/credentials","q":"x"}}`, server: mcpsf.ServerValues{{Pointer: "/arguments/q", From: mcpsf.OriginDefault}}, path: credentials, decoy: "aws", want: true},
		{name: "a listed resource", params: `{"uri":"file:///home/dev/.aws/credentials"}`, server: mcpsf.ServerValues{{Pointer: "/uri", From: mcpsf.OriginListed}}, path: credentials, decoy: "aws"},
		{name: "a default of the server explains what is ordinary", params: `{"arguments":{"p":"/home/dev/out"}}`, server: mcpsf.ServerValues{{Pointer: "/arguments/p", From: mcpsf.OriginDefault}}, path: "/home/dev/out/x", want: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			scope := tt.scope
			scope.Home, scope.WorkDir = mcpsf.Home, mcpsf.WorkDir
			x := explainerOf(scope)
			detail := &mcpsf.MCPDetail{Method: "tools/call", Tool: "tool", Body: json.RawMessage(tt.params)}
			if strings.Contains(tt.params, `"uri"`) {
				detail = &mcpsf.MCPDetail{Method: "resources/read", Body: json.RawMessage(tt.params)}
			}
			detail.ServerValues = tt.server
			x.run.Before(&mcpsf.Event{Kind: mcpsf.KindMCPRequest, Call: "c1", MCP: detail})
			got := x.Path(decoy("c1", tt.path, tt.decoy))
			if got.OK() != tt.want || got.Reason == "" {
				t.Errorf("explained %v (%s), want %v", got.OK(), got.Reason, tt.want)
			}
			other := x.Path(decoy("c2", tt.path, tt.decoy))
			if len(tt.scope.Command)+len(tt.scope.Env) == 0 && other.OK() {
				t.Errorf("explained in another call: %s", other.Reason)
			}
		})
	}
}

// A variable is asked for by a text that names it, and not by the names of the members
// that the server wants in a document.
func TestExplainAVariable(t *testing.T) {
	for params, want := range map[string]bool{
		`{"arguments":{"command":"echo $GITHUB_TOKEN"}}`:                  true,
		`{"arguments":{"config":"{\"read\":\"GITHUB_TOKEN\"}"}}`:          true,
		`{"arguments":{"config":"[{\"GITHUB_TOKEN\":\"example\"}]"}}`:     false,
		`{"arguments":{"config":"{\"a\":\"{\\\"GITHUB_TOKEN\\\":1}\"}"}}`: false,
		`{"arguments":{"GITHUB_TOKEN":"example"}}`:                        false,
	} {
		x := explainerOf(declared.Scope{Home: mcpsf.Home, WorkDir: mcpsf.WorkDir})
		x.run.Before(&mcpsf.Event{Kind: mcpsf.KindMCPRequest, Call: "c1", MCP: &mcpsf.MCPDetail{Method: "tools/call", Tool: "t", Body: json.RawMessage(params)}})
		f := decoy("c1", "", event.KindVariable)
		f.Variable = "GITHUB_TOKEN"
		if got := x.Path(f); got.OK() != want {
			t.Errorf("%s: explained %v (%s)", params, got.OK(), got.Reason)
		}
	}
}

// Requests from the server must not explain an access.
func TestServerRequestsExplainNothing(t *testing.T) {
	x := explainerOf(declared.Scope{Home: mcpsf.Home, WorkDir: mcpsf.WorkDir})
	x.run.Before(&mcpsf.Event{Kind: mcpsf.KindMCPRequest, Call: "c1", MCP: &mcpsf.MCPDetail{Method: "tools/call", Tool: "t", Body: json.RawMessage(`{"arguments":{}}`)}})
	for _, e := range []mcpsf.Event{
		{Kind: mcpsf.KindMCPRequest, Call: "c1", MCP: &mcpsf.MCPDetail{FromServer: true, Method: "roots/list", Body: json.RawMessage(`{"uri":"/home/dev/.aws"}`)}},
		{Kind: mcpsf.KindMCPRequest, Call: "c1", MCP: &mcpsf.MCPDetail{Method: "tools/call", Body: json.RawMessage(`{"uri":"/home/dev/.aws"}`)}},
		{Kind: mcpsf.KindMCPRequest, Call: "c1"},
	} {
		x.run.Before(&e)
	}
	if got := x.Path(decoy("c1", credentials, "aws")); got.OK() {
		t.Error(got.Reason)
	}
}

func explainerOf(scope declared.Scope) *Explainer {
	d := declared.New(scope)
	r := history.New(d)
	return New(r, attack.New(d, r.Calls))
}

func decoy(call, path, kind string) *event.Fields {
	var f event.Fields
	f.Call, f.Subject, f.Decoy = call, path, kind
	return &f
}

func requested(call, tool, args string) *mcpsf.Event {
	return &mcpsf.Event{
		Kind: mcpsf.KindMCPRequest, Phase: mcpsf.PhaseDrive, Call: call,
		MCP: &mcpsf.MCPDetail{Method: "tools/call", Tool: tool, Body: json.RawMessage(`{"name":"` + tool + `","arguments":` + args + `}`)},
	}
}
