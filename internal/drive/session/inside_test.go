package session_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf/internal/drive/session"
)

// A tool that takes its conditions as a JSON text gets payloads in the members of the
// text: here in one that it shows.
func TestAttacksInsideATextArrive(t *testing.T) {
	var shown []string
	newServer := func() *stateful {
		n := &stateful{tools: []string{
			`{"name":"find_post","inputSchema":{"type":"object","properties":{"filter":{"type":"string","description":"JSON, for example {\"author\": \"alex\", \"limit\": 3}"}},"required":["filter"]}}`,
		}}
		n.does = func(_ string, args map[string]any) (result, refusal string) {
			var filter struct {
				Author string
				Limit  json.Number
			}
			text, _ := args["filter"].(string)
			if json.Unmarshal([]byte(text), &filter) != nil || filter.Limit == "" {
				return "", "filter must be a JSON object"
			}
			shown = append(shown, filter.Author)
			return "posts of " + filter.Author, ""
		}
		return n
	}
	s, _ := drive(t, newServer().start(), &session.Options{Inputs: plantedInputs()})
	calls := attacksOn(s, "find_post", "/filter#/author")
	if len(calls) == 0 {
		t.Fatalf("no attack inside the text after %s", statuses(s))
	}
	shown = nil
	_, tap := drive(t, newServer().start(), &session.Options{Inputs: plantedInputs(), Instead: session.Instead{AttackCalls: calls}})
	if len(shown) == 0 || len(shown) > len(calls) {
		t.Errorf("%d of %d attacks came behind the check", len(shown), len(calls))
	}
	marked := 0
	for i := range calls {
		for _, author := range shown {
			if m := calls[i].Attack.Marker; m != "" && strings.Contains(author, m) {
				marked++
				break
			}
		}
	}
	if marked == 0 {
		t.Errorf("no payload arrived: %q", shown)
	}
	sent := 0
	for i := range tap.messages {
		if m := &tap.messages[i]; m.Method == "tools/call" && m.Attack != nil && m.Attack.Place == "/filter#/author" {
			sent++
		}
	}
	if sent < len(calls) {
		t.Errorf("%d of %d attacks name their place", sent, len(calls))
	}
}
