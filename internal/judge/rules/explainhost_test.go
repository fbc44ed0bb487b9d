package rules

import (
	"testing"

	"github.com/mcpsf/mcpsf"
)

// Who names a host, and who only seems to.
func TestExplainHost(t *testing.T) {
	tests := []struct {
		name  string
		scope Scope
		args  string
		host  string
		want  by
	}{
		{name: "an argument", args: `{"u":"https://site.example/x"}`, host: "site.example", want: byArgument},
		{name: "its neighbour", args: `{"u":"https://site.example/x"}`, host: "www.site.example", want: byArgument},
		{name: "a bare name deep inside", args: `{"a":[{"b":"ping host.site.example now"}]}`, host: "host.site.example", want: byArgument},
		{name: "an address", args: `{"u":"http://192.0.2.7:8080/"}`, host: "192.0.2.7", want: byArgument},
		{name: "another address", args: `{"u":"http://192.0.2.7:8080/"}`, host: "192.0.2.8"},
		{name: "another customer of the same provider", args: `{"u":"https://one.github.io/"}`, host: "two.github.io"},
		{name: "a name that only ends the same", args: `{"u":"https://site.example/"}`, host: "evilsite.example"},
		{name: "a name that only begins the same", args: `{"u":"https://site.example/"}`, host: "site.example.evil.test"},
		{name: "the command line", scope: Scope{Command: []string{"node", "--api=https://api.corp.example"}}, host: "api.corp.example", want: byConfiguration},
		{name: "a variable", scope: Scope{Env: []string{"PGHOST=db.corp.example"}}, host: "db.corp.example", want: byConfiguration},
		{name: "a variable of every machine", scope: Scope{Env: []string{"HOME=/home/x.example"}}, host: "x.example"},
		{name: "the documentation", scope: Scope{Hosts: []string{"docs.foo.example"}}, host: "api.foo.example", want: byDocument},
		{name: "a tool", scope: Scope{Tools: map[string]mcpsf.Tool{"t": {Name: "t", Description: "Asks api.foo.example."}}}, host: "api.foo.example", want: byDocument},
		{name: "the package", scope: Scope{Name: "github-mcp-server"}, host: "api.github.com", want: byName},
		{name: "the scope of the package", scope: Scope{Name: "@notionhq/notion-mcp"}, host: "api.notion.com", want: byName},
		{name: "what the server calls itself", scope: Scope{Name: "x exa-search"}, host: "api.exa.ai", want: byName},
		{name: "two words", scope: Scope{Name: "x", Description: "Bright Data for agents"}, host: "api.brightdata.com", want: byName},
		{name: "a name with a hyphen", scope: Scope{Name: "open-meteo-mcp"}, host: "api.open-meteo.com", want: byName},
		{name: "a tail", scope: Scope{Name: "voyage-mcp"}, host: "api.voyageai.com", want: byName},
		{name: "a head", scope: Scope{Name: "postman-mcp"}, host: "api.getpostman.com", want: byName},
		{name: "the name of a credential", scope: Scope{Env: []string{"TAVILY_API_KEY=x"}}, host: "api.tavily.com", want: byName},
		{name: "another name of the service", scope: Scope{Env: []string{"GEMINI_API_KEY=x"}}, host: "generativelanguage.googleapis.com", want: byName},
		{name: "a cloud", scope: Scope{Env: []string{"AWS_REGION=eu-west-1"}}, host: "s3.eu-west-1.amazonaws.com", want: byName},
		{name: "a well-known name with another ending", scope: Scope{Name: "github-mcp-server"}, host: "api.github.test"},
		{name: "a well-known name with a tail", scope: Scope{Name: "github-mcp-server"}, host: "github-cdn.example"},
		{name: "a well-known name in front of another", scope: Scope{Name: "github-mcp-server"}, host: "github.com.evil.example"},
		{name: "an ordinary word of the description", scope: Scope{Name: "notes", Description: "Collects data and logs"}, host: "collect.example"},
		{name: "ordinary words", scope: Scope{Name: "mcp-server-tools", Description: "an api for data"}, host: "api.data.example"},
		{name: "a short word of the description", scope: Scope{Description: "it is an agent for all"}, host: "all.example"},
		{name: "nothing", host: "collect.example"},
	}
	for _, tt := range tests {
		x := explainerOf(tt.scope)
		f := &fields{}
		if tt.args != "" {
			x.run.before(requested("c1", "t", tt.args))
			f.Call = "c1"
		}
		if got := x.explainHost(f, tt.host); got.by != tt.want || got.reason == "" {
			t.Errorf("%s: %+v", tt.name, got)
		}
	}
}

// A value that the server put into the caller's mouth explains talking and no
// more.
func TestExplainHostProposed(t *testing.T) {
	scope := Scope{Tools: map[string]mcpsf.Tool{"t": {Name: "t", InputSchema: []byte(`{"properties":{"u":{"default":"https://site.example/x"}}}`)}}}
	x := explainerOf(scope)
	x.run.before(requested("c1", "t", `{"u":"https://site.example/x"}`))
	if got := x.explainHost(decoy("c1", "", ""), "site.example"); got.by == byNobody || got.by >= byName {
		t.Errorf("%+v", got)
	}
}
