package attack

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/judge/query"
)

// sqlServer is a vulnerable tool: each case is a query with X for the value,
// the value, and how it is inserted. It returns errors, as real servers do.
const sqlServer = `
import json, sqlite3, sys
def answer(query, value, mode):
    db = sqlite3.connect(":memory:")
    db.executescript("CREATE TABLE users(id INTEGER, name TEXT, email TEXT); INSERT INTO users VALUES (1,'example','alex@example.com'),(2,'kim','kim@example.com')")
    try:
        if mode == "bound":
            rows = db.execute(query.replace("X", "?"), (value,)).fetchall()
        elif mode == "quoted":
            rows = db.execute(query.replace("X", "'" + value.replace("'", "''") + "'")).fetchall()
        else:
            rows = db.execute(query.replace("X", value)).fetchall()
        return str(rows) + " for " + repr(value)
    except Exception as e:
        return "Error: " + ("failed" if mode == "mute" else str(e)) + " for " + repr(value)
print(json.dumps([answer(*c) for c in json.load(sys.stdin)]))
`

// sqlShows puts payloads into each query and returns the index of the first
// that works, -1 for none.
func sqlShows(m *machine, payloads []Payload, mode string, queries ...string) []int {
	m.t.Helper()
	var cases [][]any
	for _, q := range queries {
		for _, y := range payloads {
			cases = append(cases, []any{q, y.Value, mode})
		}
	}
	answers := m.answers(cases, "python3", "-c", sqlServer)
	found := make([]int, len(queries))
	for n := range queries {
		found[n] = -1
		for i, y := range slices.Backward(payloads) {
			if y.Sign == mcpsf.SignAnswer && m.showed(y, answers[n*len(payloads)+i]) {
				found[n] = i
			}
		}
	}
	return found
}

// sqlContexts are queries of vulnerable servers.
func sqlContexts() map[string]string {
	return map[string]string{
		"in quotes":           "SELECT id, name FROM users WHERE name = 'X'",
		"in quotes, more":     "SELECT id, name FROM users WHERE (name = 'X' OR email = 'X') AND id > 0 ORDER BY id LIMIT 5",
		"like":                "SELECT id, name, email FROM users WHERE name LIKE '%X%' ORDER BY name",
		"number":              "SELECT id, name, email FROM users WHERE id = X",
		"number in brackets":  "SELECT id, name, email FROM users WHERE (id = X) LIMIT 1",
		"list":                "SELECT id, name, email FROM users WHERE id IN (1, X)",
		"sorted":              "SELECT id, name, email FROM users ORDER BY X",
		"sorted by direction": "SELECT id, name, email FROM users ORDER BY name X",
		"limit":               "SELECT id, name, email FROM users LIMIT X",
		"inserted":            "INSERT INTO users VALUES (3, 'X', 'c@example.com')",
		"updated":             "UPDATE users SET name = 'X' WHERE id = 1",
		"deleted":             "DELETE FROM users WHERE name = 'X'",
		"column":              "SELECT X FROM users",
		"table":               "SELECT * FROM X",
		"double quotes":       "SELECT id, name, email FROM users WHERE name = \"X\"",
		"function":            "SELECT id, name, email FROM users WHERE lower(name) = lower('X')",
	}
}

func TestSQLPayloadsBreakOut(t *testing.T) {
	m := newMachine(t)
	class := sqlInjection()
	payloads := class.Payloads(m.w, Place{Kind: "query", Type: "string", Value: json.RawMessage(`"hello"`)})[:class.Balanced]
	later := map[string]bool{"table": true, "sorted by direction": true}
	names := slices.Sorted(maps.Keys(sqlContexts()))
	var queries []string
	for _, name := range names {
		queries = append(queries, sqlContexts()[name])
	}
	for n, i := range sqlShows(m, payloads, "spliced", queries...) {
		if i < 0 || i > 0 && !later[names[n]] {
			t.Errorf("%s: payload %d is the first to break out of %s", names[n], i, queries[n])
		}
	}
}

