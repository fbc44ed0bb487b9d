package host

import (
	"encoding/json"
	"strings"
	"testing"
)

// graphAsked is the data of the answer to a query.
func graphAsked(t testing.TB, query string, variables map[string]any) map[string]any {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		t.Fatal(err)
	}
	a, _ := asked(t, New(testOptions(t)), "POST https://api.example/graphql", "Content-Type: application/json", "", string(body))
	var got struct {
		Data   map[string]any
		Errors []any
	}
	if err := json.Unmarshal(a.Shown, &got); err != nil {
		t.Fatalf("%v: %.200s", err, a.Shown)
	}
	return got.Data
}

// graphShape writes a value as its types, which clients rely on.
func graphShape(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return "bool"
	case float64:
		return "number"
	case string:
		return "string"
	case []any:
		if len(v) == 0 {
			return "[]"
		}
		return "[" + graphShape(v[0]) + "]"
	case map[string]any:
		var parts []string
		for key, value := range v {
			parts = append(parts, key+":"+graphShape(value))
		}
		for i := range parts { // few parts: a simple sort is enough
			for j := range parts[:i] {
				if parts[i] < parts[j] {
					parts[i], parts[j] = parts[j], parts[i]
				}
			}
		}
		return "{" + strings.Join(parts, " ") + "}"
	}
	return "?"
}

