package order

import (
	"encoding/json"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/llm"
	"github.com/mcpsf/mcpsf/internal/agents/obedient/toolkit"
	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// text is one piece of what a model reads.
type text struct {
	Place Place
	role  promptscan.Role
	// Tool is the tool that is described or gave the result, -1 if none; param
	// the described parameter.
	Tool  int
	param string
	// Failed is set for an error message.
	Failed bool
	value  string
	// how is the encoding that it was decoded from.
	how string
}

// gatherer lists the texts of a request in reading order.
type gatherer struct {
	ask    *llm.Ask
	names  toolkit.Names
	out    []text
	budget int
	unread int
}

// gather lists the texts, and how many bytes were left out.
func gather(a *llm.Ask, names toolkit.Names) ([]text, int) {
	g := gatherer{ask: a, names: names, budget: MaxText}
	g.add(text{Place: Place{Part: InSystem}, Tool: -1, value: a.System})
	for i := range a.Tools {
		g.tool(i, &a.Tools[i])
	}
	calls := map[string]llm.Call{}
	for i, t := range a.Turns {
		for _, c := range t.Calls {
			calls[c.ID] = c
		}
		if t.Role != llm.User {
			continue
		}
		for _, r := range t.Results {
			g.result(i, r, calls[r.CallID])
		}
		g.add(text{Place: Place{Part: InTurn, Turn: i}, Tool: -1, value: t.Text})
	}
	return g.out, g.unread
}

func (g *gatherer) tool(i int, t *llm.Tool) {
	place := Place{Part: InTool, Tool: t.Name, Index: i + 1}
	at := place
	at.Field = "/description"
	g.add(text{Place: at, Tool: i, value: t.Description})
	for _, s := range promptscan.Texts("tool", t.Schema) {
		if s.Role == promptscan.RoleName && (s.Parameter == "" || s.Parameter != s.Value) {
			continue
		}
		at.Field = "/inputSchema" + s.Field
		g.add(text{Place: at, role: s.Role, Tool: i, param: s.Parameter, value: s.Value})
	}
}

func (g *gatherer) result(turn int, r llm.Result, c llm.Call) {
	t := text{
		Place: Place{Part: InResult, Tool: c.Name, Turn: turn, CallID: r.CallID},
		Tool:  g.names.OfCall(c), Failed: r.IsError, value: promptscan.Unquoted(r.Text),
	}
	t.Place.Index = t.Tool + 1
	if raw := strings.TrimSpace(r.Text); raw == "" || raw[0] != '{' && raw[0] != '[' || len(raw) > g.budget || !json.Valid([]byte(raw)) {
		g.add(t)
		return
	}
	parts := promptscan.Texts("result", json.RawMessage(r.Text))
	for _, s := range parts {
		part := t
		part.Place.Field, part.value = s.Field, s.Value
		g.add(part)
	}
	t.value = record(parts)
	g.add(t)
}

// record turns a JSON object into one sentence, if it has a path or an address
// as a value: an order may be spread over several fields.
func record(parts []promptscan.Text) string {
	var b strings.Builder
	bare := 0
	for _, p := range parts {
		if p.Role == promptscan.RoleName || len(p.Value) > maxQuote || b.Len() > 4*maxQuote {
			continue
		}
		if !strings.Contains(p.Value, " ") && strings.ContainsAny(p.Value, "/@") {
			bare++
		}
		b.WriteString(strings.ReplaceAll(p.Field[strings.LastIndexByte(p.Field, '/')+1:], "_", " "))
		b.WriteString(": ")
		b.WriteString(p.Value)
		b.WriteString("; ")
	}
	if bare < 2 {
		return ""
	}
	return b.String()
}

func (g *gatherer) add(t text) {
	if t.value == "" {
		return
	}
	if len(g.out) >= maxTexts {
		g.unread += len(t.value)
		return
	}
	if over := len(t.value) - g.budget; over > 0 {
		g.unread += over
		t.value = strings.ToValidUTF8(t.value[:g.budget], "")
	}
	g.budget -= len(t.value)
	if t.value != "" {
		g.out = append(g.out, t)
	}
}

// Clip shortens a text to what is carried to a sink.
func Clip(s string) string {
	if len(s) > MaxCarried {
		return strings.ToValidUTF8(s[:MaxCarried], "")
	}
	return s
}
