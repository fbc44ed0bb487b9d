package llm

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpsf/mcpsf/internal/agents/llm/llmtest"
)

// hostileTools are tools that a server could list to keep a model from being
// asked.
func hostileTools() []Tool {
	long := strings.Repeat("long", 40)
	tools := []Tool{
		tool("read_file"), tool("read_file"), tool("read file"), tool("read/file"), tool(""), tool("日本語"), tool("日本"),
		tool(long), tool(long + "x"), tool("a\x00b"), tool("../../etc"), tool("tool_e3b0c442"), tool(strings.Repeat("n", 64)), tool(strings.Repeat("n", 65)),
	}
	for i, schema := range []string{
		``, `null`, `true`, `[]`, `"x"`, `{}`, `{"type":"string"}`, `{"type":["object","null"]}`, `{"properties":[]}`, `{"type":"object","properties":null}`,
		`{"type":"object","oneOf":[{}]}`, `{"type":"object","properties":{},"anyOf":[],"allOf":[],"not":{},"enum":[1]}`,
		`{"$ref":"#"}`, `{"type":"object","properties":{"a":` + strings.Repeat(`{"properties":{"a":`, 60) + `{}` + strings.Repeat(`}}`, 60) + `}}`,
		`{"type":"object","properties":{"a":{"description":"` + strings.Repeat("x", 70<<10) + `"}}}`,
		strings.Repeat("[", 5000) + strings.Repeat("]", 5000),
	} {
		tools = append(tools, Tool{Name: fmt.Sprintf("schema_%d", i), Schema: json.RawMessage(schema)})
	}
	return tools
}

// TestHostileTools: tools with any names and schemas are accepted, and a call
// of each is mapped back to its tool.
func TestHostileTools(t *testing.T) {
	tools := hostileTools()
	each(t, func(t *testing.T, s side) {
		m, _ := s.serve(t, func(r *llmtest.Request) llmtest.Answer {
			var calls []llmtest.Call
			for _, tool := range r.Tools {
				calls = append(calls, llmtest.Call{ID: fmt.Sprintf("c%d", len(calls)), Name: tool.Name, Arguments: `{}`})
			}
			if r.N > 1 {
				return llmtest.Say("done")
			}
			return llmtest.Do(calls...)
		})
		a := hello()
		a.Tools = tools
		reply, err := m.Ask(t.Context(), a)
		if err != nil || len(reply.Calls) != len(tools) {
			t.Fatalf("Ask: %v, with %d calls; want %d", err, len(reply.Calls), len(tools))
		}
		results := Turn{Role: User}
		for i, c := range reply.Calls {
			if c.Tool != i+1 || c.Name != tools[i].Name {
				t.Errorf("call %d is of tool %d %q, want %d %q", i, c.Tool, c.Name, i+1, tools[i].Name)
			}
			results.Results = append(results.Results, Result{CallID: c.ID, Text: "x"})
		}
		if diff := cmp.Diff([]string{"schemas"}, reply.Without); diff != "" {
			t.Errorf("left out (-want +got):\n%s", diff)
		}
		a.Turns = append(a.Turns, reply.Turn(), results)
		if _, err := m.Ask(t.Context(), a); err != nil {
			t.Errorf("the next ask: %v", err)
		}
	})
}

func TestNaming(t *testing.T) {
	tools := hostileTools()
	first, second := newNaming(tools), newNaming(tools)
	if diff := cmp.Diff(first.wire, second.wire); diff != "" {
		t.Errorf("names differ from time to time (-first +second):\n%s", diff)
	}
	seen := make(map[string]bool)
	for i, name := range first.wire {
		if !safeName.MatchString(name) || seen[name] {
			t.Errorf("tool %d, %q, is called %q: not acceptable, or not unique", i, tools[i].Name, name)
		}
		seen[name] = true
		if safeName.MatchString(tools[i].Name) && i != 1 && name != tools[i].Name {
			t.Errorf("tool %d, %q, is called %q; want its own name", i, tools[i].Name, name)
		}
	}
	for call, want := range map[string]string{"read_file": "read_file", "unheard_of": "unheard_of"} {
		if got := first.to(Call{Name: call}); got != want {
			t.Errorf("a call of %q goes by %q, want %q", call, got, want)
		}
	}
	if got := first.to(Call{Name: "read_file", Tool: 2}); got != first.wire[1] {
		t.Errorf("a call of the second read_file goes by %q, want %q", got, first.wire[1])
	}
	if got := first.to(Call{Name: "not acceptable", Tool: 99}); !safeName.MatchString(got) {
		t.Errorf("a call of what is no tool goes by %q", got)
	}
}

func TestSchema(t *testing.T) {
	tests := []struct {
		in, want string
		changed  bool
	}{
		{``, anything, false},
		{`{}`, anything, false},
		{`{"type":"object","properties":{"b":{"type":"string"},"a":{}}}`, `{"type":"object","properties":{"b":{"type":"string"},"a":{}}}`, false},
		{`{"type":"object"}`, `{"properties":{},"type":"object"}`, false},
		{`{"type":"array","items":{}}`, `{"items":{},"properties":{},"type":"object"}`, true},
		{`{"type":"object","properties":{},"oneOf":[]}`, `{"properties":{},"type":"object"}`, true},
		{`null`, anything, true},
		{`7`, anything, true},
	}
	for _, tt := range tests {
		got, changed := wireSchema(json.RawMessage(tt.in), false)
		if diff := cmp.Diff(string(canonical(json.RawMessage(tt.want))), string(canonical(got))); diff != "" || changed != tt.changed {
			t.Errorf("wireSchema(%s) = %s, %v; want %s, %v", tt.in, got, changed, tt.want, tt.changed)
		}
	}
	const rich = `{"type":"object","required":["a","b c"],"properties":{"a":{"type":"array","items":{"$ref":"#"},"description":"d"},"b c":{},"c":{"type":["x"]},"d":7}}`
	const plain = `{"type":"object","required":["a"],"properties":{"a":{"type":"array","items":{},"description":"d"},"c":{},"d":{}}}`
	got, changed := wireSchema(json.RawMessage(rich), true)
	if diff := cmp.Diff(string(canonical(json.RawMessage(plain))), string(canonical(got))); diff != "" || !changed {
		t.Errorf("plain schema, changed %v (-want +got):\n%s", changed, diff)
	}
}
