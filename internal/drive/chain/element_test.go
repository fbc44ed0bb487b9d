package chain_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/chain"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

func TestElementsOfSnapshots(t *testing.T) {
	const (
		lines = "# take_snapshot response\nuid=1_0 RootWebArea \"Home\"\n  uid=1_4 link \"About\" url=\"https://www.example.com/about\"\n  uid=1_7 textbox \"Message\"\n  uid=1_8 button \"Attachment\" value=\"No file chosen\"\n  uid=1_9 button \"Search\"\n"
		marks = "- generic [ref=e2]:\n  - textbox \"Message\" [ref=e9]\n  - combobox \"Plan\" [ref=e11]\n  - button \"Search\" [ref=e14]\n"
	)
	for _, c := range []struct{ snapshot, tool, parameter, want string }{
		{lines, "click", "uid", "1_9"},
		{lines, "fill", "uid", "1_7"},
		{lines, "upload_file", "uid", "1_8"},
		{lines, "drag", "from_uid", "1_9"},
		{lines, "take_screenshot", "uid", "1_4"},
		{marks, "browser_select_option", "ref", "e11"},
		{marks, "browser_click", "ref", "e14"},
		{marks, "git_checkout", "branch", "1"},
	} {
		var m chain.Memory
		result, _ := json.Marshal(map[string]any{"content": []any{map[string]any{"type": "text", "text": c.snapshot}}})
		m.Learn("take_snapshot", result)
		tool := mcpsf.Tool{Name: c.tool, InputSchema: json.RawMessage(`{"type":"object","properties":{"` + c.parameter + `":{"type":"string"}},"required":["` + c.parameter + `"]}`)}
		in, _ := m.Fill(tool, schema.Input{JSON: json.RawMessage(`{"` + c.parameter + `":"1"}`)})
		if want := `{"` + c.parameter + `":"` + c.want + `"}`; string(in.JSON) != want {
			t.Errorf("%s: %s, want %s", c.tool, in.JSON, want)
		}
	}
}

func TestMembersWithTheNameOfAParameter(t *testing.T) {
	var m chain.Memory
	m.Learn("update_contact", json.RawMessage(`{"content":[{"type":"text","text":"{\"success\":true,\"confirm_token\":\"4hP2Rw4V0T5L\",\"target_path\":\"/etc/passwd\"}"}]}`))
	tool := mcpsf.Tool{Name: "confirm_update", InputSchema: json.RawMessage(`{"type":"object","properties":{"confirmToken":{"type":"string"},"target_path":{"type":"string"}}}`)}
	in, _ := m.Fill(tool, schema.Input{JSON: json.RawMessage(`{"confirmToken":"1","target_path":"/home/dev/a"}`)})
	if want := `{"confirmToken":"4hP2Rw4V0T5L","target_path":"/home/dev/a"}`; string(in.JSON) != want {
		t.Errorf("%s, want %s", in.JSON, want)
	}
}

// What is remembered by its whole name leaves room for what identifies a thing.
func TestManyMembers(t *testing.T) {
	members := map[string]any{"number": "zz-7"}
	for i := range 200 {
		members[fmt.Sprintf("archive_url%c%c", 'a'+i/26, 'a'+i%26)] = "https://www.example.com/"
	}
	text, _ := json.Marshal(members)
	result, _ := json.Marshal(map[string]any{"content": []any{map[string]any{"type": "text", "text": string(text)}}})
	var m chain.Memory
	m.Learn("create_issue", result)
	tool := mcpsf.Tool{Name: "get_issue", InputSchema: json.RawMessage(`{"type":"object","properties":{"issue_number":{"type":"string"}},"required":["issue_number"]}`)}
	in, _ := m.Fill(tool, schema.Input{JSON: json.RawMessage(`{"issue_number":"1"}`)})
	if want := `{"issue_number":"zz-7"}`; string(in.JSON) != want {
		t.Errorf("%s, want %s", in.JSON, want)
	}
}
