package attackplan

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/sequence"
)

// What a tool stored acts in the tools that take what it returned, in those that work with
// the thing that it changes, and in one that needs nothing.
func TestTakers(t *testing.T) {
	tool := func(name, required string) mcpsf.Tool {
		return mcpsf.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object","properties":{"feed_id":{"type":"string"}},"required":[` + required + `]}`)}
	}
	s := &mcpsf.Session{Tools: []mcpsf.Tool{
		tool("add_feed", ``), tool("update_feed", `"feed_id"`), tool("rename_feed", `"feed_id"`), tool("refresh_feed", `"feed_id"`), tool("read_feed", `"feed_id"`),
		tool("print_feed", `"feed_id"`), tool("remove_feed", `"feed_id"`), tool("weekly_digest", ``), tool("export_all", ``),
	}}
	made := mcpsf.Step{Tool: s.Tools[0]}
	for _, x := range s.Tools {
		c := mcpsf.Call{Method: "tools/call", Tool: x.Name, Status: mcpsf.CallOK, Arguments: json.RawMessage(`{}`)}
		if len(sequence.Required(&x)) > 0 {
			c.Sequence = []mcpsf.Step{made, {Tool: x, Arguments: json.RawMessage(`{"feed_id":"f-1"}`), Links: []mcpsf.Link{{Pointer: "/feed_id", Tool: "add_feed"}}}}
		}
		s.Calls = append(s.Calls, c)
	}
	got := map[string][]string{}
	for tool, list := range takers(s, Worked(s)) {
		for _, steps := range list {
			got[tool] = append(got[tool], steps[len(steps)-1].Tool.Name)
		}
		slices.Sort(got[tool])
	}
	want := map[string][]string{
		"add_feed":    {"print_feed", "read_feed", "refresh_feed", "weekly_digest"},
		"update_feed": {"read_feed", "refresh_feed", "weekly_digest"},
		"rename_feed": {"read_feed", "refresh_feed", "weekly_digest"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
