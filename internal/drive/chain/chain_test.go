package chain_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/chain"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

// step is a tool's result to learn from.
type step struct{ tool, result string }

func said(text string) string {
	quoted, _ := json.Marshal(text)
	return fmt.Sprintf(`{"content":[{"type":"text","text":%s}]}`, quoted)
}

func structured(value string) string {
	return `{"content":[],"structuredContent":` + value + `}`
}

func TestFill(t *testing.T) {
	const (
		id     = `{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}`
		number = `{"type":"object","properties":{"issue_number":{"type":"integer"}},"required":["issue_number"]}`
		file   = `{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`
	)
	tests := map[string]struct {
		learned            []step
		tool, schema, args string
		want               string
	}{
		"id of a structured result": {[]step{{"create_note", structured(`{"id":"n-42"}`)}}, "get_note", id, `{"id":"1"}`, `{"id":"n-42"}`},
		"JSON in a text":            {[]step{{"create_issue", said(`{"id":7,"number":12,"user":{"id":3}}`)}}, "get_issue", number, `{"issue_number":1}`, `{"issue_number":12}`},
		"id where no number is":     {[]step{{"create_issue", said(`{"id":7}`)}}, "get_issue", number, `{"issue_number":1}`, `{"issue_number":7}`},
		"number as a string":        {[]step{{"create_note", structured(`{"id":42}`)}}, "delete_note", id, `{"id":"1"}`, `{"id":"42"}`},
		"string as a number":        {[]step{{"create_issue", structured(`{"number":"12"}`)}}, "get_issue", number, `{"issue_number":1}`, `{"issue_number":12}`},
		"no number in it":           {[]step{{"create_issue", structured(`{"number":"twelve"}`)}}, "get_issue", number, `{"issue_number":1}`, `{"issue_number":1}`},
		"prose":                     {[]step{{"create_note", said("Created note n-42.")}}, "delete_note", id, `{"id":"1"}`, `{"id":"n-42"}`},
		"a coined name":             {[]step{{"create_note", said("Created n-0001.")}}, "delete_note", id, `{"id":"1"}`, `{"id":"n-0001"}`},
		"a coined name, with ours":  {[]step{{"create_profile", said("Created profile bk-example.")}}, "run_backup", `{"properties":{"profile_id":{"type":"string"}}}`, `{"profile_id":"1"}`, `{"profile_id":"bk-example"}`},
		"a coined name among words": {[]step{{"import_board", said("Imported 'example' as board-b90ffe with 0 card(s), read-only, at 9:30.")}}, "view_board", `{"properties":{"board_id":{"type":"string"}}}`, `{"board_id":"1"}`, `{"board_id":"board-b90ffe"}`},
		"no coined name":            {[]step{{"create_note", said("Saved at 2026-11-19, in read-only mode.")}}, "delete_note", id, `{"id":"1"}`, `{"id":"1"}`},
		"prose with a number":       {[]step{{"open_issue", said("Issue #12 was opened")}}, "get_issue", number, `{"issue_number":1}`, `{"issue_number":12}`},
		"prose with a label":        {[]step{{"start_session", said("Ready. Session ID: `ab12-x`\n")}}, "run", `{"properties":{"sessionId":{"type":"string"}}}`, `{"sessionId":"1"}`, `{"sessionId":"ab12-x"}`},
		"a bare identifier":         {[]step{{"addTask", said("t9f3")}}, "completeTask", `{"properties":{"taskId":{"type":"string"}}}`, `{"taskId":"1"}`, `{"taskId":"t9f3"}`},
		"a wrapped identifier":      {[]step{{"add_task", structured(`{"result":"t9f3"}`)}}, "get_task", id, `{"id":"1"}`, `{"id":"t9f3"}`},
		"UUID in prose":             {[]step{{"create_job", said("Queued as 3f2b8c1e-5d4a-4f6b-9c7d-8e9f0a1b2c3d now")}}, "get_job", id, `{"id":"1"}`, `{"id":"3f2b8c1e-5d4a-4f6b-9c7d-8e9f0a1b2c3d"}`},
		"inside a text":             {[]step{{"create_note", structured(`{"id":"n-42"}`)}}, "get_note", `{"properties":{"query":{"type":"string"}}}`, `{"query":"{\"note_id\":\"1\",\"x\":\"y\"}"}`, `{"query":"{\"note_id\":\"n-42\",\"x\":\"y\"}"}`},
		"of the right thing":        {[]step{{"create_project", structured(`{"id":"p1"}`)}, {"create_task", structured(`{"id":"t1"}`)}}, "get_project_stats", `{"properties":{"project_id":{"type":"string"}}}`, `{"project_id":"1"}`, `{"project_id":"p1"}`},
		"under its name":            {[]step{{"setup", structured(`{"project":{"id":"p1"},"user":{"id":"u1"}}`)}}, "get", `{"properties":{"user_id":{"type":"string"}}}`, `{"user_id":"1"}`, `{"user_id":"u1"}`},
		"not what it was added to":  {[]step{{"create_list", structured(`{"id":"l1"}`)}, {"add_card_to_list", structured(`{"id":"c1"}`)}}, "get_list", id, `{"id":"1"}`, `{"id":"l1"}`},
		"not what it comments on":   {[]step{{"create_issue", structured(`{"number":12}`)}, {"add_issue_comment", structured(`{"number":99}`)}}, "get_issue", number, `{"issue_number":1}`, `{"issue_number":12}`},
		"id before its thing":       {[]step{{"get_card", structured(`{"idBoard":"b1"}`)}}, "get_board", id, `{"id":"1"}`, `{"id":"b1"}`},
		"a label in bold":           {[]step{{"learn", said("**CONVERSATION ID:** c-7\nUse this conversationId in all calls.")}}, "ask", `{"properties":{"conversationId":{"type":"string"}}}`, `{"conversationId":"1"}`, `{"conversationId":"c-7"}`},
		"what is only talk":         {[]step{{"learn", said("The session id is for later; the session name of it too")}}, "run", `{"properties":{"session_id":{"type":"string"}}}`, `{"session_id":"1"}`, `{"session_id":"1"}`},
		"first of a list":           {[]step{{"list_notes", said(`{"notes":[{"id":"a"},{"id":"b"}]}`)}}, "get_note", id, `{"id":"1"}`, `{"id":"a"}`},
		"made before found":         {[]step{{"create_note", structured(`{"id":"made"}`)}, {"list_notes", structured(`{"notes":[{"id":"found"}]}`)}}, "get_note", id, `{"id":"1"}`, `{"id":"made"}`},
		"the latest":                {[]step{{"create_note", structured(`{"id":"old"}`)}, {"create_note", structured(`{"id":"new"}`)}}, "get_note", id, `{"id":"1"}`, `{"id":"new"}`},
		"in an array":               {[]step{{"create_note", structured(`{"id":"n1"}`)}}, "delete_notes", `{"properties":{"note_ids":{"type":"array","items":{"type":"string"}}}}`, `{"note_ids":["1"]}`, `{"note_ids":["n1"]}`},
		"cursor of the same tool":   {[]step{{"list_notes", structured(`{"notes":[],"nextCursor":"c2"}`)}}, "list_notes", `{"properties":{"cursor":{"type":"string"}}}`, `{"cursor":"1"}`, `{"cursor":"c2"}`},
		"cursor of another":         {[]step{{"list_notes", structured(`{"nextCursor":"c2"}`)}}, "list_tags", `{"properties":{"cursor":{"type":"string"}}}`, `{"cursor":"1"}`, `{"cursor":"1"}`},
		"another thing":             {[]step{{"create_note", structured(`{"id":"n1"}`)}}, "get_user", id, `{"id":"1"}`, `{"id":"1"}`},
		"no reference":              {[]step{{"create_note", structured(`{"id":"n1","text":"hello"}`)}}, "find_note", `{"properties":{"text":{"type":"string"}}}`, `{"text":"x"}`, `{"text":"x"}`},
		"what it is to make":        {[]step{{"create_note", structured(`{"id":"n1","name":"old"}`)}}, "create_note", `{"properties":{"name":{"type":"string"}}}`, `{"name":"new"}`, `{"name":"new"}`},
		"for what it is to make":    {[]step{{"create_project", structured(`{"id":"p1"}`)}}, "create_task", `{"properties":{"project_id":{"type":"string"}}}`, `{"project_id":"1"}`, `{"project_id":"p1"}`},
		"absent stays absent":       {[]step{{"create_note", structured(`{"id":"n1"}`)}}, "get_note", `{"properties":{"id":{"type":"string"}}}`, `{}`, `{}`},
		"not accepted":              {[]step{{"create_note", structured(`{"id":"n1"}`)}}, "get_note", `{"properties":{"id":{"type":"string","pattern":"^[0-9]+$"}}}`, `{"id":"1"}`, `{"id":"1"}`},
		"an error":                  {[]step{{"create_note", `{"isError":true,"structuredContent":{"id":"n1"}}`}}, "get_note", id, `{"id":"1"}`, `{"id":"1"}`},
		"a file beside ours":        {[]step{{"export_file", structured(`{"path":"/home/dev/docs/out.csv"}`)}}, "read_file", file, `{"path":"/home/dev/docs/a.md"}`, `{"path":"/home/dev/docs/out.csv"}`},
		"a secret":                  {[]step{{"export_file", structured(`{"path":"/home/dev/.aws/credentials"}`)}}, "read_file", file, `{"path":"/home/dev/docs/a.md"}`, `{"path":"/home/dev/docs/a.md"}`},
		"a secret below":            {[]step{{"export_file", structured(`{"path":"/home/dev/.env"}`)}}, "read_file", file, `{"path":"/home/dev/a.md"}`, `{"path":"/home/dev/a.md"}`},
		"a way out":                 {[]step{{"export_file", structured(`{"path":"/home/dev/docs/../.env"}`)}}, "read_file", file, `{"path":"/home/dev/docs/a.md"}`, `{"path":"/home/dev/docs/a.md"}`},
		"a secret as an id":         {[]step{{"create_note", structured(`{"id":"../.ssh/id_rsa"}`)}}, "get_note", id, `{"id":"1"}`, `{"id":"1"}`},
		"an option as an id":        {[]step{{"create_note", structured(`{"id":"--output=x1"}`)}}, "get_note", id, `{"id":"1"}`, `{"id":"1"}`},
		"another host":              {[]step{{"create_page", structured(`{"url":"http://collector.example/"}`)}}, "get_page", `{"properties":{"url":{"type":"string"}}}`, `{"url":"https://www.example.com/"}`, `{"url":"https://www.example.com/"}`},
		"the same host":             {[]step{{"create_page", structured(`{"url":"https://www.example.com/7"}`)}}, "get_page", `{"properties":{"url":{"type":"string"}}}`, `{"url":"https://www.example.com/"}`, `{"url":"https://www.example.com/7"}`},
		"control characters":        {[]step{{"create_note", structured(`{"id":"a\u001b[31m"}`)}}, "get_note", id, `{"id":"1"}`, `{"id":"1"}`},
		"a huge value":              {[]step{{"create_note", structured(`{"id":"` + strings.Repeat("x", 5000) + `"}`)}}, "get_note", id, `{"id":"1"}`, `{"id":"1"}`},
		"a huge number":             {[]step{{"create_issue", structured(`{"number":1e400}`)}}, "get_issue", number, `{"issue_number":1}`, `{"issue_number":1}`},
		"a leading zero":            {[]step{{"create_issue", structured(`{"number":"007"}`)}}, "get_issue", number, `{"issue_number":1}`, `{"issue_number":1}`},
		"garbage":                   {[]step{{"create_note", `nonsense`}, {"create_note", `{"content":5,"structuredContent":[]}`}}, "get_note", id, `{"id":"1"}`, `{"id":"1"}`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var m chain.Memory
			for _, s := range test.learned {
				m.Learn(s.tool, json.RawMessage(s.result))
			}
			got, links := m.Fill(mcpsf.Tool{Name: test.tool, InputSchema: json.RawMessage(test.schema)}, schema.Input{JSON: json.RawMessage(test.args)})
			if string(got.JSON) != test.want {
				t.Errorf("arguments are %s, want %s", got.JSON, test.want)
			}
			if changed := test.args != test.want; changed != (len(links) == 1) || changed != (len(got.Server) == 1) {
				t.Errorf("links are %+v, values of the server %+v", links, got.Server)
			}
		})
	}
}

