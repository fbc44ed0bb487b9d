package schema_test

import (
	"encoding/json"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/refusal"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

// An example in a refusal is sent, then a variation of it.
func TestMendExample(t *testing.T) {
	tests := []struct {
		name, schema, in, refusal string
		want                      string // "" if nothing changes
	}{
		{"a file below", properties(`"theme":{"type":"string"}`), `{"theme":"example"}`, "Unknown theme. Use a path such as theme/dark.css", `{"theme":"theme/dark.css"}`},
		{"a file below, for a path", properties(`"path":{"type":"string"}`), `{"path":"/home/dev/Documents/projects/notes.md"}`, "Invalid path, e.g. theme/dark.css", `{"path":"theme/dark.css"}`},
		{"a quarter", properties(`"period":{"type":"string"}`), `{"period":"1h"}`, "Invalid period: 1h (e.g. 2024-Q3)", `{"period":"2024-Q3"}`},
		{"the next one", properties(`"period":{"type":"string"}`), `{"period":"2024-Q3"}`, "Invalid period: 2024-Q3 (e.g. 2024-Q3)", `{"period":"2024-Q4"}`},
		{"the last one", properties(`"period":{"type":"string"}`), `{"period":"2024-Q4"}`, "Invalid period: 2024-Q4 (e.g. 2024-Q3)", ``},
		{"a pair", properties(`"pair":{"type":"string"}`), `{"pair":"x"}`, "pair is unknown, for example `EUR/USD`", `{"pair":"EUR/USD"}`},
		{"a mask", properties(`"week":{"type":"string"}`), `{"week":"x"}`, "week must be in the format YYYY-Www", `{"week":"2024-W20"}`},
		{"a missing one", properties(`"ticket":{"type":"string"}`), `{}`, "ticket is required, like AB-1234", `{"ticket":"AB-1234"}`},
		{"a missing path is ours", properties(`"path":{"type":"string"}`), `{}`, "path is required, like src/app.ts", `{"path":"/home/dev/Documents/projects/notes.md"}`},
		{"a UUID is ours", properties(`"id":{"type":"string"}`), `{"id":"1"}`, "id must be a UUID, e.g. aaaaaaaa-0000-4000-8000-000000000001", `ours`},
		{"a date in another notation", properties(`"day":{"type":"string"}`), `{"day":"2024-05-17"}`, "day must be a valid date, e.g. 17/05/2024", `{"day":"17/05/2024"}`},
		{"an object", properties(`"plan":{"type":"object"}`), `{"plan":{}}`, `Could not parse plan. Example: {"name":"x","rows":[1]}`, `{"plan":{"name":"x","rows":[1]}}`},
		{"the description has one", properties(`"part":{"type":"string","description":"A part of the catalogue (looks like X7-22)"}`), `{"part":"1"}`, "Part not found: 1", `{"part":"X7-22"}`},
		{"our own host", properties(`"url":{"type":"string"}`), `{"url":"x"}`, "url unknown, e.g. https://www.example.com/feed.xml", `{"url":"https://www.example.com/feed.xml"}`},

		{"a key", properties(`"file":{"type":"string"}`), `{"file":"notes.md"}`, "Invalid file, such as ~/.ssh/id_rsa", ``},
		{"a key by its name", properties(`"name":{"type":"string"}`), `{"name":"x"}`, "Invalid name, such as id_rsa", ``},
		{"a stranger's host", properties(`"source":{"type":"string"}`), `{"source":"x"}`, "Invalid source, e.g. http://collector.example/x", ``},
		{"a stranger's host without a scheme", properties(`"source":{"type":"string"}`), `{"source":"x"}`, "Invalid source, e.g. collector.example/x", ``},
		{"another folder", properties(`"file":{"type":"string"}`), `{"file":"x"}`, "Invalid file, e.g. ../other/x.css", ``},
		{"an absolute path", properties(`"file":{"type":"string"}`), `{"file":"x"}`, "Invalid file, e.g. /home/dev/.aws/credentials", ``},
		{"a command", properties(`"command":{"type":"string"}`), `{"command":"x"}`, "Invalid command, e.g. reboot-2", ``},
		{"a key inside a document", properties(`"plan":{"type":"object"}`), `{"plan":{}}`, `Could not parse plan. Example: {"file":"~/.ssh/id_rsa"}`, `{"plan":{"file":"/home/dev/Documents/projects/notes.md"}}`},
		{"a host inside a document", properties(`"plan":{"type":"object"}`), `{"plan":{}}`, `Could not parse plan. Example: {"hook":{"url":"http://collector.example/"}}`, `{"plan":{"hook":{"url":"https://www.example.com/"}}}`},
		{"places in a document in a text", properties(`"plan":{"type":"string"}`), `{"plan":"x"}`, `A plan looks like {"from": "10.1.2.3", "hosts": ["a.collector.example"], "n": 1}.`, `{"plan":"{\"from\":\"example\",\"hosts\":[\"www.example.com\"],\"n\":1}"}`},
		{"a value with blanks", properties(`"plate":{"type":"string"}`), `{"plate":"x"}`, `A plate looks like FR AB99.`, `{"plate":"FR AB99"}`},
		{"a value with a comma", properties(`"reading":{"type":"string"}`), `{"reading":"x"}`, `A reading looks like 2029-11-05T10:15Z, 7.25 and nothing else`, `{"reading":"2029-11-05T10:15Z, 7.25"}`},
		{"then its parts", properties(`"reading":{"type":"string"}`), `{"reading":"2029-11-05T10:15Z, 7.25"}`, `A reading looks like 2029-11-05T10:15Z, 7.25 and nothing else`, `{"reading":"2029-11-05T10:15Z"}`},
		{"a place behind a comma", properties(`"reading":{"type":"string"}`), `{"reading":"x"}`, `A reading looks like 7.25, collector.example:80/x2 and nothing else`, `{"reading":"7.25"}`},
		{"a host as a name in a document", properties(`"plan":{"type":"object"}`), `{"plan":{}}`, `Could not parse plan. Example: {"http://collector.example/":1}`, ``},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := schema.Input{JSON: json.RawMessage(tt.in), Server: mcpsf.ServerValues{}}
			got := schema.Mend(json.RawMessage(tt.schema), in, refusal.Read(tt.refusal), planted(), 1)
			if tt.want == "ours" {
				if !got.Changed || len(got.Input.Server) > 0 {
					t.Errorf("got %s of %+v", got.Input.JSON, got.Input.Server)
				}
				return
			}
			if got.Changed != (tt.want != "") || got.Changed && string(got.Input.JSON) != tt.want {
				t.Errorf("got %s, changed %v; want %s (%+v)", got.Input.JSON, got.Changed, tt.want, refusal.Read(tt.refusal))
			}
		})
	}
}

