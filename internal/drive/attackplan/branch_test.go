package attackplan

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/attack"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
)

// A weakness may stand behind a switch, or behind another choice: each place is attacked
// there as well.
func TestBranches(t *testing.T) {
	s := &mcpsf.Session{Tools: []mcpsf.Tool{{Name: "get_attachment", InputSchema: json.RawMessage(
		`{"type":"object","properties":{"file_name":{"type":"string"},"as_base64":{"type":"boolean"},"sort":{"enum":["name","size"]},"dry_run":{"type":"boolean"}},"required":["file_name"]}`)}}}
	plan := Plan{World: attack.New(1), Values: meaning.Values{Dir: "/srv"}, Seed: 1, Most: 10000}
	found := map[string]bool{}
	for _, call := range plan.Calls(s) {
		args := string(call.Arguments)
		for _, switched := range []string{`"as_base64":true`, `"sort":"name"`, `"sort":"size"`, `"dry_run":true`} {
			if call.Attack.Class == "path-traversal" && call.Attack.Place == "/file_name" && strings.Contains(args, "../") && strings.Contains(args, switched) {
				found[switched] = true
			}
		}
	}
	if len(found) != 3 || found[`"dry_run":true`] {
		t.Errorf("paths out of the folder are sent with %v", found)
	}
}

// What an attack stored is used with the switches on as well.
func TestSwitchedOn(t *testing.T) {
	tool := mcpsf.Tool{Name: "preview", InputSchema: json.RawMessage(`{"type":"object","properties":{"id":{"type":"string"},"estimate":{"type":"boolean"}},"required":["id"]}`)}
	steps, ok := switchedOn([]mcpsf.Step{{Tool: tool, Arguments: json.RawMessage(`{"id":"1"}`)}})
	if !ok || string(steps[0].Arguments) != `{"estimate":true,"id":"1"}` {
		t.Errorf("%v %s", ok, steps[0].Arguments)
	}
	if again, more := switchedOn(steps); more {
		t.Errorf("switched on twice: %s", again[0].Arguments)
	}
}

// It is used with other choices, too, those of each argument in turn and without what is
// chosen anyway.
func TestChosenOtherwise(t *testing.T) {
	tool := mcpsf.Tool{Name: "export", InputSchema: json.RawMessage(`{"type":"object","properties":{"id":{"type":"string"},"format":{"enum":["json","bundle","text"]},
		"font":{"enum":["serif","sans","hand","type"],"default":"serif"}},"required":["id"]}`)}
	var got []string
	for _, steps := range chosenOtherwise([]mcpsf.Step{{Tool: tool, Arguments: json.RawMessage(`{"format":"json","id":"1"}`)}}) {
		got = append(got, string(steps[0].Arguments))
	}
	want := []string{
		`{"font":"sans","format":"json","id":"1"}`, `{"format":"bundle","id":"1"}`, `{"font":"hand","format":"json","id":"1"}`, `{"format":"text","id":"1"}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
