package session_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/attack"
	"github.com/mcpsf/mcpsf/internal/drive/attackplan"
	"github.com/mcpsf/mcpsf/internal/drive/protocol"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
	"github.com/mcpsf/mcpsf/internal/drive/session"
)

// notebook is a server that wants a sign-in, keeps notes in its memory, and names a note
// otherwise in each start. It notes which exports came behind its checks.
type notebook struct {
	stateful
	start    int
	signedIn bool
	ids      map[string]bool
	exported []string
	// forgets is how often it ends the session by itself, after an export.
	forgets int
}

func newNotebook(start int) *notebook {
	n := &notebook{start: start, ids: map[string]bool{}}
	n.tools = []string{
		`{"name":"export_note","inputSchema":{"type":"object","properties":{"note_id":{"type":"string"},"path":{"type":"string"}},"required":["note_id","path"]}}`,
		`{"name":"create_note","inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}}`,
		"sign_in", "sign_out",
	}
	n.does = n.do
	return n
}

func (n *notebook) do(tool string, args map[string]any) (result, refusal string) {
	switch {
	case tool == "sign_in":
		n.signedIn = true
	case !n.signedIn:
		return "", "Not signed in: call sign_in first"
	case tool == "sign_out":
		n.signedIn, n.ids = false, map[string]bool{}
	case tool == "create_note":
		id := fmt.Sprintf("n-%d%d", n.start, len(n.ids))
		n.ids[id] = true
		return "Created note " + id, ""
	case tool == "export_note":
		id, _ := args["note_id"].(string)
		if !n.ids[id] {
			return "", "no such note: " + id
		}
		n.exported = append(n.exported, fmt.Sprint(args["path"]))
		if n.forgets > 0 {
			n.forgets--
			n.signedIn, n.ids = false, map[string]bool{}
		}
	}
	return "done", ""
}

// attacksOn returns the attacks on a tool that a session leads to, without those that
// are too large for these servers.
func attacksOn(s *mcpsf.Session, tool, place string) []attackplan.AttackCall {
	plan := attackplan.Plan{World: attack.New(1), Values: plantedInputs().Values, Seed: 1, Most: 500}
	var out []attackplan.AttackCall
	for _, c := range plan.Calls(s) {
		if c.Tool == tool && c.Attack.Place == place && c.Attack.Sign != mcpsf.SignCrash && c.Attack.Sign != mcpsf.SignCost {
			out = append(out, c)
		}
	}
	return out
}

// under attacks a server, which another session showed.
func under(t *testing.T, p *process, known *mcpsf.Session, calls []attackplan.AttackCall) (*mcpsf.Session, *recorder) {
	t.Helper()
	return drive(t, p, &session.Options{
		Inputs: plantedInputs(), Earlier: session.Earlier{Session: known, Since: mcpsf.SinceCalls},
		Instead: session.Instead{AttackCalls: calls},
	})
}

// Attacks reach what is behind a sign-in and an id of this start.
func TestAttacksHaveTheirState(t *testing.T) {
	first := newNotebook(1)
	known := first.drive(t, 1)
	if got := sequenceOf(known, "export_note"); got != "sign_in create_note export_note" {
		t.Fatalf("the sequence is %q: %v", got, first.calls)
	}
	calls := attacksOn(known, "export_note", "/path")
	if len(calls) < 5 {
		t.Fatalf("%d attacks", len(calls))
	}
	for _, forgets := range []int{0, 20, -20} {
		second := newNotebook(2)
		if second.soft = forgets < 0; second.soft {
			forgets = -forgets
		}
		second.forgets = forgets
		s, tap := under(t, second.stateful.start(), known, calls)
		if len(second.exported) != len(calls) {
			t.Errorf("%d of %d attacks came behind the checks: %q", len(second.exported), len(calls), second.calls)
		}
		made := 0
		for _, c := range s.Calls {
			if attackplan.IsAttackMethod(c.Method) && !c.Preparing {
				made++
			}
		}
		if made != len(calls) {
			t.Errorf("%d of %d calls are attacks: %s", made, len(calls), second.names())
		}
		for _, m := range tap.of(mcpsf.Stdin, mcpsf.MessageRequest) {
			switch attacked := m.Tool == "export_note"; {
			case m.Method == protocol.MethodCall && (m.Attack != nil) != attacked:
				t.Errorf("%s is an attack: %t", m.Tool, m.Attack != nil)
			case attacked && m.ServerValues.At("/arguments/note_id") != mcpsf.OriginResult:
				t.Errorf("the id is made by %v", m.ServerValues)
			case attacked && m.ServerValues.At("/arguments/path") != "":
				t.Errorf("the payload is made by %v", m.ServerValues)
			}
		}
		if n := strings.Count(second.names(), "sign_in"); n != 1+forgets {
			t.Errorf("signed in %d times", n)
		}
	}
}

// The attacked argument keeps its payload, also where an id is expected.
func TestAttackedLinksStay(t *testing.T) {
	known := newNotebook(1).drive(t, 1)
	calls := attacksOn(known, "export_note", "/note_id")
	second := newNotebook(2)
	s, _ := under(t, second.stateful.start(), known, calls)
	sent := map[string]bool{}
	for _, c := range s.Calls {
		id, _ := schema.Get(c.Arguments, "/note_id")
		sent[string(id)] = true
	}
	for _, c := range calls {
		if id, _ := schema.Get(c.Arguments, "/note_id"); !sent[string(id)] {
			t.Errorf("%s was not sent", id)
		}
	}
	if len(second.exported) > 0 {
		t.Errorf("exported %q", second.exported)
	}
}

