package llm

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcpsf/mcpsf/internal/document"
)

// empty stands for text that is not there: providers refuse nothing at all.
const empty = "(empty)"

// conversation is the exchange with the model as providers take it: the sides alternate, names and
// ids are acceptable, and no text is empty.
type conversation struct {
	names   *naming
	lines   []line
	ids     map[string]bool // all that were used
	without []string        // what of the tools was left out
}

type line struct {
	role     Role
	text     string
	calls    []wireCall
	results  []Result // with the ids of the wire
	thinking json.RawMessage
}

type wireCall struct {
	id, name string
	input    json.RawMessage
}

func newConversation(a *Ask) *conversation {
	t := &conversation{names: newNaming(a.Tools), ids: make(map[string]bool)}
	var ids map[string]string // of the calls of the turn before
	for _, turn := range a.Turns {
		l := line{role: turn.Role, text: turn.Text, thinking: turn.Thinking}
		for _, r := range turn.Results {
			l.results = append(l.results, Result{CallID: ids[r.CallID], Text: r.Text, IsError: r.IsError})
		}
		ids = make(map[string]string)
		for _, c := range turn.Calls {
			ids[c.ID] = t.id(c.ID)
			l.calls = append(l.calls, wireCall{id: ids[c.ID], name: t.names.to(c), input: input(c)})
		}
		t.add(l)
	}
	for i := range t.lines {
		l := &t.lines[i]
		if strings.TrimSpace(l.text) == "" {
			l.text = ""
			if len(l.calls) == 0 && len(l.results) == 0 {
				l.text = empty
			}
		}
	}
	return t
}

// add joins what the same side said in several turns.
func (t *conversation) add(l line) {
	if n := len(t.lines); n > 0 && t.lines[n-1].role == l.role && len(t.lines[n-1].calls) == 0 {
		last := &t.lines[n-1]
		last.text = strings.TrimSpace(last.text + "\n\n" + l.text)
		last.calls, last.results = l.calls, append(last.results, l.results...)
		if len(l.thinking) > 0 {
			last.thinking = l.thinking
		}
		return
	}
	t.lines = append(t.lines, l)
}

// id is one that was not used yet: the wanted one if it will do.
func (t *conversation) id(wanted string) string {
	id := wanted
	for n := len(t.ids) + 1; !safeID.MatchString(id) || t.ids[id]; n++ {
		id = fmt.Sprintf("call_%d", n)
	}
	t.ids[id] = true
	return id
}

// input is an object, which providers insist on. What was broken has its
// result, which says so.
func input(c Call) json.RawMessage {
	if c.Broken == "" && isObject(c.Arguments) {
		return c.Arguments
	}
	return json.RawMessage(`{}`)
}

func isObject(raw json.RawMessage) bool {
	var o map[string]json.RawMessage
	return document.Depth(raw) <= defaultLimits().depth && json.Unmarshal(raw, &o) == nil && o != nil
}

// wireTool is a tool as it is sent.
type wireTool struct {
	name, description string
	schema            json.RawMessage
}

// What all servers take of tools: so many, with descriptions of so many bytes.
const fewTools, shortWords = 128, 1000

func (t *conversation) tools(f fit) []wireTool {
	var tools []wireTool
	for i, tool := range t.names.tools {
		if f.fewTools && i == fewTools {
			t.without = append(t.without, "tools")
			break
		}
		schema, changed := wireSchema(tool.Schema, f.plainSchemas)
		if changed {
			t.without = append(t.without, "schemas")
		}
		words := tool.Description
		if f.shortWords && len(words) > shortWords {
			words = strings.ToValidUTF8(words[:shortWords], "")
			t.without = append(t.without, "descriptions")
		}
		tools = append(tools, wireTool{t.names.wire[i], words, schema})
	}
	return tools
}
