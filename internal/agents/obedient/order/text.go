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
	// Tool is the one that is described or has answered, -1 if none; param the
	// parameter that is described.
	Tool  int
	param string
	// Failed is set for the text of an error.
	Failed bool
	value  string
	// how is the encoding that it came out of.
	how string
}

// gatherer lists the texts of an ask in the order of reading.
type gatherer struct {
	ask    *llm.Ask
	names  toolkit.Names
	out    []text
	budget int
	unread int
}

// gather lists the texts, and says how many bytes were left out.
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

// record is an object as a sentence, if it has a path or an address all by
// itself: what belongs together may stand in several fields.
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

// Clip cuts a text to what is carried from place to place.
func Clip(s string) string {
	if len(s) > MaxCarried {
		return strings.ToValidUTF8(s[:MaxCarried], "")
	}
	return s
}