// What a tool needs is found out if it never had to say so.
func TestStateIsFoundOutUnderAttack(t *testing.T) {
	serve := func() *stateful {
		chosen := false
		s := &stateful{tools: []string{"choose_folder", `{"name":"find","inputSchema":{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]}}`}}
		s.does = func(tool string, _ map[string]any) (string, string) {
			if tool == "find" && !chosen {
				return "", "call choose_folder first"
			}
			chosen = true
			return "done", ""
		}
		return s
	}
	known := serve().drive(t, 1)
	if got := sequenceOf(known, "find"); got != "" {
		t.Fatalf("the sequence is %q", got)
	}
	calls := attacksOn(known, "find", "/query")
	second := serve()
	s, _ := under(t, second.start(), known, calls)
	if diff := cmp.Diff("find choose_folder find find", second.names()[:len("find choose_folder find find")]); diff != "" {
		t.Error(diff)
	}
	if !s.Calls[1].Preparing || s.Calls[1].Status != mcpsf.CallRefused || len(second.calls) != len(calls)+2 {
		t.Errorf("%d attacks: %s", len(calls), statuses(s))
	}
}

// That is so as well if a tool needs other things that are known.
func TestMoreStateIsFoundOutUnderAttack(t *testing.T) {
	serve := func() *notebook {
		n, chosen := newNotebook(1), false
		n.tools = append([]string{"choose_folder"}, n.tools...)
		n.does = func(tool string, args map[string]any) (string, string) {
			switch {
			case tool == "choose_folder":
				chosen = true
				return "done", ""
			case tool == "export_note" && !chosen:
				return "", "call choose_folder first"
			}
			return n.do(tool, args)
		}
		return n
	}
	known := serve().drive(t, 1)
	if got := sequenceOf(known, "export_note"); got != "sign_in create_note export_note" {
		t.Fatalf("the sequence is %q", got)
	}
	calls := attacksOn(known, "export_note", "/path")
	second := serve()
	under(t, second.stateful.start(), known, calls)
	if len(second.exported) != len(calls) {
		t.Errorf("%d of %d attacks came behind the checks: %s", len(second.exported), len(calls), second.names())
	}
}

// A server that wants its state again and again gets it a few times.
func TestStateIsNotMadeForEver(t *testing.T) {
	known := newNotebook(1).drive(t, 1)
	calls := attacksOn(known, "export_note", "/path")
	second := newNotebook(2)
	second.does = func(tool string, args map[string]any) (string, string) {
		if tool == "export_note" {
			return "", "call sign_in first"
		}
		return second.do(tool, args)
	}
	under(t, second.stateful.start(), known, calls)
	if got, most := len(second.calls), len(calls)+2+3*3; got > most {
		t.Errorf("%d calls, more than %d", got, most)
	}
}

// Calls are shortened in the state that their tool needs.
func TestShrinkHasItsState(t *testing.T) {
	known := newNotebook(1).drive(t, 1)
	call := attacksOn(known, "export_note", "/path")[0]
	second := newNotebook(2)
	made := 0
	under := &session.Shrinking{
		Calls: []attackplan.AttackCall{call}, Most: 40,
		Shown: func(context.Context, *mcpsf.AttackDetail, string) bool { made++; return len(second.exported) == made },
	}
	drive(t, second.stateful.start(), &session.Options{Inputs: plantedInputs(), Instead: session.Instead{Shrinking: under}})
	if made < 2 || len(second.exported) < 1 || !strings.HasPrefix(second.names(), "sign_in create_note export_note") {
		t.Errorf("%d attempts, of which %d came behind the checks: %s", made, len(second.exported), second.names())
	}
}

// Words are sent in the state that a tool needs, though it was taken away before.
func TestWordsHaveTheirState(t *testing.T) {
	said := 0
	s := newNotebook(1)
	s.tools = append(s.tools, `{"name":"say","inputSchema":{"type":"object","properties":{"note_id":{"type":"string"},"query":{"type":"string"}},"required":["note_id","query"]}}`)
	s.does = func(tool string, args map[string]any) (string, string) {
		if result, refusal := s.do(tool, args); tool != "say" || refusal != "" {
			return result, refusal
		}
		if id, _ := args["note_id"].(string); !s.ids[id] {
			return "", "no such note"
		}
		if strings.Contains(fmt.Sprint(args["query"]), "sesame") {
			said++
		}
		return "done", ""
	}
	inputs := plantedInputs()
	inputs.Words = func() []string { return []string{"sesame"} }
	out, _ := drive(t, s.stateful.start(), &session.Options{Inputs: inputs})
	if got := sequenceOf(out, "say"); got != "sign_in create_note say" || said == 0 {
		t.Errorf("the word came behind the checks %d times; the sequence is %q: %q", said, got, s.calls)
	}
}

// What takes the server down while the state is made is no attack.
func TestStateThatTakesTheServerDown(t *testing.T) {
	known, _ := drive(t, mortal([]string{"login", "find"}, func(rpc) bool { return true }), &session.Options{Inputs: plantedInputs()})
	calls := attacksOn(known, "find", "/query")
	if len(calls) == 0 || len(calls[0].Sequence) != 2 {
		t.Fatalf("%d attacks", len(calls))
	}
	s, tap := under(t, mortal([]string{"login", "find"}, func(r rpc) bool { return r.Params.Name != "login" }), known, calls)
	if last := s.Calls[len(s.Calls)-1]; last.Tool != "login" || !last.Preparing || last.Status != mcpsf.CallCrashed {
		t.Errorf("%+v", last)
	}
	for _, m := range tap.messages {
		if m.Attack != nil {
			t.Errorf("%s is an attack", m.Tool)
		}
	}
}