func TestFillLinks(t *testing.T) {
	var m chain.Memory
	m.Learn("create_note", json.RawMessage(structured(`{"id":"n-42"}`)))
	tool := mcpsf.Tool{Name: "delete_note", InputSchema: json.RawMessage(`{"properties":{"note_id":{"type":"string"}}}`)}
	_, links := m.Fill(tool, schema.Input{JSON: json.RawMessage(`{"note_id":"1"}`)})
	want := []chain.Link{{Pointer: "/note_id", Value: "n-42", Tool: "create_note"}}
	if diff := cmp.Diff(want, links); diff != "" {
		t.Errorf("links (-want +got):\n%s", diff)
	}
}

// A flood of values must neither evict everything else nor take for ever.
func TestLearnIsBounded(t *testing.T) {
	var m chain.Memory
	m.Learn("create_note", json.RawMessage(structured(`{"id":"n-42"}`)))
	var wide strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&wide, `"k%d_id":"v%d",`, i, i)
	}
	floods := []string{
		structured(`{` + wide.String() + `"id":"x"}`),
		structured(strings.Repeat(`{"a":`, 5000) + `1` + strings.Repeat(`}`, 5000)),
		structured(strings.Repeat(`[`, 100_000)),
		said(strings.Repeat("user id: a1 ", 50_000)),
		structured(`"` + strings.Repeat("x", 2<<20) + `"`),
	}
	for range 3 {
		for _, f := range floods {
			m.Learn("get_user", json.RawMessage(f))
		}
	}
	tool := mcpsf.Tool{Name: "get_note", InputSchema: json.RawMessage(`{"properties":{"id":{"type":"string"}}}`)}
	if got, _ := m.Fill(tool, schema.Input{JSON: json.RawMessage(`{"id":"1"}`)}); string(got.JSON) != `{"id":"n-42"}` {
		t.Errorf("arguments are %s after the flood", got.JSON)
	}
}

