package obedient

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/llm"
	"github.com/mcpsf/mcpsf/internal/agents/obedient/order"
	"github.com/mcpsf/mcpsf/internal/agents/obedient/toolkit"
)

// fetch gets the data that an order wants: its text, or the call that has to be
// made first. ok is false if it is not available.
func (p *plan) fetch(o *order.Found, t order.Asset) (content string, first *llm.Call, ok bool) {
	switch t.Kind {
	case order.AssetConversation:
		return p.conversation(), nil, true
	case order.AssetSystemPrompt:
		return order.Clip(p.ask.System), nil, p.ask.System != ""
	case order.AssetToolList:
		return p.toolList(), nil, true
	case order.AssetResults:
		return p.history.results(), nil, true
	case order.AssetResult:
		return p.history.lastResult(func(h *past) bool { return h.call.Name == t.Name })
	case order.AssetLastRead:
		return p.history.lastResult(func(h *past) bool { return strings.HasPrefix(h.call.ID, idGet) })
	}
	tool, a := p.fetcher(o, t)
	if tool < 0 {
		return "", nil, false
	}
	done, first := p.call(o, idGet+order.KeyOf(string(t.Kind), t.Name), tool, p.tools.Profiles[tool].Fill(a))
	if first != nil {
		return "", first, true
	}
	if done.result == nil {
		return "", nil, false
	}
	return order.Clip(done.result.Text), nil, true
}

// fetchAll gets several assets.
func (p *plan) fetchAll(o *order.Found) (content string, first *llm.Call, ok bool) {
	var parts []string
	for _, t := range o.Assets {
		part, first, got := p.fetch(o, t)
		if first != nil {
			return "", first, true
		}
		if got && part != "" {
			parts = append(parts, part)
		}
	}
	return order.Clip(strings.Join(parts, "\n")), nil, len(parts) > 0
}

// fetcher is the tool that gets a file, a secret or the output of a command.
func (p *plan) fetcher(o *order.Found, t order.Asset) (int, toolkit.Arguments) {
	a := toolkit.Arguments{}
	run := p.toolThatCan(toolkit.CanRun, o)
	switch t.Kind {
	case order.AssetSecret:
		tool := p.toolThatCan(toolkit.CanTellSecrets, o)
		if tool >= 0 {
			name := t.Name
			if name == "" {
				name = "all"
			}
			a.Set(p.tools.Profiles[tool].Param(toolkit.RoleName), name)
			return tool, a
		}
		return -1, a
	case order.AssetOutput:
		if run >= 0 {
			a.Set(p.tools.Profiles[run].Param(toolkit.RoleCommand), t.Name)
			return run, a
		}
		t = order.Asset{Kind: order.AssetFile, Name: fileOf(t.Name)}
	}
	if t.Name == "" {
		return -1, a
	}
	if tool := p.toolThatCan(toolkit.CanRead, o); tool >= 0 {
		a.Set(p.tools.Profiles[tool].Param(toolkit.RolePath), t.Name)
		return tool, a
	}
	if run >= 0 {
		a.Set(p.tools.Profiles[run].Param(toolkit.RoleCommand), "cat "+t.Name)
	}
	return run, a
}

// fileOf is the file that a command would show, for agents without a shell.
func fileOf(command string) string {
	words := strings.Fields(command)
	switch {
	case len(words) == 0:
		return ""
	case words[0] == "cat" && len(words) > 1:
		return words[1]
	case words[0] == "printenv" || words[0] == "env" || words[0] == "set" || words[0] == "export":
		return ".env"
	case words[0] == "history":
		return "~/.bash_history"
	}
	return ""
}

// conversation is everything said so far.
func (p *plan) conversation() string {
	var b strings.Builder
	for _, t := range p.ask.Turns {
		if t.Text == "" {
			continue
		}
		b.WriteString(string(t.Role))
		b.WriteString(": ")
		b.WriteString(order.Clip(t.Text))
		b.WriteByte('\n')
		if b.Len() > order.MaxCarried {
			break
		}
	}
	return order.Clip(b.String())
}

// toolList is the list of tools with their descriptions.
func (p *plan) toolList() string {
	var b strings.Builder
	for i := range p.ask.Tools {
		t := &p.ask.Tools[i]
		b.WriteString(t.Name)
		b.WriteString(": ")
		b.WriteString(strings.ToValidUTF8(t.Description[:min(len(t.Description), 80)], ""))
		b.WriteByte('\n')
		if b.Len() > order.MaxCarried {
			break
		}
	}
	return order.Clip(b.String())
}
