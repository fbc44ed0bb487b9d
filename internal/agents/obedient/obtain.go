package obedient

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/llm"
)

// obtain gets what an order wants: its text, or the call that has to be made
// first. Ok is false for what cannot be had.
func (p *plan) fetch(o *found, t asset) (content string, first *llm.Call, ok bool) {
	switch t.kind {
	case assetConversation:
		return p.conversation(), nil, true
	case assetSystemPrompt:
		return clip(p.ask.System), nil, p.ask.System != ""
	case assetToolList:
		return p.toolList(), nil, true
	case assetResults:
		return p.history.results(), nil, true
	case assetResult:
		return p.history.lastResult(func(h *past) bool { return h.call.Name == t.name })
	case assetLastRead:
		return p.history.lastResult(func(h *past) bool { return strings.HasPrefix(h.call.ID, idGet) })
	}
	tool, a := p.fetcher(o, t)
	if tool < 0 {
		return "", nil, false
	}
	done, first := p.call(o, idGet+keyOf(string(t.kind), t.name), tool, p.tools.profiles[tool].fill(a))
	if first != nil {
		return "", first, true
	}
	if done.result == nil {
		return "", nil, false
	}
	return clip(done.result.Text), nil, true
}

// obtainAll gets several things.
func (p *plan) fetchAll(o *found) (content string, first *llm.Call, ok bool) {
	var parts []string
	for _, t := range o.assets {
		part, first, got := p.fetch(o, t)
		if first != nil {
			return "", first, true
		}
		if got && part != "" {
			parts = append(parts, part)
		}
	}
	return clip(strings.Join(parts, "\n")), nil, len(parts) > 0
}

// getter is the tool that gets a file, a secret or the output of a command.
func (p *plan) fetcher(o *found, t asset) (int, arguments) {
	a := arguments{}
	run := p.toolThatCan(canRun, o)
	switch t.kind {
	case assetSecret:
		tool := p.toolThatCan(canTellSecrets, o)
		if tool >= 0 {
			name := t.name
			if name == "" {
				name = "all"
			}
			a.set(p.tools.profiles[tool].param(roleName), name)
			return tool, a
		}
		return -1, a
	case assetOutput:
		if run >= 0 {
			a.set(p.tools.profiles[run].param(roleCommand), t.name)
			return run, a
		}
		t = asset{kind: assetFile, name: fileOf(t.name)}
	}
	if t.name == "" {
		return -1, a
	}
	if tool := p.toolThatCan(canRead, o); tool >= 0 {
		a.set(p.tools.profiles[tool].param(rolePath), t.name)
		return tool, a
	}
	if run >= 0 {
		a.set(p.tools.profiles[run].param(roleCommand), "cat "+t.name)
	}
	return run, a
}

// fileOf is what a command would have shown, for who has no shell.
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

func (p *plan) conversation() string {
	var b strings.Builder
	for _, t := range p.ask.Turns {
		if t.Text == "" {
			continue
		}
		b.WriteString(string(t.Role))
		b.WriteString(": ")
		b.WriteString(clip(t.Text))
		b.WriteByte('\n')
		if b.Len() > maxCarried {
			break
		}
	}
	return clip(b.String())
}

func (p *plan) toolList() string {
	var b strings.Builder
	for i := range p.ask.Tools {
		t := &p.ask.Tools[i]
		b.WriteString(t.Name)
		b.WriteString(": ")
		b.WriteString(strings.ToValidUTF8(t.Description[:min(len(t.Description), 80)], ""))
		b.WriteByte('\n')
		if b.Len() > maxCarried {
			break
		}
	}
	return clip(b.String())
}