func TestOrder(t *testing.T) {
	tools := []mcpsf.Tool{
		{Name: "browser_close"}, {Name: "delete_note"}, {Name: "get_note"}, {Name: "list_open_issues"},
		{Name: "create_task", InputSchema: json.RawMessage(`{"required":["project_id","title"]}`)},
		{Name: "create_project", InputSchema: json.RawMessage(`{"required":["name"]}`)},
		{Name: "echo"}, {Name: "note-create"}, {Name: "startSession"}, {Name: "open_page", InputSchema: json.RawMessage(`{"required":["issue"]}`)}, {Name: "address_lookup"}, {Name: ""}, {Name: "removeTag"},
	}
	names := func() []string {
		var out []string
		for _, i := range chain.Order(tools) {
			out = append(out, tools[i].Name)
		}
		return out
	}
	want := []string{
		"startSession", "list_open_issues", "create_project", "note-create", "open_page", "create_task",
		"get_note", "echo", "address_lookup", "",
		"delete_note", "removeTag", "browser_close",
	}
	if diff := cmp.Diff(want, names()); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
	if got := chain.Order(nil); len(got) != 0 {
		t.Errorf("the order of nothing is %v", got)
	}
}

// FuzzMemory: whatever a tool returns, the arguments stay valid and name no
// hidden file.
func FuzzMemory(f *testing.F) {
	for _, seed := range []string{
		structured(`{"id":7,"note":{"path":"/home/dev/docs/x"}}`), said("Created note n-42, path: /etc/passwd"), said(`[{"id":"~"}]`), `[]`, `{"content":[{}]}`,
	} {
		f.Add("create_note", []byte(seed))
	}
	f.Fuzz(func(t *testing.T, tool string, result []byte) {
		var m chain.Memory
		m.Learn(tool, result)
		user := mcpsf.Tool{Name: "get_note", InputSchema: json.RawMessage(`{"properties":{"id":{"type":"string"},"note_number":{"type":"integer"},"path":{"type":"string"}}}`)}
		got, links := m.Fill(user, schema.Input{JSON: json.RawMessage(`{"id":"1","note_number":1,"path":"/home/dev/docs/a.md"}`)})
		if !json.Valid(got.JSON) {
			t.Fatalf("arguments are not JSON: %q", got.JSON)
		}
		m.Learn("pack_bundle", result)
		whole := mcpsf.Tool{Name: "unpack", InputSchema: json.RawMessage(`{"properties":{"bundle":{"type":"string"},"plan":{"type":"object","description":"returned by pack_bundle"}},"required":["bundle","plan"]}`)}
		if got, _ := m.Fill(whole, schema.Input{JSON: json.RawMessage(`{"bundle":"x","plan":{}}`)}); !json.Valid(got.JSON) || len(got.JSON) > 1<<20 {
			t.Fatalf("arguments are %.200q", got.JSON)
		}
		if _, ok := m.Whole("pack_bundle"); ok && len(result) < 3 {
			t.Fatalf("%q is a result", result)
		}
		for _, l := range links {
			if strings.Contains(l.Value, "/.") || strings.HasPrefix(l.Value, "/") && !strings.HasPrefix(l.Value, "/home/dev/docs/") {
				t.Fatalf("the server chose %q", l.Value)
			}
		}
	})
}

