package attack

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

// unproposed are the classes that a model writes no payloads for.
func unproposed() []string { return []string{"archive-traversal", "overlong-input"} }

// markOf returns the mark of a class with a sign.
func markOf(t *testing.T, w *World, class string, sign mcpsf.AttackSign) Mark {
	t.Helper()
	for _, m := range w.Marks() {
		if m.Class == class && m.Sign == sign {
			return m
		}
	}
	t.Fatalf("%s has no mark with the sign %s", class, sign)
	return Mark{}
}

func TestEveryClassHasMarks(t *testing.T) {
	marked := map[string]bool{}
	for _, m := range world().Marks() {
		if m.Proof == "" || m.Sign == "" {
			t.Errorf("the mark of %s does not say what it is: %+v", m.Class, m)
		}
		marked[m.Class] = true
	}
	for _, c := range All() {
		if marked[c.ID] == slices.Contains(unproposed(), c.ID) {
			t.Errorf("%s: marked %v", c.ID, marked[c.ID])
		}
		delete(marked, c.ID)
	}
	for class := range marked {
		t.Errorf("there is no class %s", class)
	}
}

// Marks for a model's payloads are planted, and none of our payloads uses them:
// a late sign then names its author.
func TestMarksAreForOthersAlone(t *testing.T) {
	w := world()
	taken := map[string]string{}
	for _, c := range All() {
		for _, p := range places() {
			for _, y := range c.Payloads(w, p) {
				taken[y.Marker] = c.ID
			}
		}
	}
	planted := map[string]bool{}
	for _, name := range w.Programs() {
		planted[name] = true
	}
	for _, f := range w.Files() {
		planted[f.Path] = true
	}
	seen := map[string]string{}
	for _, m := range w.Marks() {
		if m.Marker == "" {
			continue
		}
		if other := taken[m.Marker]; other != "" {
			t.Errorf("%s: %q is one of %s", m.Class, m.Marker, other)
		}
		if other := seen[m.Marker]; other != "" {
			t.Errorf("%s and %s share %q", m.Class, other, m.Marker)
		}
		seen[m.Marker] = m.Class
		if (m.Sign == mcpsf.SignExec || m.Sign == mcpsf.SignOpen) && !planted[m.Marker] {
			t.Errorf("%s: %q is not planted", m.Class, m.Marker)
		}
	}
}

// adoptCase is a value: § stands for the first text of the mark, ¤ for the
// second.
type adoptCase struct {
	class string
	sign  mcpsf.AttackSign
	kind  string
	value string
	// want is the reason for refusal, "" if the value is adopted.
	want string
}

