package session_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mcpsf/mcpsf"
)

// shelf is a server that stores queries in its memory and runs them later.
type shelf struct {
	stateful
	start  int
	stored map[string]string
	ran    []string
}

func newShelf(start int) *shelf {
	s := &shelf{start: start, stored: map[string]string{}}
	s.tools = []string{
		`{"name":"create_query","inputSchema":{"type":"object","properties":{"command":{"type":"string"}},"required":["command"]}}`,
		`{"name":"run_query","inputSchema":{"type":"object","properties":{"query_id":{"type":"string"}},"required":["query_id"]}}`,
		`{"name":"delete_query","inputSchema":{"type":"object","properties":{"query_id":{"type":"string"}},"required":["query_id"]}}`,
	}
	s.does = s.do
	return s
}

func (s *shelf) do(tool string, args map[string]any) (result, refusal string) {
	if tool == "create_query" {
		id := fmt.Sprintf("q-%d%d", s.start, len(s.stored))
		s.stored[id] = fmt.Sprint(args["command"])
		return "Created query " + id, ""
	}
	id, _ := args["query_id"].(string)
	if _, ok := s.stored[id]; !ok {
		return "", "no such query: " + id
	}
	if tool == "run_query" {
		s.ran = append(s.ran, s.stored[id])
	}
	return "done", ""
}

// What an attack stores is used by the tool that takes it, with the attack's own sign
// and with the argument that it came through.
func TestStoredPayloadsAct(t *testing.T) {
	known := newShelf(1).drive(t, 1)
	calls := attacksOn(known, "create_query", "/command")
	if len(calls) < 5 {
		t.Fatalf("%d attacks", len(calls))
	}
	second := newShelf(2)
	s, tap := under(t, second.stateful.start(), known, calls)
	var stored []string
	for _, m := range tap.of(mcpsf.Stdin, mcpsf.MessageRequest) {
		if m.Tool != "run_query" {
			continue
		}
		if m.Attack == nil || m.Attack.Place != "/command of create_query" || m.ServerValues.At("/arguments/query_id") != mcpsf.OriginResult {
			t.Errorf("attack %+v, values of the server %v", m.Attack, m.ServerValues)
			continue
		}
		stored = append(stored, m.Attack.Payload)
	}
	for i, payload := range stored {
		if i >= len(second.ran) || !strings.HasPrefix(second.ran[i], payload) && !strings.HasPrefix(payload, "{") {
			t.Errorf("%q did not run: %q", payload, second.ran)
		}
	}
	if len(stored) < 5 || len(stored) != len(second.ran) || strings.Contains(second.names(), "delete_query") {
		t.Errorf("%d ran: %s", len(stored), second.names())
	}
	made := 0
	for _, c := range s.Calls {
		if c.Method == "tools/call" && !c.Preparing {
			made++
		}
	}
	if made != len(calls) {
		t.Errorf("%d of %d calls count as attacks", made, len(calls))
	}
}

// A tool that only shows what was stored proves nothing by an echo, and attacks that
// were refused stored nothing.
func TestNothingStoredNothingFollows(t *testing.T) {
	known := newShelf(1).drive(t, 1)
	calls := attacksOn(known, "create_query", "/command")
	second := newShelf(2)
	second.does = func(tool string, _ map[string]any) (result, refusal string) { return "", "invalid command" }
	under(t, second.stateful.start(), known, calls)
	if strings.Contains(second.names(), "run_query") {
		t.Errorf("%s", second.names())
	}
}
