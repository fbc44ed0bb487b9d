package attack

import (
	"encoding/json"
	"slices"
	"testing"
)

// Parameters of real servers, and the class an attacker would try first.
func TestYieldOfRealParameters(t *testing.T) {
	for _, c := range []struct {
		name, kind, typ, description string
		first                        []string
		never                        []string
	}{
		{"path", "path", "string", "Path of the file to read", []string{"path-traversal", "command-injection"}, []string{"numeric-edge"}},
		{"repo_path", "dir", "string", "Path to Git repository", []string{"path-traversal", "command-injection"}, nil},
		{"url", "url", "string", "URL to fetch", []string{"ssrf", "command-injection"}, []string{"deserialisation"}},
		{"host", "host", "string", "Host to ping", []string{"command-injection", "argument-injection"}, nil},
		{"branch", "argument", "string", "Branch to check out", []string{"command-injection", "argument-injection"}, []string{"xxe"}},
		{"query", "query", "string", "Search term", []string{"command-injection", "sql-injection"}, []string{"archive-traversal"}},
		{"sql", "sql", "string", "SELECT query to run", nil, []string{"sql-injection"}},
		{"expression", "code", "string", "Expression to evaluate", []string{"code-evaluation"}, []string{"ssrf"}},
		{"template", "template", "string", "Template of the report", []string{"template-injection"}, nil},
		{"xml", "xml", "string", "XML document", []string{"xxe"}, nil},
		{"archive", "data", "string", "The zip archive in base64", []string{"archive-traversal", "deserialisation"}, nil},
		{"archive_path", "path", "string", "Archive to extract", []string{"path-traversal", "command-injection", "archive-traversal"}, nil},
		{"pattern", "regexp", "string", "Regular expression", []string{"command-injection", "redos"}, nil},
		{"user_id", "id", "string", "", []string{"sql-injection", "command-injection", "path-traversal"}, nil},
		{"user_id", "number", "integer", "", []string{"amplification", "numeric-edge", "secret-in-error", "sql-injection"}, []string{"redos"}},
		{"count", "number", "integer", "How many", []string{"amplification"}, []string{"path-traversal"}},
		{"duration", "number", "number", "How long to wait", nil, []string{"amplification", "numeric-edge"}},
		{"verbose", "bool", "boolean", "", nil, []string{"command-injection", "sql-injection", "path-traversal", "ssrf", "overlong-input"}},
		{"settings", "json", "object", "Settings to merge", []string{"prototype-pollution"}, []string{"command-injection", "template-injection"}},
		{"config", "json", "string", "Configuration as YAML", []string{"deserialisation", "prototype-pollution"}, nil},
		{"message", "text", "string", "Text to send", []string{"command-injection", "sql-injection", "template-injection"}, nil},
	} {
		p := Place{Name: c.name, Kind: c.kind, Type: c.typ, Description: c.description, Value: json.RawMessage(ordinary()[c.kind])}
		classes := All()
		slices.SortStableFunc(classes, func(a, b Class) int { return b.Yield(p) - a.Yield(p) })
		var order []string
		for _, class := range classes {
			if class.Yield(p) > 0 {
				order = append(order, class.ID)
			}
		}
		for _, id := range c.first {
			if i := slices.Index(order, id); i < 0 || i >= max(2, len(c.first)) {
				t.Errorf("%s: %s is number %d: %v", c.name, id, i, order)
			}
		}
		for _, id := range c.never {
			if slices.Contains(order, id) {
				t.Errorf("%s: %s does not belong there", c.name, id)
			}
		}
	}
}

func TestSchemaNarrowsTheYield(t *testing.T) {
	class := commandInjection()
	free := Place{Kind: "name", Type: "string"}
	enum, pattern := free, free
	enum.Enum = []json.RawMessage{json.RawMessage(`"a"`)}
	pattern.Pattern = "^[a-z]+$"
	if f, e, p := class.Yield(free), class.Yield(enum), class.Yield(pattern); e >= f || p >= f || e == 0 || p == 0 {
		t.Errorf("free %d, one of a few %d, with a pattern %d", f, e, p)
	}
}

func TestPayloadsFitThePlace(t *testing.T) {
	w := world()
	short := Place{Kind: "name", Type: "string", MaxLength: 20, Value: json.RawMessage(`"a"`)}
	for _, c := range All() {
		for _, y := range c.Payloads(w, short) {
			if s, ok := y.Value.(string); ok && len([]rune(s)) > 20 {
				t.Errorf("%s: %q is too long", c.ID, s)
			}
		}
	}
	picky := Place{Kind: "name", Type: "string", Pattern: `^[a-z0-9|]+$`, Value: json.RawMessage(`"a"`)}
	if all := All(); all[0].ID != "command-injection" || all[0].Payloads(w, picky)[0].Why != "pipe" {
		t.Errorf("%s: %q comes first", all[0].ID, all[0].Payloads(w, picky)[0].Why)
	}
}

func TestWorthFallsAndKeepsPairs(t *testing.T) {
	p := Place{Kind: "text", Type: "string", Description: "json", Value: json.RawMessage(`"x"`)}
	for _, c := range All() {
		if c.Worth(p, 0) != c.Yield(p) || c.Yield(p) > 0 && c.Worth(p, 6) >= c.Worth(p, 0) {
			t.Errorf("%s: worth %d, then %d", c.ID, c.Worth(p, 0), c.Worth(p, 6))
		}
		if c.Paired && (c.Worth(p, 2) != c.Worth(p, 3) || c.Balanced%2 != 0) {
			t.Errorf("%s: a pair is taken apart", c.ID)
		}
	}
}
