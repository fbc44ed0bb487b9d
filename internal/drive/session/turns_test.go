package session_test

import (
	"encoding/json"
	"testing"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/drive/session"
)

// works reports whether a tool worked, and with which arguments first.
func works(s *mcpsf.Session, tool string) (string, bool) {
	for _, c := range s.Calls {
		if c.Method == "tools/call" && c.Tool == tool && c.Status == mcpsf.CallOK {
			return string(c.Arguments), true
		}
	}
	return "", false
}

// A document that a refusal shows under a name that no argument has is found its place,
// and mended there.
func TestAnExampleFindsItsPlace(t *testing.T) {
	const says = ` A manifest is a document like {"kind": "barge", "crew": 12}.`
	p := refusing(`{"type":"object","properties":{"berth":{"type":"string"},"papers":{"type":"string"}},"required":["berth","papers"]}`, func(args map[string]any, _ string) string {
		var papers struct {
			Kind string
			Crew int
		}
		text, _ := args["papers"].(string)
		switch {
		case json.Unmarshal([]byte(text), &papers) != nil || papers.Kind != "barge":
			return "The manifest cannot be read." + says
		case papers.Crew > 8:
			return "crew must be at most 8." + says
		case args["berth"] != "NL 4711-B":
			return "A berth looks like NL 4711-B."
		}
		return ""
	})
	inputs := plantedInputs()
	inputs.Rounds = 1
	s, _ := drive(t, p, &session.Options{Inputs: inputs})
	if args, ok := works(s, "work"); !ok {
		t.Errorf("it never worked: %+v", s.Calls)
	} else {
		t.Log(args)
	}
}

// Of a result the member with the name of the argument is taken, and the next value of
// it if that is refused; attacks get the same of their own start.
func TestAValueOfAResult(t *testing.T) {
	tools := []string{
		`{"name":"browse_hits","inputSchema":{"type":"object"}}`,
		`{"name":"weigh","inputSchema":{"type":"object","properties":{"parcel":{"type":"string"}},"required":["parcel"]}}`,
		`{"name":"stamp","inputSchema":{"type":"object","properties":{"lot":{"type":"string"}},"required":["lot"]}}`,
	}
	server := &stateful{tools: tools, does: func(tool string, args map[string]any) (string, string) {
		switch {
		case tool == "browse_hits":
			return `{"hits":[{"parcel":"pc-7","lot":"the big brown lot","lot_id":"L7"}],"lots":[{"id":"L7"}],"next":"zz"}`, ""
		case tool == "weigh" && args["parcel"] != "pc-7":
			return "", "That is no parcel. A parcel comes from browse_hits."
		case tool == "stamp" && args["lot"] == "the big brown lot":
			return "", "lot must be at most 4 characters"
		case tool == "stamp" && args["lot"] != "L7":
			return "", "No such lot. A lot comes from browse_hits."
		}
		return "done", ""
	}}
	inputs := plantedInputs()
	inputs.Rounds = 1
	s, _ := drive(t, server.start(), &session.Options{Inputs: inputs})
	for _, tool := range []string{"weigh", "stamp"} {
		if _, ok := works(s, tool); !ok {
			t.Errorf("%s never worked: %q", tool, server.calls)
		}
	}
}

// What another tool made in a folder, or under a name, is looked for there.
func TestTheSameArgument(t *testing.T) {
	one := func(name, parameter string) string {
		return `{"name":"` + name + `","inputSchema":{"type":"object","properties":{"` + parameter + `":{"type":"string"},"depth":{"type":"integer"}},"required":["` + parameter + `"]}}`
	}
	made := map[any]bool{}
	server := &stateful{tools: []string{one("seek", "folder"), one("index_tree", "folder"), one("paint", "fence"), one("put_fence", "name")}}
	server.does = func(tool string, args map[string]any) (string, string) {
		switch {
		case tool == "seek" && !made[args["folder"]]:
			return "", "There is no catalogue in that folder; index_tree builds one"
		case tool == "paint" && !made[args["fence"]]:
			return "", "No such fence. put_fence makes it."
		case tool == "index_tree":
			made[args["folder"]] = true
			return "Indexed.", ""
		case tool == "put_fence":
			made[args["name"]] = true
			return "It stands.", ""
		}
		return "done", ""
	}
	inputs := plantedInputs()
	inputs.Rounds = 1
	s, _ := drive(t, server.start(), &session.Options{Inputs: inputs})
	for _, tool := range []string{"seek", "paint"} {
		if _, ok := works(s, tool); !ok {
			t.Errorf("%s never worked: %q", tool, server.calls)
		}
	}
}

// What was refused in one round is not sent again in the next.
func TestRefusedInputsAreNotRepeated(t *testing.T) {
	sent := map[string]int{}
	p := refusing(`{"type":"object","properties":{"x":{"type":"string"},"n":{"type":"integer"},"mode":{"enum":["a","b","c"]}},"required":["x"]}`, func(_ map[string]any, raw string) string {
		sent[raw]++
		return "This cannot be."
	})
	inputs := plantedInputs()
	inputs.Rounds = 4
	if _, err := drive(t, p, &session.Options{Inputs: inputs}); err != nil {
		t.Log(err)
	}
	for raw, n := range sent {
		if n > 1 {
			t.Errorf("%s was sent %d times: %v", raw, n, sent)
		}
	}
}
