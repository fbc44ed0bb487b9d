package explain

import (
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/declared"
	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
)

// Which sources explain a host, and which do not.
func TestExplainHost(t *testing.T) {
	tests := []struct {
		name  string
		scope declared.Scope
		args  string
		host  string
		want  declared.By
	}{
		{name: "an argument", args: `{"u":"https://site.example/x"}`, host: "site.example", want: declared.ByArgument},
		{name: "its neighbour", args: `{"u":"https://site.example/x"}`, host: "www.site.example", want: declared.ByArgument},
		{name: "a bare name deep inside", args: `{"a":[{"b":"ping host.site.example now"}]}`, host: "host.site.example", want: declared.ByArgument},
		{name: "an address", args: `{"u":"http://192.0.2.7:8080/"}`, host: "192.0.2.7", want: declared.ByArgument},
		{name: "another address", args: `{"u":"http://192.0.2.7:8080/"}`, host: "192.0.2.8"},
		{name: "another customer of the same provider", args: `{"u":"https://one.github.io/"}`, host: "two.github.io"},
		{name: "a name that only ends the same", args: `{"u":"https://site.example/"}`, host: "evilsite.example"},
		{name: "a name that only begins the same", args: `{"u":"https://site.example/"}`, host: "site.example.evil.test"},
		{name: "the command line", scope: declared.Scope{Command: []string{"node", "--api=https://api.corp.example"}}, host: "api.corp.example", want: declared.ByConfiguration},
		{name: "a variable", scope: declared.Scope{Env: []string{"PGHOST=db.corp.example"}}, host: "db.corp.example", want: declared.ByConfiguration},
		{name: "a variable of every machine", scope: declared.Scope{Env: []string{"HOME=/home/x.example"}}, host: "x.example"},
		{name: "the documentation", scope: declared.Scope{Hosts: []string{"docs.foo.example"}}, host: "api.foo.example", want: declared.ByDocument},
		{name: "a tool", scope: declared.Scope{Tools: map[string]mcpsf.Tool{"t": {Name: "t", Description: "Asks api.foo.example."}}}, host: "api.foo.example", want: declared.ByDocument},
		{name: "the package", scope: declared.Scope{Name: "github-mcp-server"}, host: "api.github.com", want: declared.ByName},
		{name: "the scope of the package", scope: declared.Scope{Name: "@notionhq/notion-mcp"}, host: "api.notion.com", want: declared.ByName},
		{name: "what the server calls itself", scope: declared.Scope{Name: "x exa-search"}, host: "api.exa.ai", want: declared.ByDocument},
		{name: "two words", scope: declared.Scope{Name: "x", Description: "Bright Data for agents"}, host: "api.brightdata.com", want: declared.ByDocument},
		{name: "a well-known service in the description", scope: declared.Scope{Name: "x", Description: "Search GitHub"}, host: "api.github.com", want: declared.ByName},
		{name: "a name with a hyphen", scope: declared.Scope{Name: "open-meteo-mcp"}, host: "api.open-meteo.com", want: declared.ByName},
		{name: "a tail", scope: declared.Scope{Name: "voyage-mcp"}, host: "api.voyageai.com", want: declared.ByName},
		{name: "a head", scope: declared.Scope{Name: "postman-mcp"}, host: "api.getpostman.com", want: declared.ByName},
		{name: "the name of a credential", scope: declared.Scope{Env: []string{"TAVILY_API_KEY=x"}}, host: "api.tavily.com", want: declared.ByVariable},
		{name: "another name of the service", scope: declared.Scope{Env: []string{"GEMINI_API_KEY=x"}}, host: "generativelanguage.googleapis.com", want: declared.ByVariable},
		{name: "a cloud", scope: declared.Scope{Env: []string{"AWS_REGION=eu-west-1"}}, host: "s3.eu-west-1.amazonaws.com", want: declared.ByVariable},
		{name: "a well-known name with another ending", scope: declared.Scope{Name: "github-mcp-server"}, host: "api.github.test"},
		{name: "a well-known name with a tail", scope: declared.Scope{Name: "github-mcp-server"}, host: "github-cdn.example"},
		{name: "a well-known name in front of another", scope: declared.Scope{Name: "github-mcp-server"}, host: "github.com.evil.example"},
		{name: "an ordinary word of the description", scope: declared.Scope{Name: "notes", Description: "Collects data and logs"}, host: "collect.example"},
		{name: "ordinary words", scope: declared.Scope{Name: "mcp-server-tools", Description: "an api for data"}, host: "api.data.example"},
		{name: "a short word of the description", scope: declared.Scope{Description: "it is an agent for all"}, host: "all.example"},
		{name: "nothing", host: "collect.example"},
	}
	for _, tt := range tests {
		x := explainerOf(tt.scope)
		f := &event.Fields{}
		if tt.args != "" {
			x.run.Before(requested("c1", "t", tt.args))
			f.Call = "c1"
		}
		if got := x.Host(f, tt.host); got.By != tt.want || got.Reason == "" {
			t.Errorf("%s: %+v", tt.name, got)
		}
	}
}

// A value that the server proposed explains contact with the host and no more.
// The schema is documentation; a value that it made us send adds nothing to that.
func TestExplainHostProposed(t *testing.T) {
	scope := declared.Scope{Tools: map[string]mcpsf.Tool{"t": {Name: "t", InputSchema: []byte(`{"properties":{"u":{"default":"https://site.example/x"}}}`)}}}
	x := explainerOf(scope)
	e := requested("c1", "t", `{"u":"https://site.example/x","id":"told.example"}`)
	e.MCP.ServerValues = mcpsf.ServerValues{{Pointer: "/arguments/u", From: mcpsf.OriginDefault}, {Pointer: "/arguments/id", From: mcpsf.OriginResult}}
	x.run.Before(e)
	if got := x.Host(decoy("c1", "", ""), "site.example"); got.By != declared.ByDocument {
		t.Errorf("%+v", got)
	}
	if got := x.Host(decoy("c1", "", ""), "told.example"); got.By != declared.ByServer {
		t.Errorf("%+v", got)
	}
}
