package shape

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

// A declared operation counts alone: for its method and path only, with its status,
// without the members that must not be there, and with whole numbers.
func TestDeclaredOperation(t *testing.T) {
	e := New()
	e.Expect(mcpsf.ExpectedAnswer{Method: "POST", Path: "/v1/items", Status: 201, Shape: &mcpsf.Shape{Type: "object", Closed: true, Members: map[string]*mcpsf.Shape{
		"_id": kind("string"), "amount": {Type: "number", Format: "integer"}, "error": {Absent: true}, "next": {Type: "string", Required: true},
	}}})
	e.Expect(mcpsf.ExpectedAnswer{Method: "GET", Path: "/v1/items", Shape: list(obj(map[string]*mcpsf.Shape{"_id": kind("string")}))})
	e.Expect(mcpsf.ExpectedAnswer{Path: "/v1/items", Shape: obj(map[string]*mcpsf.Shape{"read": kind("string")})})
	e.Expect(mcpsf.ExpectedAnswer{Host: "api.example", Shape: obj(map[string]*mcpsf.Shape{"elsewhere": kind("string")})})

	made := e.Complete(asked("POST", "api.example", "/v1/items"), map[string]any{"ok": true, "amount": json.Number("1.5"), "error": "x"})
	text := asText(t, made)
	for _, unwanted := range []string{`"ok"`, `"error"`, `"read"`, `"elsewhere"`, "1.5"} {
		if strings.Contains(text, unwanted) {
			t.Errorf("%s in %s", unwanted, text)
		}
	}
	if !fits("string", at(t, made, "_id")) || asText(t, at(t, made, "next")) != `""` || strings.Contains(asText(t, at(t, made, "amount")), ".") {
		t.Error(text)
	}
	if _, ok := e.Complete(asked("GET", "api.example", "/v1/items"), map[string]any{}).([]any); !ok {
		t.Error("GET is answered like POST")
	}
	if r := e.Reply(asked("POST", "api.example", "/v1/items")); r.Status != 201 {
		t.Errorf("status %d", r.Status)
	}
	if again := asText(t, e.Complete(asked("POST", "api.example", "/v1/items"), map[string]any{})); again != text {
		t.Errorf("%s, then %s", text, again)
	}
}