// A parameter named like a thing is filled only if its description says that it
// identifies one, or names the tool that lists them.
func TestFillCalledLikeItsThing(t *testing.T) {
	var m chain.Memory
	m.Learn("list_devices", json.RawMessage(`{"content":[{"type":"text","text":"{\"devices\":[{\"id\":\"emulator-7\",\"name\":\"Phone\"}]}"}]}`))
	for about, want := range map[string]string{
		"The device identifier":   `{"device":"emulator-7"}`,
		"One of list_devices":     `{"device":"emulator-7"}`,
		"What you think of it":    `{"device":"1"}`,
		"The make of the machine": `{"device":"1"}`,
	} {
		tool := mcpsf.Tool{Name: "tap", InputSchema: json.RawMessage(`{"properties":{"device":{"type":"string","description":"` + about + `"}}}`)}
		if got, _ := m.Fill(tool, schema.Input{JSON: json.RawMessage(`{"device":"1"}`)}); string(got.JSON) != want {
			t.Errorf("%q: arguments are %s, want %s", about, got.JSON, want)
		}
	}
}

// A number that was guessed right is a link all the same: the next start may count on.
func TestGuessedRight(t *testing.T) {
	for typ, want := range map[string]int{"integer": 1, "string": 0} {
		var m chain.Memory
		m.Learn("add_bookmark", json.RawMessage(structured(`{"id":1}`)))
		args := `{"bookmark_id":1}`
		if typ == "string" {
			args = `{"bookmark_id":"1"}`
		}
		tool := mcpsf.Tool{Name: "get_bookmark", InputSchema: json.RawMessage(`{"type":"object","properties":{"bookmark_id":{"type":"` + typ + `"}}}`)}
		got, links := m.Fill(tool, schema.Input{JSON: json.RawMessage(args)})
		if string(got.JSON) != args || len(links) != want {
			t.Errorf("%s: %s %v", typ, got.JSON, links)
		}
	}
}