func adoptCases() []adoptCase {
	const plainly = "a tool without limits does that, too"
	return []adoptCase{
		{"command-injection", mcpsf.SignExec, "name", "x$(§)", ""},
		{"command-injection", mcpsf.SignExec, "name", "x\uff1b§", ""},
		{"command-injection", mcpsf.SignExec, "command", "§", "it is a command by itself, and no way into one"},
		{"command-injection", mcpsf.SignExec, "name", "x; id", "it holds nothing that success could be told by"},
		{"command-injection", mcpsf.SignExec, "name", "x; §; rm -rf /", "it does more than to bring its sign about"},
		{"command-injection", mcpsf.SignExec, "name", "x; § < ~/.ssh/id_rsa", "it does more than to bring its sign about"},
		{"command-injection", mcpsf.SignExec, "bool", "x; §", "the class does not apply to such a value"},
		{"path-traversal", mcpsf.SignOpen, "path", "docs/../../../../../../..@/§.md", ""},
		{"path-traversal", mcpsf.SignOpen, "path", "..%2f..%2f..@%2f§", ""},
		{"path-traversal", mcpsf.SignOpen, "path", "@/§", plainly},
		{"path-traversal", mcpsf.SignOpen, "path", " //@/./§.txt", plainly},
		{"argument-injection", mcpsf.SignArgument, "name", "HEAD --§=1", ""},
		{"argument-injection", mcpsf.SignArgument, "name", "§", "it is no option"},
		{"argument-injection", mcpsf.SignOpen, "path", "--output=@/§", ""},
		{"argument-injection", mcpsf.SignOpen, "path", "@/§", "it is no option"},
		{"argument-injection", mcpsf.SignOpen, "path", "-x/../../@/§", "it is a path, and no option"},
		{"argument-injection", mcpsf.SignExec, "name", "--x=$(§)", "it is a command, and no option"},
		{"argument-injection", mcpsf.SignExec, "name", "x -exec § ;", ""},
		{"code-evaluation", mcpsf.SignExec, "code", "__import__('subprocess').run(['§'])", ""},
		{"code-evaluation", mcpsf.SignExec, "code", "$(§)", "it is no code that runs a program"},
		{"code-evaluation", mcpsf.SignAnswer, "code", "str(§*¤)[::-1]", ""},
		{"code-evaluation", mcpsf.SignAnswer, "code", "str(§*7)[::-1]", "it holds nothing that success could be told by"},
		{"ssrf", mcpsf.SignRequest, "url", "https://example.com@§/", ""},
		{"ssrf", mcpsf.SignRequest, "url", "http://§:8080/x", plainly},
		{"ssrf", mcpsf.SignRequest, "host", "§", plainly},
		{"ssrf", mcpsf.SignOpen, "url", "file://@/§", ""},
		{"ssrf", mcpsf.SignOpen, "path", "file://@/§", "it is no address of a file where an address is expected"},
		{"sql-injection", mcpsf.SignAnswer, "query", "' UNION SELECT §*¤ --", ""},
		{"sql-injection", mcpsf.SignAnswer, "query", "§*¤", "it has no SELECT"},
		{"sql-injection", mcpsf.SignAnswer, "sql", "SELECT §*¤", "the class does not apply to such a value"},
		{"sql-injection", mcpsf.SignQuery, "query", "x' OR § --", ""},
		{"sql-injection", mcpsf.SignOpen, "query", "x'; ATTACH '@/§' AS y; --", ""},
		{"sql-injection", mcpsf.SignOpen, "query", "@/§", "it is no statement that opens a file"},
		{"sql-injection", mcpsf.SignQuery, "query", "x'; DROP TABLE §", "it does more than to bring its sign about"},
		{"template-injection", mcpsf.SignAnswer, "text", "Hello {{§*¤}}", ""},
		{"template-injection", mcpsf.SignAnswer, "text", "§*¤", "it has no brackets of a template"},
		{"deserialisation", mcpsf.SignExec, "data", "!!python/object/apply:os.system ['§']", ""},
		{"deserialisation", mcpsf.SignExec, "text", "x $(§)", "it is no data that runs something"},
		{"xxe", mcpsf.SignOpen, "xml", `<!DOCTYPE r [<!ENTITY x SYSTEM "file://@/§">]><r>&x;</r>`, ""},
		{"xxe", mcpsf.SignOpen, "text", "@/§", "it is no document"},
		{"xxe", mcpsf.SignRequest, "xml", `<!DOCTYPE r SYSTEM "http://§/r.dtd"><r/>`, ""},
		{"xpath-injection", mcpsf.SignRequest, "query", "' or doc('http://§/') or '", ""},
		{"xpath-injection", mcpsf.SignRequest, "query", "http://§/", "it calls no function of XPath"},
		{"nosql-injection", mcpsf.SignQuery, "id", "'||§||'", ""},
		{"graphql-injection", mcpsf.SignQuery, "id", `1"){x} §:__typename #`, ""},
		{"ldap-injection", mcpsf.SignQuery, "name", "x)(§=*", ""},
		{"log-injection", mcpsf.SignEcho, "text", "x\r\n§", ""},
		{"log-injection", mcpsf.SignEcho, "text", "§", "no line end stands before it"},
		{"markup-injection", mcpsf.SignEcho, "text", "x§", ""},
		{"unicode-edge", mcpsf.SignCrash, "text", "x\x00", ""},
		{"numeric-edge", mcpsf.SignCrash, "number", "-1", ""},
		{"secret-in-error", mcpsf.SignAnswer, "text", "%s", ""},
		{"sharks", "", "text", "x", "there is no such class"},
	}
}

func TestAdopt(t *testing.T) {
	w := world()
	for _, c := range adoptCases() {
		value := strings.ReplaceAll(c.value, "@", w.Outside)
		if c.sign != "" {
			if m := markOf(t, w, c.class, c.sign); len(m.Texts) > 0 {
				value = strings.ReplaceAll(strings.ReplaceAll(value, "§", m.Texts[0]), "¤", m.Texts[len(m.Texts)-1])
			}
		}
		typ := map[string]string{"number": "integer", "bool": "boolean"}[c.kind]
		got, err := w.Adopt(c.class, Place{Pointer: "/x", Name: "x", Type: typ, Kind: c.kind, Value: json.RawMessage(ordinary()[c.kind])}, value)
		why := ""
		if err != nil {
			why = err.Error()
		}
		if why != c.want {
			t.Errorf("%s at a %s, %q: %q, want %q", c.class, c.kind, value, why, c.want)
			continue
		}
		if err == nil && (len(got) != 1 || got[0].Sign != c.sign || got[0].Value != value) {
			t.Errorf("%s at a %s: %+v, want the sign %s for %q", c.class, c.kind, got, c.sign, value)
		}
	}
}

// A host name meant for part of an address is refused where a whole address is
// expected.
func TestAdoptHosts(t *testing.T) {
	w := world()
	host := markOf(t, w, "xxe", mcpsf.SignRequest).Texts[0]
	for _, m := range w.Marks() {
		if m.Class == "ssrf" && m.Sign == mcpsf.SignRequest {
			host = m.Texts[0] // the last one
		}
	}
	for _, c := range []struct {
		kind, value string
		ok          bool
	}{
		{"id", "x.§/", true},
		{"id", "http://§/", true},
		{"text", "@§/", true},
		{"text", "see http://§/", false},
		{"text", "§/#", false},
		{"url", "http://§/", false},
		{"host", "x.§", false},
	} {
		value := strings.ReplaceAll(c.value, "§", host)
		got, err := w.Adopt("ssrf", Place{Kind: c.kind, Type: "string", Value: json.RawMessage(`"x"`)}, value)
		if ok := err == nil; ok != c.ok || ok && got[0].Marker != host {
			t.Errorf("%q at a %s: %+v, %v; want %v", value, c.kind, got, err, c.ok)
		}
	}
}

