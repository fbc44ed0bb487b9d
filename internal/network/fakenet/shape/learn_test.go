package shape

import (
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

// tried is a server's call: a request, and a refusal about its answer.
func tried(e *Expectations, r *Request, value any, wishes ...mcpsf.Wish) bool {
	e.Begin()
	e.Complete(r, value)
	return e.Learn(wishes)
}

func missing(kind string, path ...string) mcpsf.Wish {
	return mcpsf.Wish{Kind: mcpsf.WishMissing, Path: path, Type: kind}
}

func TestLearnPath(t *testing.T) {
	e, r := New(), asked("GET", "api.a.example", "/v1/search/things")
	base := func() any { return map[string]any{"status": "ready", "junk": 1, "key": "x"} }
	if !tried(e, r, base(),
		missing("string", "items", "0", "owner", "avatar_url"), missing("number", "items", "0", "id"), missing("boolean", "items", "1", "private"),
		mcpsf.Wish{Kind: mcpsf.WishOneOf, Path: []string{"status"}, Accepted: []string{"OK"}}, mcpsf.Wish{Kind: mcpsf.WishFormat, Path: []string{"key"}, Type: "uuid"},
		mcpsf.Wish{Kind: mcpsf.WishUnexpected, Path: []string{"junk"}}) {
		t.Fatal("nothing was learned")
	}
	v := e.Complete(r, base())
	if !strings.HasPrefix(at(t, v, "items", "0", "owner", "avatar_url").(string), "https://api.a.example/") || at(t, v, "status") != "OK" {
		t.Error(asText(t, v))
	}
	if _, there := valueAt(v, []string{"junk"}); there || !isUUID.MatchString(at(t, v, "key").(string)) {
		t.Error(asText(t, v))
	}
	items := at(t, v, "items").([]any)
	if len(items) != 2 || asText(t, at(t, items[0], "id")) == asText(t, at(t, items[1], "id")) {
		t.Errorf("items: %s", asText(t, items))
	}
}

// A member of a list is one of its elements: they are checked one by one.
func TestLearnPathInElements(t *testing.T) {
	e, r := New(), asked("POST", "api.a.example", "/v1/database/query")
	rows := func() any { return []any{map[string]any{"id": 1}} }
	if !tried(e, r, rows(), missing("string", "schema"), missing("boolean", "rls_enabled")) {
		t.Fatal("nothing was learned")
	}
	v := e.Complete(r, rows())
	if !fits(text, at(t, v, "0", "schema")) || !fits(boolean, at(t, v, "0", "rls_enabled")) {
		t.Error(asText(t, v))
	}
}

// What a server says of an element, and of a list, is said of those below the top.
func TestLearnPathInListsOfObjects(t *testing.T) {
	e, r := New(), asked("GET", "api.a.example", "/v1/sections")
	base := func() any { return map[string]any{"results": []any{map[string]any{"id": 1}}, "next": nil} }
	if !tried(e, r, base(), missing("string", "0", "user"), missing("boolean", "shared"), mcpsf.Wish{Kind: mcpsf.WishType, Path: []string{"id"}, Type: "string"}) {
		t.Fatal("nothing was learned")
	}
	v := e.Complete(r, base())
	if !fits(text, at(t, v, "results", "0", "user")) || !fits(boolean, at(t, v, "results", "0", "shared")) || !fits(text, at(t, v, "results", "0", "id")) {
		t.Error(asText(t, v))
	}
}

// TestLearnHoldsForSuchRequests learns from one id and asks for another.
func TestLearnHoldsForSuchRequests(t *testing.T) {
	e := New()
	tried(e, asked("GET", "a.example", "/v1/users/17"), map[string]any{}, missing("string", "login"))
	for path, want := range map[string]bool{"/v1/users/18": true, "/v1/users/anna": true, "/v1/users": false, "/v1/teams/18": false} {
		text := asText(t, e.Complete(asked("GET", "a.example", path), map[string]any{}))
		if strings.Contains(text, "login") != want {
			t.Errorf("%s: %s", path, text)
		}
	}
	if strings.Contains(asText(t, e.Complete(asked("POST", "a.example", "/v1/users/18"), map[string]any{})), "login") {
		t.Error("another method")
	}
}

// TestLearnName has "Cannot read properties of undefined (reading 'children')".
func TestLearnName(t *testing.T) {
	r := asked("GET", "api.figures.example", "/v1/files/a7")
	e := New()
	e.Expect(mcpsf.ExpectedAnswer{Host: "{}.other.example", Shape: obj(map[string]*mcpsf.Shape{"document": obj(map[string]*mcpsf.Shape{"children": list(obj(map[string]*mcpsf.Shape{"characters": kind("string")}))})})})
	if !tried(e, r, map[string]any{}, missing("", "children")) {
		t.Fatal("nothing was learned")
	}
	v := e.Complete(r, map[string]any{})
	if !fits(text, at(t, v, "document", "children", "0", "characters")) {
		t.Error(asText(t, v))
	}

	e = New() // without the source
	base := func() map[string]any {
		return map[string]any{"data": map[string]any{}, "rows": []any{map[string]any{}}}
	}
	if !tried(e, r, base(), missing("", "children")) {
		t.Fatal("nothing was learned")
	}
	v = e.Complete(r, base())
	for _, path := range [][]string{{"children"}, {"data", "children"}, {"rows", "0", "children"}} {
		if !fits(array, at(t, v, path...)) {
			t.Errorf("%v: %s", path, asText(t, v))
		}
	}
}

// TestLearnArray has "x.map is not a function".
func TestLearnArray(t *testing.T) {
	r := asked("GET", "a.example", "/v1/list")
	e := New()
	base := func() any {
		return map[string]any{"data": map[string]any{"a": "1"}, "meta": map[string]any{"page": "1"}, "name": "n"}
	}
	var seen []string
	for range 20 {
		if !tried(e, r, base(), missing("", "map")) {
			break
		}
		seen = append(seen, asText(t, e.Complete(r, base())))
	}
	all := strings.Join(seen, "\n")
	for _, want := range []string{`[{"data"`, `"data":[{"a":"1"}]`, `"meta":[{"page":"1"}]`} {
		if !strings.Contains(all, want) {
			t.Errorf("never %s:\n%s", want, all)
		}
	}
	if !strings.Contains(seen[0], `"results":[`) || !strings.Contains(seen[0], `"items":[`) {
		t.Errorf("no list under a usual name at first: %s", seen[0])
	}
	for _, one := range seen[1:] {
		if strings.Count(one, "[") > 1 {
			t.Errorf("more than one guess at a time: %s", one)
		}
	}
	e = New()
	e.Expect(mcpsf.ExpectedAnswer{Host: "b.example", Shape: obj(map[string]*mcpsf.Shape{"meta": list(kind("string"))})})
	if !tried(e, r, base(), mcpsf.Wish{Kind: mcpsf.WishType, Type: "array"}) {
		t.Fatal("nothing was learned")
	}
	if v := e.Complete(r, base()); !fits(array, at(t, v, "meta")) || !fits(object, at(t, v, "data")) {
		t.Errorf("the source was not asked: %s", asText(t, v))
	}
}

// TestRepeatedWishMovesOn has a schema that is applied below the top.
func TestRepeatedWishMovesOn(t *testing.T) {
	e, r := New(), asked("GET", "a.example", "/v1/one")
	base := func() any { return map[string]any{"data": map[string]any{}, "item": map[string]any{}} }
	tried(e, r, base(), missing("string", "sku"))
	if v := e.Complete(r, base()); !fits(text, at(t, v, "data", "sku")) {
		t.Error(asText(t, v))
	}
	if !tried(e, r, base(), missing("string", "sku")) {
		t.Fatal("gave up")
	}
	if v := e.Complete(r, base()); !fits(text, at(t, v, "item", "sku")) {
		t.Error(asText(t, v))
	}
	if tried(e, r, base(), missing("string", "sku")) {
		t.Error("the answer does not differ any more")
	}
}

func TestNothingIsLearned(t *testing.T) {
	r := asked("GET", "a.example", "/v1/one")
	for name, e := range map[string]*Expectations{"no request": New(), "frozen": New()} {
		e.Begin()
		if name == "frozen" {
			e.Freeze()
			e.Complete(r, map[string]any{})
		}
		if e.Learn([]mcpsf.Wish{missing("string", "login")}) {
			t.Errorf("%s: learned", name)
		}
	}
	e := New()
	for _, w := range []mcpsf.Wish{
		missing("", "toLowerCase"), missing("string", "__proto__"), missing("string", "a@b.example"), {Kind: mcpsf.WishExisting, Path: []string{"id"}},
		{Kind: mcpsf.WishOneOf, Path: []string{"x"}, Accepted: []string{"/etc/passwd", "http://evil.example"}}, {Kind: mcpsf.WishType}, {},
		missing("string", make([]string, 10_000)...),
	} {
		if tried(e, r, map[string]any{}, w) {
			t.Errorf("learned %+v", w)
		}
	}
}

// TestTaughtIsNotOurs has a server that lets its own data be repeated.
func TestTaughtIsNotOurs(t *testing.T) {
	const stolen = "q83hf0a7d6s5k2j9x1"
	e, r := New(), asked("GET", "api.a.example", "/v1/one")
	tried(e, r, map[string]any{}, missing("string", stolen[:4]), missing("string", stolen), mcpsf.Wish{Kind: mcpsf.WishOneOf, Path: []string{"status"}, Accepted: []string{stolen + "z"}}, missing("string", "html_url"))
	answer := []byte(asText(t, e.Complete(r, map[string]any{})))
	if !strings.Contains(string(answer), stolen) || !strings.Contains(string(answer), "api.a.example") {
		t.Fatalf("%s", answer)
	}
	if own := string(e.Own(r, answer)); strings.Contains(own, stolen[4:]) || strings.Contains(own, "api.a.example") || !strings.Contains(own, "/items/") {
		t.Errorf("own: %s", own)
	}
}

func TestSameAgain(t *testing.T) {
	run := func(seed uint64) string {
		e := New()
		r := asked("GET", "a.example", "/v1/users/17")
		r.Seed = seed
		tried(e, r, map[string]any{"data": map[string]any{}}, missing("", "children"), missing("", "map"), missing("string", "rows", "0", "title"))
		e.Freeze()
		return asText(t, e.Complete(r, map[string]any{"data": map[string]any{}}))
	}
	if first, again := run(7), run(7); first != again {
		t.Error("not the same for the same seed")
	}
	if run(7) == run(8) {
		t.Error("the seed does not matter")
	}
}

// notText is the refusal of a result whose text is none.
func notText() mcpsf.Wish {
	return mcpsf.Wish{Kind: mcpsf.WishType, Type: "string", Path: []string{"content", "0", "text"}, Output: true}
}

// TestLearnText has a tool that returns a member of the answer as its text.
func TestLearnText(t *testing.T) {
	e, r := New(), asked("POST", "a.example", "/v1/render")
	base := func() any {
		return map[string]any{"ok": true, "count": 1, "made": map[string]any{"url": map[string]any{"x": 1}}, "name": "n"}
	}
	var seen []string
	for range 20 {
		if !tried(e, r, base(), notText()) {
			break
		}
		seen = append(seen, asText(t, e.Complete(r, base())))
	}
	if len(seen) < 5 || strings.Contains(seen[0], `"made":{`) {
		t.Fatalf("what has parts was not tried first: %q", seen)
	}
	all := strings.Join(seen, "\n")
	if !strings.Contains(all, `"url":"http`) || !strings.Contains(all, "\n\"") {
		t.Errorf("a deeper place, or all of it, was not tried:\n%s", all)
	}
	if last := seen[len(seen)-1]; !strings.Contains(last, `"made":{"url":{"x":1}}`) {
		t.Errorf("the last guess was not taken back: %s", last)
	}
}

// TestLearnByForm has two questions at one path, told apart by their bodies.
func TestLearnByForm(t *testing.T) {
	e := New()
	of := func(form string) *Request {
		r := asked("POST", "a.example", "/rpc")
		r.Form = form
		return r
	}
	base := func() any { return map[string]any{"result": map[string]any{"parts": []any{}}} }
	chart, chart2, place := Form([]string{"kind", "data", "source"}, nil), Form([]string{"kind", "data", "title", "source"}, nil), Form([]string{"service", "tool", "input", "source"}, nil)
	if !tried(e, of(chart), base(), notText()) {
		t.Fatal("nothing was learned")
	}
	for form, want := range map[string]string{chart: text, chart2: text, place: object, "": text} {
		if v := at(t, e.Complete(of(form), base()), "result"); !fits(want, v) {
			t.Errorf("%q: %v, want %s", form, v, want)
		}
	}
	// What contradicts is learned for the other form alone.
	if !tried(e, of(chart2), base(), mcpsf.Wish{Kind: mcpsf.WishType, Type: "object", Path: []string{"result"}}) {
		t.Fatal("nothing was learned of the similar form")
	}
	for form, want := range map[string]string{chart: text, chart2: object} {
		if v := at(t, e.Complete(of(form), base()), "result"); !fits(want, v) {
			t.Errorf("%q: %v, want %s", form, v, want)
		}
	}
}

func TestForm(t *testing.T) {
	for _, tt := range []struct {
		names []string
		words map[string]string
		want  string
	}{
		{[]string{"b", "a", "__proto__", "x&y"}, nil, "a&b"},
		{[]string{"method"}, map[string]string{"method": "eth_getBalance", "user": "anna"}, "method&method=eth_getBalance"},
		{nil, map[string]string{"action": "' or 1=1 --", "Function": "A B", "op": strings.Repeat("a", 50)}, ""},
	} {
		if got := Form(tt.names, tt.words); got != tt.want {
			t.Errorf("%v %v: %q, want %q", tt.names, tt.words, got, tt.want)
		}
	}
}

// An address with places for values, also where it is in a list.
func TestLearnTemplates(t *testing.T) {
	for _, usual := range []any{"x", []any{"x"}, []any{map[string]any{"name": "x"}}} {
		e, r := New(), asked("GET", "api.a.example", "/v1/sources/1")
		base := func() any { return map[string]any{"id": 1, "tiles": usual} }
		wish := mcpsf.Wish{Kind: mcpsf.WishFormat, Path: []string{"tiles"}, Type: mcpsf.FormatContains, Accepted: []string{"/{z}/{x}/{y}"}}
		if !tried(e, r, base(), wish) {
			t.Fatal("nothing was learned")
		}
		if got := asText(t, e.Complete(r, base())); !strings.Contains(got, "/{z}/{x}/{y}") || !strings.Contains(got, "https://api.a.example/") {
			t.Error(got)
		}
	}
}
