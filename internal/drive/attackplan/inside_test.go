package attackplan

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/attack"
	"github.com/mcpsf/mcpsf/internal/drive/meaning"
	"github.com/mcpsf/mcpsf/internal/drive/schema"
)

// finder is the session of tools that take a JSON text, beside a plain one.
func finder(tools int, text string, from ...mcpsf.ServerValue) *mcpsf.Session {
	s := &mcpsf.Session{}
	input := json.RawMessage(`{"type":"object","properties":{"filter":{"type":"string"},"path":{"type":"string"},"is_base64":{"type":"boolean"}},"required":["filter","path"]}`)
	for i := range tools {
		name := fmt.Sprint("find", i)
		args, _ := json.Marshal(map[string]string{"filter": text, "path": "a.md"})
		s.Tools = append(s.Tools, mcpsf.Tool{Name: name, InputSchema: input})
		s.Calls = append(s.Calls, mcpsf.Call{Method: "tools/call", Tool: name, Status: mcpsf.CallOK, Arguments: args, ServerValues: append(mcpsf.ServerValues{}, from...)})
	}
	return s
}

func planned(most int, s *mcpsf.Session) []AttackCall {
	plan := Plan{World: attack.New(1), Values: meaning.Values{Dir: "/srv"}, Seed: 1, Most: most}
	return plan.Calls(s)
}

// Payloads stand in the members of a text, by what their names say, and the other
// members stay as they are.
func TestMembersOfTextsAreAttacked(t *testing.T) {
	mark := mcpsf.ServerValue{Pointer: "/arguments/filter", From: mcpsf.OriginExample}
	classes := map[string]map[string]bool{}
	for _, call := range planned(10_000, finder(1, `{"command":"ls","author":"x","n":1,"a/b":"x"}`, mark)) {
		if len(call.Arguments) > 1<<19 {
			continue // too long to read
		}
		at := call.Attack.Place
		if classes[at] == nil {
			classes[at] = map[string]bool{}
		}
		classes[at][call.Attack.Class] = true
		member, inside := strings.CutPrefix(at, "/filter#")
		if !inside {
			continue
		}
		var args struct{ Filter, Path string }
		if err := json.Unmarshal(call.Arguments, &args); err != nil || args.Path != "a.md" {
			t.Fatalf("%v in %s", err, call.Arguments)
		}
		got, ok := schema.Get(json.RawMessage(args.Filter), member)
		var text string
		if !ok || !strings.Contains(args.Filter, call.Attack.Payload) && json.Unmarshal(got, &text) == nil && PayloadText(text) != call.Attack.Payload {
			t.Fatalf("%s has %s instead of %q", at, args.Filter, call.Attack.Payload)
		}
		if n, _ := schema.Get(json.RawMessage(args.Filter), "/n"); member != "/n" && string(n) != "1" {
			t.Fatalf("%s changed what is beside it: %s", at, args.Filter)
		}
		if call.Server.At("/filter") != mcpsf.OriginExample || strings.Contains(call.Attack.Why, "Base64") {
			t.Fatalf("%s by %v, %s", at, call.Server, call.Attack.Why)
		}
	}
	for at, class := range map[string]string{
		"/filter#/command": "command-injection", "/filter#/author": "sql-injection", "/filter#/n": "type-confusion",
		"/filter#/a~1b": "command-injection", "/filter": "nosql-injection", "/path": "path-traversal",
	} {
		if !classes[at][class] {
			t.Errorf("no %s at %s: %v", class, at, classes[at])
		}
	}
}

func TestOtherArgumentsKeepTheirAttacks(t *testing.T) {
	many := make([]string, 8)
	for i := range many {
		many[i] = fmt.Sprintf(`"command_%d":"ls"`, i)
	}
	for _, most := range []int{40, 200} {
		others := func(text string) (list []string, inside int) {
			for _, c := range planned(most, finder(5, text)) {
				switch {
				case strings.HasPrefix(c.Attack.Place, "/filter#"):
					inside++
				case c.Attack.Place != "/filter":
					list = append(list, c.Tool+c.Attack.Place+c.Attack.Class+c.Attack.Payload)
				}
			}
			return list, inside
		}
		without, _ := others(`plain`)
		with, inside := others("{" + strings.Join(many, ",") + "}")
		if diff := cmp.Diff(without, with); diff != "" {
			t.Errorf("of %d: %s", most, diff)
		}
		if inside == 0 && most > 40 {
			t.Errorf("of %d none is inside a text", most)
		}
	}
}

func TestPlacesInsideTexts(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"an object": {`{"author":"x"}`, "/filter#/author"},
		"a list":    {`["x"]`, "/filter#/0"},
		"lines":     {"{\"a\":1}\n{\"a\":2}", "/filter#/0/a /filter#/1/a"},
		"no JSON":   {`author`, ""},
		"empty":     {`{}`, ""},
		"too long":  {`{"a":"` + strings.Repeat("x", 1<<17) + `"}`, ""},
		"too deep":  {strings.Repeat("[", 1000) + strings.Repeat("]", 1000), ""},
	} {
		var got []string
		for _, c := range planned(5000, finder(1, tt.text)) {
			if at := c.Attack.Place; strings.Contains(at, "#") && (len(got) == 0 || !strings.Contains(strings.Join(got, " ")+" ", at+" ")) {
				got = append(got, at)
			}
		}
		if diff := cmp.Diff(tt.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
