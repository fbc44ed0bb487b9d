package message

import (
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf/internal/judge/rules/event"
)

// A message shows the values of the event, and no other data replaces a field of
// the same name.
func TestRender(t *testing.T) {
	m, err := Compile("message", "{{.Place}} of {{.Tool}}{{if .Other}}!{{end}}", nil)
	if err == nil || m != nil {
		t.Errorf("there is no field Other: %v", err)
	}
	m, err = Compile("message", "{{.Place}} of {{.Tool}} after {{.first.Path}}{{if .Times}}, {{.Times}} times{{end}}", []string{"first"})
	if err != nil {
		t.Fatal(err)
	}
	var f, first event.Fields
	f.Place, f.Tool, first.Path = "/host", "ping\x1b[2J", "/x"
	got := m.Render(&Data{Fields: &f, File: "package.json:3", Times: 2}, func(int) *event.Fields { return &first })
	if want := `"/host" of "ping\x1b[2J" after /x, 2 times`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Every word has a description, and a fact is attributed to the package.
func TestWords(t *testing.T) {
	said := values(&Data{Fields: &event.Fields{}, File: "package.json:3", Static: true})
	if said["Who"] != "The package" || said["Where"] != `in "package.json:3"` {
		t.Errorf("%v %v", said["Who"], said["Where"])
	}
	for _, w := range Words() {
		if w.Doc == "" || strings.HasSuffix(w.Doc, ".") {
			t.Errorf("%s: %q", w.Name, w.Doc)
		}
	}
}
