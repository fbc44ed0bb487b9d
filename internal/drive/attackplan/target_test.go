package attackplan

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/attack"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
	"github.com/mcpsf/mcpsf/internal/drive/protocol"
)

// various is the session of a server with every kind of input.
func various() *mcpsf.Session {
	return &mcpsf.Session{
		Capabilities: json.RawMessage(`{"completions":{}}`),
		Tools:        []mcpsf.Tool{{Name: "read", InputSchema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`)}},
		Templates:    []mcpsf.Template{{URI: "docs://{name}"}, {URI: "static://page"}},
		Resources:    []mcpsf.Resource{{URI: "docs://readme.md"}, {URI: "mysql://products/data"}, {URI: "mysql://orders/data"}, {URI: "not an address"}},
		Prompts:      []mcpsf.Prompt{{Name: "review", Raw: json.RawMessage(`{"arguments":[{"name":"branch","description":"Name of the branch"},{"name":7},3]}`)}},
	}
}

func TestTargets(t *testing.T) {
	var got []string
	for _, x := range targets(various()) {
		got = append(got, x.method+" "+x.Tool.Name+" "+string(x.worked.JSON))
	}
	want := []string{
		"tools/call read ",
		`resources/read resource docs://{name} {"name":"readme.md"}`,
		"resources/read resource static://page ",
		"prompts/get prompt review ",
		`resources/read resource mysql://products/data {"piece1":"products","piece2":"data"}`,
		`completion/complete completion of resource docs://{name} {"name":"readme.md"}`,
		"completion/complete completion of resource static://page ",
		"completion/complete completion of prompt review ",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	s := various()
	s.Capabilities = nil
	if names := Inputs(s); len(names) != 4 || slices.ContainsFunc(names, func(x mcpsf.Tool) bool { return !mcpsf.IsNoTool(x.Name) }) {
		t.Errorf("%v", names)
	}
}

// Every input is attacked, addresses in both forms, and each request contains
// its payload.
func TestCallsAtOtherInputs(t *testing.T) {
	plan := Plan{World: attack.New(1), Values: meaning.Values{Dir: "/srv"}, Seed: 1, Most: 5000}
	made := map[string]int{}
	first := ""
	for _, call := range plan.Calls(various()) {
		_, params := call.Request(call.Arguments, &call.Attack)
		body, err := json.Marshal(params)
		if err != nil {
			t.Fatal(err)
		}
		if first == "" {
			first = call.Tool
		}
		how := call.Tool + " " + call.Attack.Place
		if call.Attack.Encoded {
			how += " encoded"
		}
		made[how]++
		if call.Attack.Class == "path-traversal" && call.Attack.Why == "climbing out" {
			climbs := strings.Contains(string(body), "../..")
			if climbs == call.Attack.Encoded || call.Attack.Encoded && !strings.Contains(string(body), "..%2F..") {
				t.Errorf("%s: %s", how, body)
			}
		}
		if call.Attack.Sign == mcpsf.SignEcho && call.Attack.Class != attack.ClassLog && mcpsf.IsNoTool(call.Tool) {
			t.Errorf("%s: what is repeated proves nothing", how)
		}
	}
	for _, how := range []string{
		"read /path", "resource docs://{name} /name", "resource docs://{name} /name encoded", "prompt review /branch",
		"resource mysql://products/data /piece1", "resource mysql://products/data /piece2 encoded",
		"completion of resource docs://{name} /name", "completion of prompt review /branch",
	} {
		if made[how] == 0 {
			t.Errorf("nothing was tried at %s", how)
		}
	}
	if first != "read" {
		t.Errorf("%s comes before the tool", first)
	}
	if made["completion of prompt review /branch"] >= made["prompt review /branch"] {
		t.Error("as much is tried at what completes a prompt as at the prompt")
	}
}

func TestCompletionParams(t *testing.T) {
	review := &target{method: protocol.MethodPrompt, name: "review"}
	complete := &target{method: protocol.MethodComplete, of: review}
	got, ok := complete.params(&mcpsf.AttackDetail{Place: "/a~1b"}, json.RawMessage(`{"a/b":"x","c":"y"}`))
	want := map[string]any{
		"ref":      map[string]string{"type": "ref/prompt", "name": "review"},
		"argument": map[string]string{"name": "a/b", "value": "x"},
		"context":  map[string]any{"arguments": map[string]string{"c": "y"}},
	}
	if diff := cmp.Diff(want, got); diff != "" || !ok {
		t.Error(diff)
	}
	for _, method := range []string{protocol.MethodComplete, protocol.MethodRead} {
		if _, ok := (&target{method: method, of: review}).params(&mcpsf.AttackDetail{}, json.RawMessage(`{"a":[1]}`)); ok {
			t.Errorf("a list is said in %s", method)
		}
	}
}