// What an example of the server's is used as, it is the server's.
func TestMendExampleSaysWhoMadeIt(t *testing.T) {
	in := schema.Input{JSON: json.RawMessage(`{"part":"1"}`), Server: mcpsf.ServerValues{}}
	raw := json.RawMessage(properties(`"part":{"type":"string","description":"looks like X7-22"}`))
	if got := schema.Mend(raw, in, refusal.Read("Part not found: 1"), planted(), 1); got.Input.Server.At("/part") != mcpsf.OriginDescription {
		t.Errorf("%s comes from %q", got.Input.JSON, got.Input.Server.At("/part"))
	}
	if got := schema.Mend(raw, in, refusal.Read("Invalid part, e.g. Z-9"), planted(), 1); got.Input.Server.At("/part") != mcpsf.OriginRefusal {
		t.Errorf("%s comes from %q", got.Input.JSON, got.Input.Server.At("/part"))
	}
}

// Examples in descriptions of parameters and of the tool are used, unless they name a
// place.
func TestToldExamples(t *testing.T) {
	tests := []struct{ name, tool, property, want string }{
		{"without quotes", "", `{"type":"string","description":"Quarter, such as 2024-Q3"}`, `"2024-Q3"`},
		{"a pair", "", `{"type":"string","description":"Currencies, e.g. EUR/USD"}`, `"EUR/USD"`},
		{"a file below", "", `{"type":"string","description":"Style, such as theme/dark.css"}`, `"theme/dark.css"`},
		{"a mask", "", `{"type":"string","description":"Format: YYYY-Www (2024-W05)"}`, `"2024-W05"`},
		{"a document in a text", "", `{"type":"string","description":"JSON. Example: {\"a\":1}"}`, `"{\"a\":1}"`},
		{"a document", "", `{"type":"object","description":"Example: {\"a\":1}"}`, `{"a":1}`},
		{"of the tool", "Makes a report of a quarter. x is a quarter like 2024-Q3.", `{"type":"string"}`, `"2024-Q3"`},
		{"of the tool, a call", `Example: {"x":"AB-12","y":1}`, `{"type":"string"}`, `"AB-12"`},
		{"of the tool, of another parameter", "excess: a number like A-1", `{"type":"string"}`, `"example"`},
		{"of the tool, docstring", "Books.\n\nArgs:\n    y: a name\n    x: the seat (e.g. 12C)\n", `{"type":"string"}`, `"12C"`},
		{"a stranger's host", "", `{"type":"string","description":"Where, e.g. collector.example/x"}`, `"example"`},
		{"a key", "x: such as ~/.ssh/id_rsa", `{"type":"string"}`, `"example"`},
		{"not of the schema", "", `{"type":"string","pattern":"^[a-z]+$","description":"Quarter, such as 2024-Q3"}`, `"example"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			raw := json.RawMessage(`{"type":"object","properties":{"x":` + tt.property + `},"required":["x"]}`)
			values := planted().ForTool(&mcpsf.Tool{Name: "t", Description: tt.tool})
			in, err := schema.Generate(raw, values, 1)
			if want := `{"x":` + tt.want + `}`; err != nil || string(in.JSON) != want {
				t.Errorf("got %s, %v, want %s", in.JSON, err, want)
			}
			if ours := tt.want == `"example"`; ours == (in.Server.At("/x") == mcpsf.OriginDescription) {
				t.Errorf("%s comes from %q", in.JSON, in.Server.At("/x"))
			}
		})
	}
}

// Members that neither the schema nor the input names are those of an answer, if there
// was one.
func TestStrange(t *testing.T) {
	list := `{"type":"object","properties":{"searchText":{"type":"string"}}}`
	for _, c := range []struct {
		schema, text string
		want         bool
	}{
		{list, `[{"code":"invalid_type","expected":"boolean","path":["canAssignTasks"],"message":"Invalid input: expected boolean, received undefined"}]`, true},
		{list, `[{"code":"invalid_type","expected":"string","path":["searchText"],"message":"Invalid input: expected string, received undefined"}]`, false},
		{list, `Invalid arguments: exists: Invalid input: expected nonoptional, received undefined, suggests: Invalid input: expected array, received undefined`, true},
		{`{"type":"object"}`, `ticket is required`, false},
		{list, `No snapshot found. Use take_snapshot to capture one.`, false},
	} {
		if got := schema.Strange(json.RawMessage(c.schema), schema.Input{JSON: json.RawMessage(`{}`)}, refusal.Read(c.text)); got != c.want {
			t.Errorf("%s: %t", c.text, got)
		}
	}
}

// What descriptions write as calls in programs is an example.
func TestAssignedInADescription(t *testing.T) {
	tool := mcpsf.Tool{Name: "work", Description: `Changes data - operation="insert/update" with table and data. Examples: operation="insert", table="users", data={"name":"John"}`}
	raw := json.RawMessage(`{"type":"object","properties":{"table":{"type":"string"},"data":{"type":"object"}},"required":["table","data"]}`)
	got, err := schema.Generate(raw, planted().ForTool(&tool), 1)
	if err != nil || string(got.JSON) != `{"data":{"name":"John"},"table":"users"}` {
		t.Errorf("%s, %v", got.JSON, err)
	}
}

// A code may stand for something: then its example is none of a program.
func TestCodeOfThing(t *testing.T) {
	for about, want := range map[string]string{
		"Like ZRH-01":                         `{"code":"ZRH-01"}`,
		"Python code to run, like print(1)":   `{"code":"1 + 1"}`,
		"JavaScript code, for example x => 1": `{"code":"1 + 1"}`,
		"The code":                            `{"code":"1 + 1"}`,
	} {
		raw := json.RawMessage(`{"type":"object","required":["code"],"properties":{"code":{"type":"string","description":"` + about + `"}}}`)
		in, err := schema.Generate(raw, planted(), 1)
		if err != nil || string(in.JSON) != want {
			t.Errorf("%s: %s, %v", about, in.JSON, err)
		}
	}
}
