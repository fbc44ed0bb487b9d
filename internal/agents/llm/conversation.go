package llm

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcpsf/mcpsf/internal/document"
)

// empty replaces an empty text, because providers reject those.
const empty = "(empty)"

// conversation is the ask in a form that providers accept: the sides alternate,
// names and ids are valid, and no text is empty.
type conversation struct {
	names   *naming
	lines   []line
	ids     map[string]bool // all ids in use
	without []string        // what was left out of the tools
}

type line struct {
	role     Role
	text     string
	calls    []wireCall
	results  []Result // with the ids that are sent
	thinking json.RawMessage
}

type wireCall struct {
	id, name string
	input    json.RawMessage
}

func newConversation(a *Ask) *conversation {
	t := &conversation{names: newNaming(a.Tools), ids: make(map[string]bool)}
	var ids map[string]string // of the calls in the previous turn
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

// add joins consecutive turns of the same side.
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

// id is an unused id: the wanted one if it is valid.
func (t *conversation) id(wanted string) string {
	id := wanted
	for n := len(t.ids) + 1; !safeID.MatchString(id) || t.ids[id]; n++ {
		id = fmt.Sprintf("call_%d", n)
	}
	t.ids[id] = true
	return id
}

// input is an object, because providers require one. Broken arguments become an
// empty object; the call's result says what was wrong.
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

// What all servers accept: the number of tools, and the bytes of a description.
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
