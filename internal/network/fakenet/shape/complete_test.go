package shape

import (
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

// obj and list write shapes shortly.
func obj(members map[string]*mcpsf.Shape) *mcpsf.Shape {
	return &mcpsf.Shape{Type: "object", Members: members}
}

func list(element *mcpsf.Shape) *mcpsf.Shape { return &mcpsf.Shape{Type: "array", Element: element} }

func kind(name string, accepted ...string) *mcpsf.Shape {
	return &mcpsf.Shape{Type: name, Accepted: accepted}
}

// at is the value at a path of names.
func at(t testing.TB, v any, path ...string) any {
	t.Helper()
	got, ok := valueAt(v, path)
	if !ok {
		t.Fatalf("nothing at %v in %s", path, asText(t, v))
	}
	return got
}

func TestGeocodingIsOK(t *testing.T) {
	e := New()
	v := e.Complete(asked("GET", "maps.googleapis.com", "/maps/api/geocode/json"), map[string]any{"status": "ready"})
	if at(t, v, "status") != "OK" || !fits(number, at(t, v, "results", "0", "geometry", "location", "lat")) {
		t.Error(asText(t, v))
	}
}

func TestSourceSaysWhatIsRead(t *testing.T) {
	e := New()
	e.Expect(mcpsf.ExpectedAnswer{Host: "api.shop.example", Path: "/v1/orders/{}", Shape: obj(map[string]*mcpsf.Shape{
		"data": obj(map[string]*mcpsf.Shape{"children": list(obj(map[string]*mcpsf.Shape{"owner_id": kind("string"), "price": kind("number"), "html_url": kind("string"), "email": {}}))}),
		"code": kind("string", "ERROR", "DONE"), "is_paid": kind("boolean"), "created_at": {}, "lat": {}, "currency": {},
	})})
	v := e.Complete(asked("GET", "api.shop.example", "/v1/orders/77"), map[string]any{"data": map[string]any{"kept": "yes"}, "code": 3})
	text := asText(t, v)
	for _, want := range []string{`"kept":"yes"`, `"code":"DONE"`, `"is_paid":true`, `"currency":"USD"`, `"created_at":"20`, `"html_url":"https://api.shop.example/items/`, `@example.com"`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
	children := at(t, v, "data", "children").([]any)
	if len(children) != 2 || asText(t, children[0]) == asText(t, children[1]) {
		t.Errorf("children: %s", asText(t, children))
	}
	if other := e.Complete(asked("GET", "other.example", "/v1/orders/77"), map[string]any{}); asText(t, other) != "{}" {
		t.Errorf("another host: %s", asText(t, other))
	}
}

func TestWhichExpectationCounts(t *testing.T) {
	e := New()
	member := func(name string) *mcpsf.Shape { return obj(map[string]*mcpsf.Shape{name: kind("string")}) }
	e.Expect(mcpsf.ExpectedAnswer{Shape: member("anywhere")})
	e.Expect(mcpsf.ExpectedAnswer{Host: "a.example", Shape: member("host")})
	e.Expect(mcpsf.ExpectedAnswer{Path: "/users/{}", Shape: member("tail")})
	for _, tt := range []struct{ host, path, want, not string }{
		{"b.example", "/x", "anywhere", "host"}, {"a.example", "/x", "host", "tail"},
		{"b.example", "/api/v2/users/5", "tail", "anywhere"}, {"a.example", "/users/5", "tail", "anywhere"},
	} {
		text := asText(t, e.Complete(asked("GET", tt.host, tt.path), map[string]any{}))
		if !strings.Contains(text, tt.want) || strings.Contains(text, tt.not) {
			t.Errorf("%s%s: %s", tt.host, tt.path, text)
		}
	}
	tried(e, asked("GET", "b.example", "/x"), map[string]any{}, missing("string", "learned"))
	if text := asText(t, e.Complete(asked("GET", "b.example", "/x"), map[string]any{})); !strings.Contains(text, "anywhere") || !strings.Contains(text, "learned") {
		t.Errorf("learning made forget: %s", text)
	}
	e.Expect(mcpsf.ExpectedAnswer{Host: "localhost:3000", Shape: member("port")})
	if text := asText(t, e.Complete(asked("GET", "localhost", "/x"), map[string]any{})); !strings.Contains(text, "port") {
		t.Errorf("with a port: %s", text)
	}
	if v := e.Complete(asked("GET", "c.example", "/x"), []any{}); asText(t, v) != "[]" {
		t.Errorf("a list became %s", asText(t, v))
	}
}

// TestRecordsExistAgain asks for the records that a list shows.
func TestRecordsExistAgain(t *testing.T) {
	e := New()
	issue := func(v any, path ...string) string { return asText(t, at(t, v, path...)) }
	all := e.Complete(asked("GET", "api.github.com", "/repos/a/b/issues"), nil)
	id := issue(all, "0", "number")
	one := e.Complete(asked("GET", "api.github.com", "/repos/a/b/issues/"+id), nil)
	for _, name := range []string{"number", "title", "created_at", "user"} {
		if issue(all, "0", name) != issue(one, name) {
			t.Errorf("%s: %s in the list, %s by itself", name, issue(all, "0", name), issue(one, name))
		}
	}
	made := e.Complete(asked("POST", "api.github.com", "/repos/a/b/issues"), nil)
	if issue(made, "number") != id {
		t.Errorf("created %s, the list has %s", issue(made, "number"), id)
	}
	if strings.Contains(asText(t, e.Complete(asked("GET", "api.github.com", "/repos/a/b/issues/987654"), nil)), "987654") {
		t.Error("an id that is not ours was repeated")
	}
	page := at(t, e.Complete(asked("POST", "api.notion.com", "/v1/search"), nil), "results", "0", "id").(string)
	if !isUUID.MatchString(page) {
		t.Errorf("no uuid: %s", page)
	}
}

func TestLaterPagesAreEmpty(t *testing.T) {
	r := asked("GET", "api.github.com", "/repos/a/b/issues")
	r.Later = true
	if v := New().Complete(r, []any{}); asText(t, v) != "[]" {
		t.Error(asText(t, v))
	}
}

func TestFileIsBase64(t *testing.T) {
	v := New().Complete(asked("GET", "api.github.com", "/repos/a/b/contents/docs/x.md"), nil)
	if at(t, v, "encoding") != "base64" || !isBase64(at(t, v, "content").(string)) {
		t.Error(asText(t, v))
	}
}

// TestNothingOfTheRequestComesBack puts a secret into everything that a request
// has, but for the host of its URLs.
func TestNothingOfTheRequestComesBack(t *testing.T) {
	e := New()
	e.Expect(mcpsf.ExpectedAnswer{Shape: obj(map[string]*mcpsf.Shape{"url": kind("string"), "path": kind("string"), "items": list(nil)})})
	for _, host := range []string{"api.github.com", "a.example", "api.stripe.com", "maps.googleapis.com"} {
		for _, path := range []string{"/repos/SECRET/b", "/SECRET", "/v1/customers/SECRET", "/maps/api/place/SECRET/json", "/repos/a/b/contents/SECRET"} {
			if text := asText(t, e.Complete(asked("GET", host, path), map[string]any{})); strings.Contains(text, "SECRET") {
				t.Errorf("%s%s: %s", host, path, text)
			}
		}
	}
}

func TestNoAddressOfAStranger(t *testing.T) {
	e := New()
	e.Expect(mcpsf.ExpectedAnswer{Shape: obj(map[string]*mcpsf.Shape{
		"a@evil.example": kind("string"), "__proto__": obj(map[string]*mcpsf.Shape{"x": {}}), "../etc": kind("string"), "ssh_url": kind("string"), "email": kind("string"),
		"to": kind("string", "thief@evil.example", "/etc/passwd", "evil.example"), "@type": kind("string"),
	})})
	text := asText(t, e.Complete(asked("GET", "evil.example", "/x"), map[string]any{}))
	for _, bad := range []string{"@evil", "__proto__", "etc", `"evil.example"`} {
		if strings.Contains(text, bad) {
			t.Errorf("%s in %s", bad, text)
		}
	}
	if !strings.Contains(text, `"@type"`) || !strings.Contains(text, "@example.com") {
		t.Error(text)
	}
}

// TestNoErrorIsMadeUp has a program that reads an error to see whether there is
// one, and one whose schema demands it.
func TestNoErrorIsMadeUp(t *testing.T) {
	e, r := New(), asked("GET", "a.example", "/v1/one")
	e.Expect(mcpsf.ExpectedAnswer{Host: "a.example", Shape: obj(map[string]*mcpsf.Shape{"error": obj(map[string]*mcpsf.Shape{"message": {}}), "errors": list(nil), "ok": {}, "code": {}})})
	if text := asText(t, e.Complete(r, map[string]any{})); text != `{"code":0,"ok":true}` {
		t.Error(text)
	}
	tried(e, r, map[string]any{}, missing("array", "errors"), missing("string", "error_message"))
	if text := asText(t, e.Complete(r, map[string]any{})); text != `{"code":0,"error_message":"","errors":[],"ok":true}` {
		t.Error(text)
	}
}
