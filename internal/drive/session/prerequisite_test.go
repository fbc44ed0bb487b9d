package session_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/attackplan"
	"github.com/mcpsf/mcpsf/internal/drive/session"
)

// stateful is a server whose tools share a state: each is called with its arguments
// and returns a result and an error text, one of them "".
type stateful struct {
	tools []string // their names in the order of the list, or whole entries
	does  func(tool string, args map[string]any) (result, refusal string)
	calls []string // the calls so far, by name and arguments
	soft  bool     // does not mark errors as such
}

func (s *stateful) start() *process {
	var list []string
	for _, tool := range s.tools {
		if !strings.HasPrefix(tool, "{") {
			tool = `{"name":"` + tool + `","inputSchema":{"type":"object"}}`
		}
		list = append(list, tool)
	}
	return scripted(func(r rpc, usual string) string {
		switch r.Method {
		case "tools/list":
			return response(r.ID, `{"tools":[`+strings.Join(list, ",")+`]}`) + "\n"
		case "tools/call":
			var args map[string]any
			_ = json.Unmarshal(r.Params.Arguments, &args)
			s.calls = append(s.calls, r.Params.Name+" "+string(r.Params.Arguments))
			text, refusal := s.does(r.Params.Name, args)
			if refusal != "" {
				text = refusal
			}
			quoted, _ := json.Marshal(text)
			return response(r.ID, fmt.Sprintf(`{"isError":%t,"content":[{"type":"text","text":%s}]}`, refusal != "" && !s.soft, quoted)) + "\n"
		}
		return usual
	})
}

// names returns the tools of the calls, in order.
func (s *stateful) names() string {
	var out []string
	for _, c := range s.calls {
		name, _, _ := strings.Cut(c, " ")
		out = append(out, name)
	}
	return strings.Join(out, " ")
}

func (s *stateful) drive(t *testing.T, rounds int) *mcpsf.Session {
	t.Helper()
	inputs := plantedInputs()
	inputs.Rounds = rounds
	out, _ := drive(t, s.start(), &session.Options{Inputs: inputs})
	return out
}

// sequenceOf returns the tools on which the first success of a tool depended.
func sequenceOf(s *mcpsf.Session, tool string) string {
	for _, c := range s.Calls {
		if c.Tool == tool && c.Status == mcpsf.CallOK {
			var out []string
			for _, step := range c.Sequence {
				out = append(out, step.Tool.Name)
			}
			return strings.Join(out, " ")
		}
	}
	return "never worked"
}

// A tool that wants another one first gets it, however the text calls that.
func TestWhatIsWantedFirstIsCalled(t *testing.T) {
	for asks, tool := range map[string]string{
		"sign_in": "sign_in", "signIn": "sign_in", "login": "sign_in", "authenticate": "sign_in", "workspace": "use_workspace", "project": "load_project",
	} {
		ready := false
		s := &stateful{tools: []string{"list_files", "end_project", tool}, does: func(name string, _ map[string]any) (string, string) {
			switch {
			case name == tool:
				ready = true
			case !ready:
				return "", "call " + asks + " first"
			}
			return "done", ""
		}}
		out := s.drive(t, 1)
		if got := sequenceOf(out, "list_files"); got != tool+" list_files" {
			t.Errorf("%s: the sequence is %q; calls: %s", asks, got, s.names())
		}
	}
}

// What is wanted first may want something first itself.
func TestWhatIsWantedFirstWantsSomething(t *testing.T) {
	before := map[string]string{"look": "choose", "choose": "greet", "greet": "hum"}
	done := map[string]bool{}
	s := &stateful{tools: []string{"look", "choose", "greet", "hum"}, does: func(name string, _ map[string]any) (string, string) {
		if first := before[name]; first != "" && !done[first] {
			return "", "call " + first + " first"
		}
		done[name] = true
		return "done", ""
	}}
	out := s.drive(t, 2)
	if len(done) != 4 || len(s.calls) > 30 {
		t.Errorf("only %v worked: %s", slices.Sorted(maps.Keys(done)), s.names())
	}
	if got := sequenceOf(out, "choose"); got != "hum greet choose" {
		t.Errorf("the sequence is %q", got)
	}
}

