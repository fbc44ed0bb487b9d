package promptscan

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWalk(t *testing.T) {
	raw := `{"name":"add","description":"Adds.","n":1,"inputSchema":{"type":"object","properties":{
		"a/b":{"type":"string","description":"First","enum":["x"]},
		"deep":{"items":{"properties":{"in":{"title":"Inner"}}}}}},"_meta":{"k":["v"]}}`
	texts, unread := textsOf("tool", []byte(raw))
	var got []string
	for _, x := range texts {
		got = append(got, x.field+" "+x.parameter+" "+x.value)
	}
	want := []string{
		"/name  add", "/description  Adds.", "/inputSchema/type  object",
		"/inputSchema/properties/a~1b a/b a/b", "/inputSchema/properties/a~1b/type a/b string",
		"/inputSchema/properties/a~1b/description a/b First", "/inputSchema/properties/a~1b/enum/0 a/b x",
		"/inputSchema/properties/deep deep deep", "/inputSchema/properties/deep/items/properties/in in in",
		"/inputSchema/properties/deep/items/properties/in/title in Inner", "/_meta/k/0  v",
	}
	if diff := cmp.Diff(want, got); diff != "" || unread != 0 {
		t.Errorf("%d unread, %s", unread, diff)
	}
}

// A result that is JSON in a string is parsed as JSON.
func TestWalkNested(t *testing.T) {
	texts, _ := textsOf(ofResult, []byte(`{"content":[{"type":"text","text":"{\"a\":[\"x\"]}"}]}`))
	last := texts[len(texts)-1]
	if diff := cmp.Diff(text{field: "/content/0/text/a/0", value: "x"}, last, cmp.AllowUnexported(text{})); diff != "" {
		t.Error(diff)
	}
}

// A list of objects among prose is parsed, and the prose around it is kept.
func TestWalkMenu(t *testing.T) {
	texts, _ := textsOf("request", []byte(`{"text":"Commands: [{\"name\":\"x\",\"description\":\"Adds.\"}] Choose."}`))
	var got []string
	for _, x := range texts {
		got = append(got, x.field+" "+x.value)
	}
	want := []string{"/text Commands: ", "/text/0/name x", "/text/0/description Adds.", "/text  Choose."}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Broken or too deep JSON is read up to there, and the rest is counted as
// unread.
func TestWalkHostile(t *testing.T) {
	for name, raw := range map[string]string{
		"broken": `{"description":"Adds.","x":{{{`,
		"deep":   `{"description":"Adds.","x":` + strings.Repeat("[", 50000),
		"below":  `{"description":"Adds.","x":` + strings.Repeat("[", 100) + `"far"` + strings.Repeat("]", 100) + `}`,
	} {
		texts, unread := textsOf("tool", []byte(raw))
		if len(texts) != 1 || texts[0].value != "Adds." || unread == 0 {
			t.Errorf("%s: %v, %d unread", name, texts, unread)
		}
	}
}
