package condition

import (
	"strings"
	"testing"
)

// Every word of the language has a one-sentence description and an example that
// compiles and uses it, and is on the reference page.
func TestEveryWordIsDocumented(t *testing.T) {
	page, seen := Reference(), map[string]bool{}
	check := func(name, doc, example, written string) {
		t.Helper()
		if seen[name] {
			t.Errorf("%s: there are two of that name", name)
		}
		seen[name] = true
		if doc == "" || strings.HasSuffix(doc, ".") || strings.ContainsAny(doc, "\n|") {
			t.Errorf("%s: the description %q is not one sentence without its full stop", name, doc)
		}
		if !strings.Contains(example, name) {
			t.Errorf("%s: the example %q does not use it", name, example)
		}
		if _, err := Compile(example, nil); err != nil {
			t.Errorf("%s: the example: %v", name, err)
		}
		if !strings.Contains(page, "| `"+written+"` |") {
			t.Errorf("%s: not on the page", name)
		}
	}
	for _, f := range Fields() {
		if zeroOf(f.get) == nil {
			t.Errorf("%s has a type that conditions do not know", f.Name)
		}
		check(f.Name, f.Doc, f.Example, f.Name)
	}
	for _, p := range Predicates() {
		if signature(p.answer) == nil {
			t.Errorf("%s has a type that conditions do not know", p.Name)
		}
		check(p.Name, p.Doc, p.Example, p.Name+"("+strings.Join(p.Params, ", ")+")")
	}
}

// A condition is split only at its top-level &&.
func TestClauses(t *testing.T) {
	c, err := Compile(`Error == "" && (Changed && Server || Pending) and any(Args, # == "x" && true)`, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, clause := range c.Clauses() {
		got = append(got, clause.Text)
	}
	want := []string{`Error == ""`, "(Changed && Server) || Pending", `any(Args, # == "x" && true)`}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q, want %q", got, want)
	}
}