// Servers that want things for ever, or lie, end within the budget.
func TestWhatIsWantedFirstEnds(t *testing.T) {
	many := []string{"a", "b"}
	for i := range 60 {
		many = append(many, fmt.Sprintf("step_%d", i))
	}
	for name, c := range map[string]struct {
		tools []string
		says  func(tool string, n int) string
		most  int
	}{
		"in a circle": {[]string{"a", "b"}, func(tool string, _ int) string {
			return "call " + map[string]string{"a": "b", "b": "a"}[tool] + " first"
		}, 4 * 4},
		"always another": {many, func(_ string, n int) string { return fmt.Sprintf("call step_%d first", n%60) }, 4*62 + 200},
		"itself":         {[]string{"a"}, func(string, int) string { return "call a first" }, 4},
		"nothing there":  {many, func(string, int) string { return "call zzz first" }, 4 * 62},
		"a lie": {[]string{"a", "b"}, func(tool string, _ int) string {
			if tool == "b" {
				return ""
			}
			return "call b first"
		}, 4 * 4},
		"what destroys": {[]string{"a", "delete_everything"}, func(tool string, _ int) string {
			if tool == "a" {
				return "call delete_everything first"
			}
			return ""
		}, 4 * 4},
		"the result of a circle": {[]string{"a", "b"}, func(tool string, _ int) string {
			return "x: the result of " + map[string]string{"a": "b", "b": "a"}[tool]
		}, 4 * 4},
	} {
		n := 0
		s := &stateful{tools: c.tools}
		s.does = func(tool string, _ map[string]any) (string, string) { n++; return "done", c.says(tool, n) }
		s.drive(t, 4)
		if n > c.most {
			t.Errorf("%s: %d calls, more than %d", name, n, c.most)
		}
		again := &stateful{tools: c.tools}
		n = 0
		again.does = func(tool string, _ map[string]any) (string, string) { n++; return "done", c.says(tool, n) }
		again.drive(t, 4)
		if diff := cmp.Diff(s.calls, again.calls); diff != "" {
			t.Errorf("%s: another start makes other calls: %s", name, diff)
		}
	}
}

// A result that only says that the call was refused counts as a refusal.
func TestResultsThatSayTheyAreRefusals(t *testing.T) {
	for text, want := range map[string]string{
		"Error: call use_workspace first":                                               "list_files use_workspace list_files",
		`{"error": "call use_workspace first"}`:                                         "list_files use_workspace list_files",
		`{"success": false, "call use_workspace first"`:                                 "list_files use_workspace list_files",
		"Here they are. Next time call use_workspace first":                             "list_files use_workspace",
		"Not much here. " + strings.Repeat("Words. ", 100) + "call use_workspace first": "list_files use_workspace",
		"Error: no such file":                                                           "list_files use_workspace",
	} {
		ready := false
		s := &stateful{tools: []string{"list_files", "use_workspace"}, soft: true, does: func(name string, _ map[string]any) (string, string) {
			if ready = ready || name == "use_workspace"; !ready {
				return "", text
			}
			return "done", ""
		}}
		out := s.drive(t, 1)
		if !strings.HasPrefix(s.names(), want) {
			t.Errorf("%q: %s", text, s.names())
		}
		again := want != "list_files use_workspace"
		if first := attackplan.Worked(out)["list_files"]; (first.Sequence != nil) != again {
			t.Errorf("%q: the sequence is %v", text, first.Sequence)
		}
	}
}

// A result that looks like a refusal and stays so is one that works.
func TestResultsThatLookLikeRefusals(t *testing.T) {
	s := &stateful{tools: []string{"login", "list_files", "use_workspace"}, soft: true, does: func(name string, _ map[string]any) (string, string) {
		if name == "list_files" {
			return "", "No files. You may call use_workspace first"
		}
		return "done", ""
	}}
	out := s.drive(t, 2)
	if want := "login list_files use_workspace list_files use_workspace"; !strings.HasPrefix(s.names(), want) || len(s.calls) > 12 {
		t.Errorf("%s, want %s", s.names(), want)
	}
	if c := attackplan.Worked(out)["list_files"]; c == nil || len(c.Sequence) != 3 {
		t.Errorf("%+v", c)
	}
	for _, c := range out.Calls {
		if c.Sequence != nil && c.Sequence[len(c.Sequence)-1].Tool.Name != c.Tool {
			t.Errorf("%s has the sequence of another call: %+v", c.Tool, c.Sequence)
		}
	}
}

// It is not followed without end.
func TestWhatIsWantedFirstIsNotDeep(t *testing.T) {
	// Names without a word in common: what is not named is not meant.
	words := strings.Fields("amber birch cedar delta ember fjord grove heath inlet jetty knoll ledge marsh north ocean pearl quarry ridge shoal tidal")
	var tools []string
	for _, w := range words {
		tools = append(tools, w+"_"+w)
	}
	s := &stateful{tools: tools, does: func(tool string, _ map[string]any) (string, string) {
		next := (slices.Index(tools, tool) + 1) % len(tools)
		return "", fmt.Sprintf("call %s first", tools[next])
	}}
	s.drive(t, 1)
	var want []string
	for _, n := range []int{0, 1, 2, 1, 2, 3, 2, 3, 4} {
		want = append(want, tools[n])
	}
	if !strings.HasPrefix(s.names(), strings.Join(want, " ")+" ") {
		t.Errorf("%s, want %s", s.names(), want)
	}
}

