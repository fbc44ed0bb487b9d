package attack

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

// ordinary are values as the schema package makes them, by kind.
func ordinary() map[string]string {
	return map[string]string{
		"path": `"/home/dev/Documents/projects/notes.txt"`, "dir": `"/home/dev/Documents/projects"`,
		"url": `"https://www.example.com/"`, "host": `"www.example.com"`, "command": `"echo hello"`,
		"argument": `"main"`, "sql": `"SELECT 1"`, "query": `"hello"`, "code": `"1 + 1"`, "template": `"Hello {name}"`,
		"markup": `"<p>x</p>"`, "json": `"{}"`, "xml": `"<r/>"`, "data": `"aGVsbG8="`, "regexp": `"^hello$"`,
		"glob": `"*.txt"`, "id": `"1"`, "name": `"example"`, "email": `"alex@example.com"`, "date": `"2024-05-17"`,
		"number": `5`, "bool": `true`, "text": `"The quick brown fox."`, "unknown": `"x"`,
	}
}

// places has one place of each kind, and one that is an object.
func places() []Place {
	var all []Place
	for kind, value := range ordinary() {
		typ := map[string]string{"number": "integer", "bool": "boolean"}[kind]
		if typ == "" {
			typ = "string"
		}
		all = append(all, Place{Pointer: "/x", Name: "x", Type: typ, Kind: kind, Value: json.RawMessage(value)})
	}
	return append(all, Place{Pointer: "/o", Name: "o", Type: "object", Kind: "json", Value: json.RawMessage(`{"a":1}`)})
}

func world() *World { return New(7, "/home/dev/Documents/projects") }

func TestPayloadsKeepTheContract(t *testing.T) {
	w := world()
	for _, c := range All() {
		applies := false
		for _, p := range places() {
			yield := c.Yield(p)
			if yield < 0 || yield > 100 {
				t.Errorf("%s: yield %d at a %s", c.ID, yield, p.Kind)
			}
			if yield == 0 {
				continue
			}
			applies = true
			all := c.Payloads(w, p)
			if c.Balanced < 1 || len(all) == 0 {
				t.Errorf("%s at a %s: %d payloads, of which a balanced run sends %d", c.ID, p.Kind, len(all), c.Balanced)
			}
			if !reflect.DeepEqual(all, c.Payloads(w, p)) {
				t.Errorf("%s at a %s: not the same twice", c.ID, p.Kind)
			}
			checkPayloads(t, c, p, all)
		}
		if !applies {
			t.Errorf("%s applies nowhere", c.ID)
		}
	}
}

func checkPayloads(t *testing.T, c Class, p Place, all []Payload) {
	t.Helper()
	used := map[string]string{}
	for _, y := range all {
		text, err := json.Marshal(y.Value)
		if err != nil {
			t.Errorf("%s at a %s: %s: %v", c.ID, p.Kind, y.Why, err)
			continue
		}
		if y.Why == "" || y.Sign == "" {
			t.Errorf("%s at a %s: %q does not say what it is", c.ID, p.Kind, text)
		}
		first := c.ID == classPollution && !strings.HasSuffix(y.Why, "next call")
		if bare := y.Sign == mcpsf.SignCrash || c.ID == "secret-in-error" || first; bare != (y.Marker == "") {
			t.Errorf("%s at a %s: %s: marker %q for sign %s", c.ID, p.Kind, y.Why, y.Marker, y.Sign)
		}
		if y.Marker == "" {
			continue
		}
		detail := &mcpsf.AttackDetail{Class: c.ID, Sign: y.Sign, Marker: y.Marker}
		echo, _ := json.Marshal(map[string]any{"content": []any{map[string]any{"type": "text", "text": "bad value: " + string(text)}}})
		if y.Sign == mcpsf.SignAnswer && (strings.Contains(string(text), y.Marker) || Shown(detail, text) || Shown(detail, echo)) {
			t.Errorf("%s at a %s: %s: the payload %q holds its marker %q", c.ID, p.Kind, y.Why, text, y.Marker)
		}
		key := string(y.Sign) + " " + y.Marker
		if other, twice := used[key]; twice && c.ID != classPollution && !strings.HasPrefix(y.Why, "metadata") {
			t.Errorf("%s at a %s: %q and %q have the marker %q", c.ID, p.Kind, other, y.Why, y.Marker)
		}
		used[key] = y.Why
	}
}

func TestSeedsGiveOtherMarkers(t *testing.T) {
	a, b := New(1, "/srv"), New(2, "/srv")
	for name, pair := range map[string][2]string{
		"program": {a.Program(0), b.Program(0)}, "secret": {a.Secret(0), b.Secret(0)}, "host": {a.Host(0), b.Host(0)},
	} {
		if pair[0] == pair[1] {
			t.Errorf("the %s is %q for both seeds", name, pair[0])
		}
	}
	if _, _, x := a.Number("x", 0); x < 1e10 || x > 1<<53 {
		t.Errorf("the product %d is too short to be no accident, or too long to be exact", x)
	}
}

func TestMarkersArePlanted(t *testing.T) {
	w := world()
	programs, files := map[string]bool{}, map[string]bool{}
	for _, name := range w.Programs() {
		if programs[name] {
			t.Errorf("two programs are called %q", name)
		}
		programs[name] = true
	}
	for _, f := range w.Files() {
		if files[f.Path] {
			t.Errorf("%q is planted twice", f.Path)
		}
		files[f.Path] = true
	}
	ran, opened := map[string]string{}, map[string]string{}
	for _, c := range All() {
		for _, p := range places() {
			for _, y := range c.Payloads(w, p) {
				seen, planted := ran, programs
				switch y.Sign {
				case mcpsf.SignExec:
				case mcpsf.SignOpen:
					seen, planted = opened, files
				default:
					continue
				}
				if !planted[y.Marker] {
					t.Errorf("%s at a %s: %q is not planted", c.ID, p.Kind, y.Marker)
				}
				if other := seen[y.Marker]; other != "" && other != c.ID {
					t.Errorf("%s and %s share %q", other, c.ID, y.Marker)
				}
				seen[y.Marker] = c.ID
			}
		}
	}
}

// A class that All does not list is never sent.
func TestAllIsComplete(t *testing.T) {
	listed := map[string]bool{}
	files := token.NewFileSet()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	made := 0
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		f, err := parser.ParseFile(files, e.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if ok && fn.Type.Results != nil && len(fn.Type.Results.List) == 1 {
				if r, ok := fn.Type.Results.List[0].Type.(*ast.Ident); ok && r.Name == "Class" {
					made++
				}
			}
		}
	}
	for _, c := range All() {
		if listed[c.ID] {
			t.Errorf("%s is listed twice", c.ID)
		}
		listed[c.ID] = true
	}
	if made != len(listed) {
		t.Errorf("%d classes are written, %d are listed", made, len(listed))
	}
}
