package shape

import (
	"slices"
	"testing"

	"github.com/mcpsf/mcpsf"
)

// TestTurns has a value that a program tells apart: each element of a list has another
// one, and the same request gets the same answer again.
func TestTurns(t *testing.T) {
	for _, tt := range []struct {
		name     string
		accepted []string
		required bool
		want     any // in each answer
		inList   []any
	}{
		{"what is good comes first", []string{"pending", "weird", "done"}, false, "done", []any{"done", "weird", "pending"}},
		{"the usual value comes first", []string{"pending"}, false, "active", []any{"active", "pending"}},
		{"only that", []string{"pending"}, true, "pending", []any{"pending", "pending"}},
		{"one good word", []string{"NEW"}, false, "NEW", []any{"NEW", "NEW"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := New()
			s := &mcpsf.Shape{Type: "string", Accepted: tt.accepted, Required: tt.required}
			e.Expect(mcpsf.ExpectedAnswer{Host: "a.example", Shape: obj(map[string]*mcpsf.Shape{"status": s, "all": list(obj(map[string]*mcpsf.Shape{"status": s}))})})
			for range 2 {
				v := e.Complete(asked("GET", "a.example", "/v1/one"), map[string]any{"status": "ready"})
				if got := at(t, v, "status"); got != tt.want {
					t.Errorf("%v", got)
				}
				var inList []any
				for _, x := range at(t, v, "all").([]any) {
					inList = append(inList, at(t, x, "status"))
				}
				if !slices.Equal(inList, tt.inList) {
					t.Errorf("in a list: %v", inList)
				}
			}
		})
	}
}

// TestReplies has what is expected of an answer beside its JSON.
func TestReplies(t *testing.T) {
	e := New()
	e.Expect(mcpsf.ExpectedAnswer{Host: "a.example", Path: "/v1/{}", Method: "PUT", Status: 201})
	e.Expect(mcpsf.ExpectedAnswer{Host: "a.example", Path: "/v1/{}", Status: 404, Headers: map[string]*mcpsf.Shape{
		"x-total": kind("number"), "etag": {}, "set-cookie": {}, "content-length": kind("number"), "transfer-encoding": {}, "x-a b": {}, "x-kind": kind("string", "plain", "http://evil.example/"),
	}})
	e.Expect(mcpsf.ExpectedAnswer{Host: "a.example", Path: "/feed", Format: "xml", Shape: obj(map[string]*mcpsf.Shape{"item": list(obj(map[string]*mcpsf.Shape{"title": obj(map[string]*mcpsf.Shape{"text": {}}), "../x": {}}))})})
	r := asked("PUT", "a.example", "/v1/5")
	got := e.Reply(r)
	names := make([]string, 0, len(got.Headers))
	for _, h := range got.Headers {
		names = append(names, h[0])
	}
	if got.Status != 201 || !slices.Equal(names, []string{"etag", "x-kind", "x-total"}) || got.Headers[1][1] != "plain" {
		t.Errorf("%+v", got)
	}
	if got := e.Reply(asked("GET", "a.example", "/v1/5")); got.Status != 0 {
		t.Errorf("another method: %+v", got)
	}
	r = asked("GET", "a.example", "/feed")
	kind, body := e.Document(r, e.Reply(r))
	if kind != "application/xml; charset=utf-8" || !isXML(body) {
		t.Errorf("%s %s", kind, body)
	}
	if kind, _ := e.Document(asked("GET", "a.example", "/v1/5"), e.Reply(asked("GET", "a.example", "/v1/5"))); kind != "" {
		t.Errorf("JSON became %s", kind)
	}
}