// A server that hides its errors still shows the row that UNION added.
func TestSQLPayloadsBreakOutOfTheMute(t *testing.T) {
	m := newMachine(t)
	class := sqlInjection()
	payloads := class.Payloads(m.w, Place{Kind: "query", Type: "string", Value: json.RawMessage(`"hello"`)})[:class.Balanced+1]
	for n, i := range sqlShows(m, payloads, "mute",
		"SELECT id, name FROM users WHERE name = 'X'", "SELECT id, name, email FROM users WHERE name LIKE '%X%' ORDER BY name",
		"SELECT id, name, email FROM users WHERE id = X", "SELECT name FROM users WHERE name = \"X\" LIMIT 3") {
		if i < 0 {
			t.Errorf("nothing shows in query %d", n)
		}
	}
}

// A true condition gets a different answer in every quoting, and the same
// answer where the value stays a value.
func TestSQLConditionsTellApart(t *testing.T) {
	m := newMachine(t)
	class := sqlInjection()
	payloads := slices.DeleteFunc(class.Payloads(m.w, Place{Kind: "query", Type: "string", Value: json.RawMessage(`"hello"`)})[:class.Balanced],
		func(y Payload) bool { return y.Sign != mcpsf.SignDiffer })
	if len(payloads) != conditional {
		t.Fatalf("%d payloads", len(payloads))
	}
	for _, c := range []struct {
		query, mode string
		want        bool
	}{
		{sqlContexts()["in quotes"], "mute", true},
		{sqlContexts()["like"], "mute", true},
		{sqlContexts()["number"], "mute", true},
		{sqlContexts()["double quotes"], "mute", true},
		{"SELECT id, name, email FROM users WHERE name = X", "bound", false},
		{"SELECT id, name, email FROM users WHERE name = X", "quoted", false},
	} {
		var cases [][]any
		for _, y := range payloads {
			cases = append(cases, []any{c.query, y.Value, c.mode})
		}
		answers := m.answers(cases, "python3", "-c", sqlServer)
		for i := range answers {
			answers[i], _, _ = strings.Cut(answers[i], " for ")
		}
		if answers[0] != answers[2] || answers[1] != answers[3] || (answers[0] != answers[1]) != c.want {
			t.Errorf("%s, %s: %q", c.query, c.mode, answers)
		}
	}
}

func TestSQLPayloadsSpareTheSafe(t *testing.T) {
	m := newMachine(t)
	payloads := sqlPayloads(m.w, Place{Kind: "query", Type: "string", Value: json.RawMessage(`"hello"`)})
	for _, mode := range []string{"bound", "quoted"} {
		for n, i := range sqlShows(m, payloads, mode, "SELECT X, id FROM users WHERE name = 'example'", "SELECT id, name, email FROM users WHERE name = X") {
			if i >= 0 {
				t.Errorf("%s: %q shows in safe query %d", payloads[i].Why, payloads[i].Value, n)
			}
		}
	}
}

// A name meant as code is outside the quotes however the value is inserted.
func TestSQLNamesStandAsCode(t *testing.T) {
	m := newMachine(t)
	y := sqlPayloads(m.w, Place{Kind: "query", Type: "string", Value: json.RawMessage(`"hello"`)})[1]
	if y.Sign != mcpsf.SignQuery {
		t.Fatalf("the second payload has the sign %s", y.Sign)
	}
	for name, context := range sqlContexts() {
		if !query.AsCode(strings.ReplaceAll(context, "X", y.Value.(string)), y.Marker) {
			t.Errorf("%s: the name stands as data", name)
		}
		quoted := strings.ReplaceAll(y.Value.(string), "'", "''")
		if query.AsCode("SELECT id, name, email FROM users WHERE name = '"+quoted+"'", y.Marker) {
			t.Errorf("%s: the name stands as code though it is quoted", name)
		}
	}
}
