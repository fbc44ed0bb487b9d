package refusal_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/refusal"
)

// TestRead reads the messages in testdata: each is a text, "=>" and the wishes, one
// a line, between lines of dashes. libraries.txt has what libraries write: zod, ajv,
// joi, yup, pydantic, jsonschema, FastMCP, Python and Node were run for it, those of
// Kotlin, Java and Rust and pydantic 1 were not. prose.txt has what authors write.
func TestRead(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for block := range strings.SplitSeq(string(data), "\n----\n") {
			text, want, ok := strings.Cut(strings.Trim(block, "\n"), "\n=>")
			if !ok {
				t.Fatalf("%s: no => in %q", file, block)
			}
			var got []string
			for _, w := range refusal.Read(text) {
				got = append(got, line(&w))
			}
			if strings.Join(got, "\n") != strings.TrimSpace(want) {
				t.Errorf("%s:\n%s\ngives\n%s\nwant\n%s", file, text, strings.Join(got, "\n"), strings.TrimSpace(want))
			}
		}
	}
}

// line writes a wish in one line.
func line(w *mcpsf.Wish) string {
	out := strings.TrimSpace(string(w.Kind) + " " + strings.Join(w.Path, "/"))
	if w.Loose {
		out += " loosely"
	}
	if w.Output {
		out += " of the output"
	}
	for _, part := range []struct{ name, text string }{{"type", w.Type}, {"value", w.Value}, {"accepted", strings.Join(w.Accepted, " | ")}} {
		if part.text != "" {
			out += " " + part.name + "=" + part.text
		}
	}
	if w.Got != "" {
		out += " got=" + w.Got
	}
	if w.Least != nil {
		out += fmt.Sprint(" least=", *w.Least)
	}
	if w.Most != nil {
		out += fmt.Sprint(" most=", *w.Most)
	}
	return out
}

func TestReadIsBounded(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("[", 1<<20), strings.Repeat("[{", 1<<19), strings.Repeat("must be one of ", 1<<16), strings.Repeat("'a' is required. ", 1<<16),
		strings.Repeat("a\n  Field required\n", 1<<16), "mode must be one of " + strings.Repeat("a, ", 1<<18), strings.Repeat(`{"error":`, 1<<16),
		strings.Repeat("call a_b first, ", 1<<16), strings.Repeat("e.g. ", 1<<16), "e.g. " + strings.Repeat(`{"a":`, 1<<16), "such as " + strings.Repeat("a1, ", 1<<16),
		strings.Repeat("the output of a_b ", 1<<16), "no " + strings.Repeat("session ", 1<<16), "Format: " + strings.Repeat("YYYY", 1<<14), strings.Repeat("not not ", 1<<14) + "connected",
	} {
		check(t, text)
	}
}

// check reports wishes beyond the bounds, and readings that differ.
func check(t *testing.T, text string) {
	t.Helper()
	got := refusal.Read(text)
	if diff := cmp.Diff(got, refusal.Read(text)); diff != "" || len(got) > 16 {
		t.Errorf("%d wishes, at the second time others: %s", len(got), diff)
	}
	if e, m := refusal.Examples(text), refusal.Makers(text); len(e) > 4 || len(m) > 8 {
		t.Errorf("%.80q gives %d examples and %d makers", text, len(e), len(m))
	}
	for _, w := range got {
		if len(w.Path) > 16 || len(w.Accepted) > 64 || len(w.Value) > 256 || w.Kind == "" {
			t.Errorf("%.80q gives %.400s", text, fmt.Sprintf("%+v", w))
		}
		for _, name := range w.Path {
			if name == "" || len(name) > 64 {
				t.Errorf("%.80q names %.100q", text, name)
			}
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"mode is required and must be one of ['a', 'b']", `[{"code":"invalid_type","path":["a"],"expected":"string"}]`, "x\n  Field required [type=missing]",
		"data/a must be >= 1, data must have required property 'b'", "✖ Invalid input\n  → at a.b", `{"error":{"message":"a is required"}}`, "On instance['a']:",
		"Cannot read properties of undefined (reading 'a')", "outside allowed directories: /a not in /b", `[{"keyword":"enum","params":{}}]`, `[{"code":"invalid_union","errors":[[{"code":"custom"}]]}]`,
		"a: e.g. 2024-Q3 or 'b', Format: YYYY-Www (2024-W05). Example: {\"a\":[1]}", "Not signed in; call a_b() first", "must be the plan from make_plan", "a is not valid JSON: Unexpected token",
	} {
		f.Add(text)
	}
	f.Fuzz(check)
}

func TestNaming(t *testing.T) {
	for text, want := range map[string]string{
		"error -32602: name: documents have simple names and end in .md or .txt, like agenda.md": "format name type=suffix accepted=.md",
		"workspace is the part before .deskline.example in your browser, such as acme-support.":  "format workspace type=example accepted=acme-support",
		"until: must be later than now (2026-11-19T21:30:00.294Z)":                               "format until type=future",
		"You need a workspace first. Use list_things, like agenda.md":                            "",
	} {
		got := ""
		for _, w := range refusal.Naming(text, []string{"name", "until", "workspace"}, refusal.Read(text)) {
			if len(w.Path) > 0 && w.Kind == mcpsf.WishFormat {
				got = line(&w)
			}
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