func TestGraph(t *testing.T) {
	for _, tt := range []struct{ name, query, want string }{
		{"scalars", "{ schema viewer { id name isAdmin createdAt } }", "{schema:string viewer:{createdAt:string id:string isAdmin:bool name:string}}"},
		{"alias", "query { me: viewer { mail: email } }", "{me:{mail:string}}"},
		{"list", `query Q($n: Int! = 10, $f: [X!] = {a: "}"}) @live { issues(first: $n, filter: {a: "{)", b: [1, 2]}) { id title labels } }`, "{issues:[{id:string labels:[] title:string}]}"},
		{"connection", "{ issues(first: 2) { nodes { id } pageInfo { hasNextPage endCursor } totalCount } }", "{issues:{nodes:[{id:string}] pageInfo:{endCursor:null hasNextPage:bool} totalCount:number}}"},
		{"edges", "{ repositories { edges { cursor node { name stargazerCount } } } }", "{repositories:{edges:[{cursor:string node:{name:string stargazerCount:number}}]}}"},
		{"fragments", "query { viewer { ...F ... on User { email } ... @include(if: true) { bio } } } fragment F on User { id ...G } fragment G on User { login }", "{viewer:{bio:string email:string id:string login:string}}"},
		{"typename", "{ node(id: 1) { __typename ... on Issue { title } } }", "{node:{__typename:string title:string}}"},
		{"mutation", `mutation { createIssue(input: {title: """a "b" {"""}) { success issue { id url } userErrors { message } } }`, "{createIssue:{issue:{id:string url:string} success:bool userErrors:[]}}"},
		{"no selection", "mutation { deleteIssue(id: 3) }", "{deleteIssue:bool}"},
		{"comments", "# first {\n{ a # b\n c }", "{a:string c:string}"},
		{"merged", "{ viewer { id } viewer { name } }", "{viewer:{id:string name:string}}"},
		{"cycle", "{ a { ...F } } fragment F on A { b ...F ...F }", "{a:{b:string}}"},
		{"type", `{ __type(name: "Item") { name kind fields { name type { name ofType { name } } } } }`, "{__type:{fields:[{name:string type:{name:null ofType:{name:string}}}] kind:string name:string}}"},
		{"no type", `query($n: String!) { __type(name: $n) { name } }`, "{__type:null}"},
		{"unfinished", "{ viewer { id", "{viewer:{id:string}}"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := graphShape(graphAsked(t, tt.query, map[string]any{"n": "Nobody"})); got != tt.want {
				t.Errorf("\n got %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestGraphOperationName(t *testing.T) {
	h := New(testOptions(t))
	a, _ := asked(t, h, "POST https://a.example/graphql", "", `{"query":"query A { a } query B { b }","operationName":"B"}`)
	if !strings.HasPrefix(string(a.Shown), `{"data":{"b":`) {
		t.Errorf("%s", a.Shown)
	}
	a, _ = asked(t, h, "POST https://a.example/graphql", "", `[{"query":"{a}"},{"query":"{b}"}]`)
	if !strings.HasPrefix(string(a.Shown), `[{"data":{"a":`) {
		t.Errorf("%s", a.Shown)
	}
	a, _ = asked(t, h, "POST https://a.example/graphql", "", `{"extensions":{"persistedQuery":{"version":1}}}`)
	if !strings.Contains(string(a.Shown), `PERSISTED_QUERY_NOT_FOUND`) {
		t.Errorf("%s", a.Shown)
	}
}

// TestGraphElsewhere recognises GraphQL by the body, and no other requests.
func TestGraphElsewhere(t *testing.T) {
	h := New(testOptions(t))
	for body, graph := range map[string]bool{
		`{"query":"query { boards (ids: 1) { name } }"}`: true,
		`{"query":"{ me { id } }"}`:                      true,
		`{"query":"cheap flights"}`:                      false,
		`{"query":{"match":{"a":"b"}}}`:                  false,
		`{"query":"SELECT a FROM b"}`:                    false,
		`{"query":"a{b}"}`:                               true, // looks like a selection
	} {
		a, _ := asked(t, h, "POST https://api.example/v2", "", body)
		if got := strings.HasPrefix(string(a.Shown), `{"data":{`); got != graph {
			t.Errorf("%s: %s", body, a.Shown)
		}
	}
	for _, body := range []string{"", "{", "null", "[]", "7", `{"query":7}`} {
		if a, _ := asked(t, h, "POST https://a.example/graphql", "", body); a.Status != 200 || !json.Valid(a.Shown) {
			t.Errorf("%q: %d %s", body, a.Status, a.Shown)
		}
	}
}

// TestGraphIntrospection has a real GraphQL client read the schema.
func TestGraphIntrospection(t *testing.T) {
	needsPython(t, "graphql")
	w := start(t, nil, "localhost", 443)
	out, err := w.tool(t, "", "python3", "-c", `
import json, ssl, sys, urllib.request
from graphql import get_introspection_query, build_client_schema, print_schema, parse, validate
def ask(q): return json.load(urllib.request.urlopen(urllib.request.Request("https://localhost:$PORT/graphql", json.dumps({"query": q}).encode(), {"Content-Type": "application/json"})))["data"]
s = build_client_schema(ask(get_introspection_query(descriptions=True, specified_by_url=True, input_value_deprecation=True)))
assert "createItem(input: ItemInput!): Item" in print_schema(s), print_schema(s)
q = "{ viewer { id name email } items(first: 2) { id status createdAt } item(id: 1) { name description } }"
assert not validate(s, parse(q))
d = ask(q)
assert isinstance(d["items"], list) and d["viewer"]["name"] and d["item"]["name"], d
print("fine")
`)
	if err != nil || out != "fine\n" {
		t.Errorf("%v: %s", err, out)
	}
}

func FuzzGraph(f *testing.F) {
	for _, seed := range []string{
		"{a}", "query Q($a: B = 1) @x(y: z) { a: b(c: \"d\") @e { ...F ... on G { h } } } fragment F on I { j ...F }", "{{{{", "}}}}", "(((", "\"\"\"", "{a:", "{...", "{a(", "@", "...on", "fragment", "{__schema{types{...T}}}fragment T on __Type{name ofType{...T}}",
		strings.Repeat("{a", 5000), "{" + strings.Repeat("items{", 30), "{" + strings.Repeat("a ", 9000) + "}",
		"{...A} fragment A on X {...A ...A items {...A ...A}}",
	} {
		f.Add(seed)
	}
	h := New(&Options{Seed: 1})
	f.Fuzz(func(t *testing.T, query string) {
		a, _ := asked(t, h, "POST https://a.example/graphql", "Content-Type: application/graphql", "", query)
		if !json.Valid(a.Shown) {
			t.Errorf("%q: %.200s", query, a.Shown)
		}
		if len(a.Shown) > 4<<20 {
			t.Errorf("%d bytes", len(a.Shown))
		}
	})
}
