package session_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/attackplan"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
	"github.com/mcpsf/mcpsf/internal/drive/session"
)

// unmarkedForms are the ways in which a server refuses without a mark.
func unmarkedForms(t *testing.T) map[string]func(why string) string {
	t.Helper()
	quoted := func(v any) string {
		out, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	text := func(s string) string { return `{"content":[{"type":"text","text":` + quoted(s) + `}]}` }
	return map[string]func(string) string{
		"text":  func(why string) string { return text("Error: " + why) },
		"cross": func(why string) string { return text("❌ Error: " + why) },
		"JSON":  func(why string) string { return text(quoted(map[string]any{"success": false, "error": why})) },
		"object": func(why string) string {
			return text(quoted(map[string]any{"error": map[string]any{"code": 400, "message": why}}))
		},
		"structure": func(why string) string {
			return `{"content":[],"structuredContent":` + quoted(map[string]any{"error": why}) + `}`
		},
		"wrapped": func(why string) string {
			return `{"content":[],"structuredContent":{"result":` + quoted("Error: "+why) + `}}`
		},
	}
}

// unmarkedServer has one tool. answer returns why a call is refused, "" for a result.
func unmarkedServer(t *testing.T, inputSchema string, refused func(why string) string, answer func(args map[string]any, raw string) string) *process {
	t.Helper()
	return scripted(func(r rpc, usual string) string {
		switch r.Method {
		case "tools/list":
			return response(r.ID, `{"tools":[{"name":"work","inputSchema":`+inputSchema+`}]}`) + "\n"
		case "tools/call":
			var args map[string]any
			if err := json.Unmarshal(r.Params.Arguments, &args); err != nil {
				t.Error(err)
			}
			if why := answer(args, string(r.Params.Arguments)); why != "" {
				return response(r.ID, refused(why)) + "\n"
			}
		}
		return usual
	})
}

func TestUnmarkedRefusalsAreInstructions(t *testing.T) {
	for name, form := range unmarkedForms(t) {
		t.Run(name, func(t *testing.T) {
			var runs [2][]string
			for i := range runs {
				p := unmarkedServer(t, `{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`, form, func(args map[string]any, raw string) string {
					runs[i] = append(runs[i], raw)
					path, _ := args["path"].(string)
					switch {
					case args["kind"] == nil:
						return "kind is required and must be one of 'deep', 'wide'"
					case args["count"] == nil:
						return "count must be provided"
					case strings.HasPrefix(path, "/"):
						return "Absolute paths are not allowed: " + path
					}
					return ""
				})
				inputs := plantedInputs()
				inputs.Rounds = 3
				s, _ := drive(t, p, &session.Options{Inputs: inputs})
				base := attackplan.Worked(s)["work"]
				if base == nil || base.Status != mcpsf.CallOK || !strings.Contains(string(base.Arguments), `"path":"notes.md"`) {
					t.Fatalf("the base is %+v; calls %v", base, runs[i])
				}
				if from := base.ServerValues.At("/arguments/kind"); from != mcpsf.OriginRefusal {
					t.Errorf("kind is made by %q", from)
				}
				if len(runs[i]) > 3+6 {
					t.Errorf("%d calls", len(runs[i]))
				}
			}
			if diff := cmp.Diff(runs[0], runs[1]); diff != "" {
				t.Errorf("another start makes other calls: %s", diff)
			}
		})
	}
}

// A tool that nothing helps keeps its first input as the base of attacks, in the state
// that it had.
func TestUnmarkedRefusalsThatStay(t *testing.T) {
	s := &stateful{tools: []string{"login", "look_up"}, soft: true, does: func(name string, _ map[string]any) (string, string) {
		if name == "look_up" {
			return "", "Error: the moon is not full"
		}
		return "done", ""
	}}
	out := s.drive(t, 2)
	base := attackplan.Worked(out)["look_up"]
	if base == nil || !base.Unmarked || base.Status != mcpsf.CallRefused || base.Note != "Error: the moon is not full" {
		t.Fatalf("the base is %+v", base)
	}
	for _, c := range out.Calls {
		if c.Tool == "look_up" && c.Status == mcpsf.CallOK {
			t.Errorf("a call worked: %+v", c)
		}
		if c.Tool == "look_up" && c.ID < base.ID {
			t.Errorf("%s is before the base %s", c.ID, base.ID)
		}
	}
	if len(base.Sequence) != 2 || base.Sequence[0].Tool.Name != "login" {
		t.Errorf("the sequence is %+v", base.Sequence)
	}
}

// A tool that comes too early is called again when what it lacks is there.
func TestUnmarkedRefusalsAreTriedLater(t *testing.T) {
	made := false
	s := &stateful{tools: []string{"describe_board", "create_board"}, soft: true, does: func(name string, _ map[string]any) (string, string) {
		if name == "create_board" {
			made = true
		} else if !made {
			return "", "Error: nothing here yet"
		}
		return "done", ""
	}}
	if c := attackplan.Worked(s.drive(t, 1))["describe_board"]; c == nil || c.Status != mcpsf.CallOK {
		t.Errorf("%+v; calls: %s", c, s.names())
	}
}

func TestUnmarkedRefusalsEnd(t *testing.T) {
	form := unmarkedForms(t)["text"]
	for name, tt := range map[string]struct {
		says func(n int) string
		want int
	}{
		"always another name": {func(n int) string { return fmt.Sprintf("argument%d is required", n) }, 4 + 6},
		"no words of use":     {func(int) string { return "try again" }, 4},
		"megabytes":           {func(int) string { return strings.Repeat("x is required. ", 10<<20/15) }, 4},
	} {
		calls := 0
		p := unmarkedServer(t, `{"type":"object"}`, form, func(map[string]any, string) string { calls++; return tt.says(calls) })
		inputs := plantedInputs()
		inputs.Rounds = 4
		s, _ := drive(t, p, &session.Options{Inputs: inputs})
		if calls > tt.want || calls == 0 {
			t.Errorf("%s: %d calls in 4 rounds", name, calls)
		}
		for _, c := range s.Calls {
			if c.Unmarked == (name == "megabytes") && c.Tool != "" || len(c.Note) > 400 {
				t.Errorf("%s: %.600s", name, fmt.Sprintf("%+v", c))
			}
		}
	}
}

// What an attack does is told by what is seen of it: its answer is no error, whatever
// its words are.
func TestUnmarkedRefusalOfAnAttack(t *testing.T) {
	form := unmarkedForms(t)["text"]
	p := unmarkedServer(t, `{"type":"object"}`, form, func(map[string]any, string) string { return "outside the folder" })
	attack := mcpsf.AttackDetail{Class: "path-traversal", Place: "/text", Payload: "../x", Sign: mcpsf.SignOpen, Marker: "x"}
	s, tap := drive(t, p, &session.Options{Instead: session.Instead{AttackCalls: []attackplan.AttackCall{{Tool: "work", Arguments: json.RawMessage(`{"text":"../x"}`), Attack: attack}}}})
	if got, want := statuses(s), "c1 initialize ok, c2 tools/call refused"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, m := range tap.messages {
		if m.Failed {
			t.Errorf("an answer counts as an error: %+v", m)
		}
	}
}

// An agent gets what a client gives a model: a result.
func TestUnmarkedRefusalOfAnAgent(t *testing.T) {
	p := unmarkedServer(t, `{"type":"object"}`, unmarkedForms(t)["text"], func(map[string]any, string) string { return "outside the folder" })
	asked := false
	s, _ := drive(t, p, &session.Options{Instead: session.Instead{Agent: agentOf(t, &asked)}})
	if !asked || !strings.HasSuffix(statuses(s), "tools/call refused") {
		t.Errorf("asked %v: %s", asked, statuses(s))
	}
}

func agentOf(t *testing.T, asked *bool) session.Agent {
	t.Helper()
	return func(ctx context.Context, c *session.AgentClient) error {
		*asked = true
		got, err := c.Call(ctx, "work", schema.Input{JSON: json.RawMessage(`{}`)})
		if got.Failed || got.Text != "Error: outside the folder" {
			t.Errorf("the agent got %+v", got)
		}
		return err
	}
}
