package unmarked_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf/internal/drive/unmarked"
)

// texts returns the blocks of a file in testdata, between lines of dashes. They are in
// the style of many servers.
func texts(t *testing.T, file string) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.Trim(string(data), "\n"), "\n----\n")
}

// result is an ordinary result with texts.
func result(t testing.TB, texts ...string) json.RawMessage {
	t.Helper()
	type block struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	var r struct {
		Content []block `json:"content"`
	}
	for _, text := range texts {
		r.Content = append(r.Content, block{"text", text})
	}
	raw, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func TestTexts(t *testing.T) {
	for file, refuses := range map[string]bool{"refusals.txt": true, "results.txt": false} {
		list := texts(t, file)
		if len(list) < 60 {
			t.Errorf("%s: only %d", file, len(list))
		}
		for _, text := range list {
			if got := unmarked.Refusal(result(t, text), json.RawMessage(`{"path":"/home/dev"}`)); (got != "") != refuses {
				t.Errorf("%s:\n%s\ngives %q", file, text, got)
			}
		}
	}
}

func TestResults(t *testing.T) {
	const failed = `{"type":"text","text":"Error: no connection"}`
	for _, tt := range []struct{ name, result, want string }{
		{"marked", `{"isError":true,"content":[` + failed + `]}`, ""},
		{"the mark says no", `{"isError":false,"content":[` + failed + `]}`, "Error: no connection"},
		{"nothing", `{"content":[]}`, ""},
		{"no content", `{}`, ""},
		{"no object", `[]`, ""},
		{"odd content", `{"content":{"text":"Error: x"}}`, ""},
		{"a blank", `{"content":[{"type":"text","text":" "},` + failed + `]}`, "Error: no connection"},
		{"a picture", `{"content":[` + failed + `,{"type":"image","data":"AA==","mimeType":"image/png"}]}`, ""},
		{"a document", `{"content":[` + failed + `,{"type":"resource","resource":{"uri":"x://a","text":"a"}}]}`, ""},
		{"a result behind it", `{"content":[` + failed + `,{"type":"text","text":"b.txt: hello"}]}`, ""},
		{"a result before it", `{"content":[{"type":"text","text":"b.txt: hello"},` + failed + `]}`, ""},
		{"two of them", `{"content":[` + failed + `,` + failed + `]}`, "Error: no connection"},
		{"advice behind it", `{"content":[` + failed + `,{"type":"text","text":"Hint: call connect first."}]}`, "Error: no connection"},
		{"structured", `{"content":[],"structuredContent":{"error":"no connection"}}`, `{"error":"no connection"}`},
		{"both", `{"content":[` + failed + `],"structuredContent":{"result":"Error: no connection"}}`, "Error: no connection"},
		{"structured data", `{"content":[` + failed + `],"structuredContent":{"items":[1]}}`, ""},
		{"empty structure", `{"content":[` + failed + `],"structuredContent":{}}`, "Error: no connection"},
		{"only the structure", `{"content":[{"type":"text","text":"3 lines"}],"structuredContent":{"error":"x"}}`, ""},
		{"wrapped", `{"content":[],"structuredContent":{"result":{"ok":false}}}`, `{"ok":false}`},
		{"wrapped too often", `{"content":[],"structuredContent":{"result":{"result":{"result":{"result":{"result":{"ok":false}}}}}}}`, ""},
	} {
		if got := unmarked.Refusal(json.RawMessage(tt.result), nil); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// A tool that returns what it got refuses nothing.
func TestEcho(t *testing.T) {
	for _, tt := range []struct {
		text, arguments string
		refuses         bool
	}{
		{"Error: the lid is open", `{"text":"Error: the lid is open"}`, false},
		{"ERROR: THE LID IS OPEN", `{"text":"Error: the lid is open"}`, false},
		{"Error: the lid is open", `{"deep":[{"text":"She said: error: the lid is open."}]}`, false},
		{"Error: the lid is open", `{"text":"the lid"}`, true},
		{`{"error":"the lid is open"}`, `{"error":"the lid is open"}`, false},
		{`{"error":"the lid is open","saved":true}`, `{"message":"the lid is open"}`, false},
		{`{"error":"the lid is open"}`, `{"message":"lid"}`, true},
		{`{"success":false,"name":"x"}`, `{"success":false,"name":"x"}`, false},
		{`{"status":"error","message":"x"}`, `{"status":"error","message":"x"}`, false},
		{`{"status":"error","message":"no such city","city":"Rome"}`, `{"city":"Rome"}`, true},
		{"Error: x", `no JSON`, true},
	} {
		if got := unmarked.Refusal(result(t, tt.text), json.RawMessage(tt.arguments)); (got != "") != tt.refuses {
			t.Errorf("%s with %s: %q", tt.text, tt.arguments, got)
		}
	}
}

// What is long holds something, however it begins.
func TestLongResults(t *testing.T) {
	for name, text := range map[string]string{
		"a log":      "Error: " + strings.Repeat("x", 2000),
		"megabytes":  "Error" + strings.Repeat(": x is required. ", 10<<20/17),
		"lines":      "Failed to connect\n" + strings.Repeat("and so on\n", 200),
		"stack":      "Traceback (most recent call last)\n" + strings.Repeat("  File \"a.py\", line 1\n", 1000),
		"a document": `{"error":"x","text":"` + strings.Repeat("x", 1000) + `"}`,
		"a list":     "[" + strings.Repeat(`{"error":"x"},`, 20) + `{"error":"x"}]`,
		"deep":       strings.Repeat("[", 60_000),
		"objects":    strings.Repeat(`{"result":`, 5000) + `{"ok":false}` + strings.Repeat("}", 5000),
	} {
		if got := unmarked.Refusal(result(t, text), nil); got != "" {
			t.Errorf("%s refuses: %.80q", name, got)
		}
	}
	many := make([]string, 20)
	for i := range many {
		many[i] = "Error: x"
	}
	if got := unmarked.Refusal(result(t, many...), nil); got != "" {
		t.Errorf("a list of %d refuses: %.80q", len(many), got)
	}
}

func FuzzRefusal(f *testing.F) {
	for _, text := range []string{
		"Error: a is required", `{"error":{"message":"a"}}`, `{"success":false,"errors":[{"line":1}]}`, "❌ a not found", "[ERROR] a", `[{"error":"a"}]`,
		"Traceback (most recent call last)", "```json\n{\"ok\":false}\n```", "No paper found with id 1", `{"result":{"result":"Error: a"}}`, "\xff\xfeError: \xff",
	} {
		f.Add(text, `{"a":"Error: a"}`)
	}
	f.Fuzz(func(t *testing.T, text, arguments string) {
		raw := result(t, text)
		got := unmarked.Refusal(raw, json.RawMessage(arguments))
		if again := unmarked.Refusal(raw, json.RawMessage(arguments)); again != got {
			t.Errorf("%q, then %q", got, again)
		}
		if len(got) > 64<<10 || got != "" && strings.TrimSpace(text) == "" {
			t.Errorf("%q gives %q", text, got)
		}
		unmarked.Refusal(json.RawMessage(text), json.RawMessage(arguments))
		if unmarked.Refusal(result(t, "A result. "+text), nil) != "" || unmarked.Refusal(result(t, text, "a result"), nil) != "" {
			t.Errorf("%q beside a result refuses", text)
		}
	})
}