// The cost of a value is compared with that of half of it; pollution shows in
// the next call.
func TestAdoptPairs(t *testing.T) {
	w := world()
	text := Place{Kind: "text", Type: "string", Value: json.RawMessage(`"x"`)}
	got, err := w.Adopt("redos", text, "x@"+strings.Repeat("ab", 40)+"!")
	if err != nil || len(got) != 2 {
		t.Fatalf("redos: %+v, %v", got, err)
	}
	small, n, _ := Size(got[0].Marker)
	large, m, _ := Size(got[1].Marker)
	if small != large || n != 20 || m != 40 || got[0].Value != "x@"+strings.Repeat("ab", 20)+"!" {
		t.Errorf("half of it is %+v", got)
	}
	other, err := w.Adopt("redos", text, "y@"+strings.Repeat("ab", 40)+"!")
	if err != nil || other[0].Marker == got[0].Marker {
		t.Errorf("another input has the same name: %+v, %v", other, err)
	}
	if alone, err := w.Adopt("redos", text, "((((a+)+)+)+)$"); err != nil || len(alone) != 1 || alone[0].Sign != mcpsf.SignCost {
		t.Errorf("what cannot be halved: %+v, %v", alone, err)
	}
	if much, err := w.Adopt("amplification", Place{Kind: "number", Type: "integer"}, json.Number("50000")); err != nil || len(much) != 2 || much[0].Value != 500 {
		t.Errorf("a number: %+v, %v", much, err)
	}
	name := markOf(t, w, classPollution, mcpsf.SignAnswer).Texts[0]
	object := Place{Kind: "json", Type: "object", Value: json.RawMessage(`{"a":1}`)}
	value := map[string]any{"__proto__": map[string]any{name: name}}
	got, err = w.Adopt(classPollution, object, value)
	if err != nil || len(got) != 2 || got[0].Marker != "" || got[1].Marker != name || compact(got[1].Value) != `{"a":1}` {
		t.Errorf("pollution: %+v, %v", got, err)
	}
	if _, err := w.Adopt(classPollution, object, map[string]any{"x": name}); err == nil {
		t.Error("a name that pollutes nothing was adopted")
	}
}

func TestReadings(t *testing.T) {
	m := Mark{Texts: []string{"mcq123400"}}
	for text, want := range map[string]bool{
		"mcq123400": true, "x MCQ123400": true, "%6dcq123400": true, "%256dcq123400": true, `\u006dcq123400`: true,
		"Y29zCnN5c3RlbQooUydtY3ExMjM0MDAnCnRSLg==": true, "6d63713132333430300a": true,
		"mcq12340": false, "%6": false, "": false,
	} {
		if got := m.In(text); got != want {
			t.Errorf("%q holds it: %v, want %v", text, got, want)
		}
	}
}

// An adopted payload works on the vulnerable server and not on the fixed one.
func TestAdoptedBreaksOut(t *testing.T) {
	m := newMachine(t)
	program := markOf(t, m.w, "command-injection", mcpsf.SignExec).Texts[0]
	got, err := m.w.Adopt("command-injection", Place{Kind: "name", Type: "string", Value: json.RawMessage(`"notes"`)}, "notes' -o -exec "+program+" ';'; "+program+" #")
	if err != nil {
		t.Fatal(err)
	}
	value, _ := got[0].Value.(string)
	m.run("sh", "-c", "find . -name '"+value+"'")
	if !m.showed(got[0], "") {
		t.Errorf("%q does not break out", value)
	}
	m.run("sh", "-c", `find . -name "$1"`, "sh", value)
	if m.showed(got[0], "") {
		t.Errorf("%q breaks out of an argument", value)
	}
}

func FuzzAdopt(f *testing.F) {
	w := world()
	for _, c := range adoptCases() {
		f.Add(c.class, c.kind, c.value)
	}
	f.Fuzz(func(t *testing.T, class, kind, value string) {
		got, err := w.Adopt(class, Place{Pointer: "/x", Name: "x", Type: "string", Kind: kind, Value: json.RawMessage(`"x"`)}, value)
		for _, y := range got {
			detail := &mcpsf.AttackDetail{Class: class, Sign: y.Sign, Marker: y.Marker}
			if y.Plain || y.Sign == mcpsf.SignAnswer && Shown(detail, []byte(compact(value))) {
				t.Errorf("%s: %q proves nothing and was adopted: %+v", class, value, y)
			}
		}
		if (err == nil) != (len(got) > 0) {
			t.Errorf("%s: %q: %+v, %v", class, value, got, err)
		}
	})
}