// A tool that came too early, and does not say so, is called once more.
func TestToolsAreCalledAgainWhenSomethingWasMade(t *testing.T) {
	boards := 0
	s := &stateful{tools: []string{"open_app", "register_user", "create_board", "delete_board"}}
	s.does = func(tool string, _ map[string]any) (string, string) {
		switch {
		case tool == "create_board":
			boards++
		case tool == "delete_board":
			boards = 0
		case tool == "register_user" && boards == 0:
			return "", "not now"
		}
		return "done", ""
	}
	out := s.drive(t, 1)
	if diff := cmp.Diff("open_app register_user create_board register_user delete_board", s.names()); diff != "" {
		t.Error(diff)
	}
	if got := sequenceOf(out, "register_user"); got != "open_app create_board register_user" {
		t.Errorf("the sequence is %q", got)
	}
}

// A tool is called once more with what a later result shows.
func TestToolsAreCalledAgainWhenSomethingWasShown(t *testing.T) {
	s := &stateful{
		tools: []string{`{"name":"copy_sheet","inputSchema":{"type":"object","properties":{"sheetName":{"type":"string"}},"required":["sheetName"]}}`, "describe_sheets"},
		does: func(tool string, args map[string]any) (string, string) {
			switch {
			case tool == "describe_sheets":
				return `{"sheets":[{"name":"Harbor"}]}`, ""
			case args["sheetName"] != "Harbor":
				return "", "it did not work"
			}
			return "copied", ""
		},
	}
	s.drive(t, 1)
	if last := s.calls[len(s.calls)-1]; last != `copy_sheet {"sheetName":"Harbor"}` {
		t.Errorf("%q", s.calls)
	}
}

// What results gave is a part of the sequence.
func TestLinkedCallsAreASequence(t *testing.T) {
	s := &stateful{
		tools: []string{`{"name":"get_note","inputSchema":{"type":"object","properties":{"note_id":{"type":"string"}},"required":["note_id"]}}`, "create_note"},
		does: func(tool string, args map[string]any) (string, string) {
			if tool == "create_note" {
				return "Created note n-42", ""
			}
			if args["note_id"] != "n-42" {
				return "", "no such note"
			}
			return "text", ""
		},
	}
	out := s.drive(t, 1)
	if got := sequenceOf(out, "get_note"); got != "create_note get_note" {
		t.Fatalf("the sequence is %q: %v", got, s.calls)
	}
	last := out.Calls[len(out.Calls)-1].Sequence[1]
	if diff := cmp.Diff([]mcpsf.Link{{Pointer: "/note_id", Tool: "create_note"}}, last.Links); diff != "" {
		t.Error(diff)
	}
	if last.ServerValues.At("/note_id") != mcpsf.OriginResult {
		t.Errorf("made by %v", last.ServerValues)
	}
}

// What a server named and took away since is named again by the tool that named it.
func TestWhatIsGoneIsNamedAgain(t *testing.T) {
	for _, refusal := range []string{"Error: Element with uid %v no longer exists on the page.", "Failed to hover: element %v not found"} {
		t.Run(refusal, func(t *testing.T) { namedAgain(t, refusal) })
	}
}

func namedAgain(t *testing.T, refused string) {
	number := 1
	s := &stateful{tools: []string{"take_snapshot", `{"name":"click","inputSchema":{"type":"object","properties":{"uid":{"type":"string"}},"required":["uid"]}}`,
		`{"name":"hover","inputSchema":{"type":"object","properties":{"uid":{"type":"string"}},"required":["uid"]}}`}}
	s.does = func(tool string, args map[string]any) (result, refusal string) {
		current := fmt.Sprintf("%d_1", number)
		switch {
		case tool == "take_snapshot":
			return fmt.Sprintf("uid=%s button \"Save\"", current), ""
		case args["uid"] != current:
			return "", fmt.Sprintf(refused, args["uid"])
		case tool == "click":
			number++ // the page is another one now
		}
		return "done", ""
	}
	out := s.drive(t, 1)
	if !slices.ContainsFunc(out.Calls, func(c mcpsf.Call) bool { return c.Tool == "hover" && c.Status == mcpsf.CallOK }) {
		t.Errorf("hover never worked: %s", s.calls)
	}
}

// What one tool took away is made again by the tool that made it.
func TestWhatWasTakenAwayIsMadeAgain(t *testing.T) {
	there := 0
	entry := func(name, does string) string {
		return `{"name":"` + name + `","description":"` + does + ` the list.","inputSchema":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}}`
	}
	s := &stateful{tools: []string{entry("rpush", "Push an element onto"), entry("rpop", "Remove and return the last element of"), entry("lrem", "Remove an element from")}}
	s.does = func(tool string, args map[string]any) (result, refusal string) {
		switch {
		case tool == "rpush":
			there = 1
		case there == 0:
			return "", fmt.Sprintf("Element '%v' not found in list, or the list does not exist.", args["name"])
		default:
			there = 0
		}
		return "done", ""
	}
	out := s.drive(t, 1)
	if !slices.ContainsFunc(out.Calls, func(c mcpsf.Call) bool { return c.Tool == "lrem" && c.Status == mcpsf.CallOK }) {
		t.Errorf("lrem never worked: %s", s.calls)
	}
}
