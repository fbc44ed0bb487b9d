package history

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/rules/declared"
)

func TestParametersInOddMessages(t *testing.T) {
	const given = `{"name":"fetch","arguments":{"url":"https://a.example/"}}`
	call := `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":` + given + `}`
	for _, tt := range []struct{ name, text, want string }{
		{"a call and its cancellation", call + "\n" + `{"method":"notifications/cancelled","params":{"requestId":2}}`, given},
		{"behind a request that gives nothing", `{"id":2,"method":"ping","params":{}}` + "\n" + call, given},
		{"in a list", `[{"id":1,"method":"ping"},` + call + `]`, given},
		{"a resource", `{"params":{"uri":"docs://a"}}` + "\n{}", `{"uri":"docs://a"}`},
		{"half a message", call[:len(call)-9], ""},
		{"parameters that are none", `{"params":[1]}` + "\n" + `{"params":7}` + "\nnull\n[null]", ""},
		{"nested without end", strings.Repeat("[", 5000) + call, ""},
		{"nothing", "", ""},
	} {
		body, err := json.Marshal(tt.text)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(inText(body)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	if got := inText(json.RawMessage(`"\ud800`)); got != nil {
		t.Errorf("what is no JSON has the parameters %s", got)
	}
}

// For a truncated call the arguments of an ordinary call of the same tool are
// used, never those of an attack.
func TestUsualParameters(t *testing.T) {
	r := New(declared.New(declared.Scope{})).Calls
	attack := &mcpsf.AttackDetail{Class: "overlong-input"}
	cut := &mcpsf.MCPDetail{Tool: "send", Body: json.RawMessage(`"{\"arguments\":{\"body\":\"aaaa"`), Truncated: true, Attack: attack}
	if got := string(r.paramsOf(cut).params); got != string(cut.Body) {
		t.Errorf("before any other call: %s", got)
	}
	r.paramsOf(&mcpsf.MCPDetail{Tool: "send", Body: json.RawMessage(`{"arguments":{"to":"x"}}`), Attack: attack})
	if got := string(r.paramsOf(cut).params); got != string(cut.Body) {
		t.Errorf("after an attack: %s", got)
	}
	usual := `{"arguments":{"to":"a@b.example"}}`
	r.paramsOf(&mcpsf.MCPDetail{Tool: "send", Body: json.RawMessage(usual)})
	if got := string(r.paramsOf(cut).params); got != usual {
		t.Errorf("after an ordinary call: %s", got)
	}
	r.paramsOf(&mcpsf.MCPDetail{Tool: "send", Body: json.RawMessage(usual), ServerValues: mcpsf.ServerValues{{Pointer: "/arguments/to", From: mcpsf.OriginDefault}}})
	if got := r.paramsOf(cut).server.At("/arguments/to"); got != mcpsf.OriginDefault {
		t.Errorf("the default of the ordinary call is now by %q", got)
	}
	if c := (&Call{Params: json.RawMessage(usual), Size: 90_000}); !c.IsCut() {
		t.Error("a call of 90000 bytes is taken to be all there")
	}
	if c := (&Call{Params: json.RawMessage(usual), Size: int64(len(usual)) + 60}); c.IsCut() {
		t.Error("a call that is all there is taken to be cut")
	}
}

// A host that the server made us send is not one that the caller named.
func TestServerHostsAreNoExcuse(t *testing.T) {
	for from, want := range map[mcpsf.ValueOrigin]bool{"": true, mcpsf.OriginResult: false, mcpsf.OriginDefault: false, mcpsf.OriginAgent: false} {
		ask := &mcpsf.MCPDetail{Tool: "add", Body: json.RawMessage(`{"arguments":{"feed":"https://a.example/"}}`)}
		if from != "" {
			ask.ServerValues = mcpsf.ServerValues{{Pointer: "/arguments/feed", From: from}}
		}
		r := New(declared.New(declared.Scope{})).Calls
		r.paramsOf(ask)
		if _, ok := r.Memory.Earlier.Find("a.example"); ok != want {
			t.Errorf("made by %q: the host counts as named by the caller: %v", from, ok)
		}
	}
}
