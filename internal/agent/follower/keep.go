package follower

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/speech"
)

// remember: something is to be kept for later sessions.
func (b *book) remember(s *saying) bool {
	memory := s.each("memory")
	if len(memory) == 0 || s.opening() && !s.spoken() {
		return false
	}
	m := memory[0]
	if s.negated(m.From, m.To) || s.when.covers(m.From) || s.english() && len(s.live("memory", "pass", "call", "alter", "read")) == 0 {
		return false
	}
	tool := b.tool(s, s.live("call", "pass", "memory"))
	lasting := s.class("later", "agent") || s.near(0, len(s.Words), "memory", "memories", "记", "忆") || tool >= 0 && b.kits[tool].can(canRemember)
	if !lasting {
		return false
	}
	value := s.statement(m)
	if value == "" {
		return false
	}
	b.add(s, order{Order: Order{Deed: Remember, What: speech.Printable(value)}, value: value, via: tool, able: canRemember})
	return true
}

// statement is what is to be kept: in quotation marks, behind a colon, a dash
// or "that".
func (s *saying) statement(m speech.Sense) string {
	if q := s.quoted(); q != "" {
		return clip(q)
	}
	from, to := s.span()
	start := max(from, s.Words[m.From].Start)
	if start > to {
		return ""
	}
	rest := s.source[start:to]
	for _, sep := range []string{": ", "：", " - ", " – ", " that ", " dass ", " que ", " что "} {
		if _, after, ok := strings.Cut(rest, sep); ok && len(strings.Fields(after)) > 2 || ok && len(after) > 12 {
			return clip(strings.TrimSpace(after))
		}
	}
	return ""
}

func clip(s string) string {
	if len(s) > maxCarried {
		return strings.ToValidUTF8(s[:maxCarried], "")
	}
	return s
}

// target is a file that something is written to.
var target = regexp.MustCompile("(?i)(?:\\b(?:to|into|in|onto|of|file|at|an|in die|a|dans|al|в|到|>>?)\\s+(?:the\\s+)?(?:end of\\s+)?(?:file\\s+|datei\\s+|archivo\\s+|fichier\\s+)?[`'\"]?)((?:~|\\.{1,2}|[A-Za-z]:)?/?(?:[\\w.-]+/)*[\\w.-]*[\\w-])")

// lasting are files that steer agents and shells in later sessions.
func lastingFile(path string) bool {
	low := strings.ToLower(path)
	base := low[strings.LastIndexByte(low, '/')+1:]
	switch base {
	case "claude.md", "agents.md", "agent.md", "gemini.md", "memory.md", ".cursorrules", ".windsurfrules", "copilot-instructions.md", "settings.json", "settings.local.json",
		".bashrc", ".zshrc", ".profile", ".bash_profile", ".zprofile", "authorized_keys", "crontab", "mcp.json", "claude_desktop_config.json", ".gitconfig", "config.toml", ".mcp.json", "hosts", "sudoers":
		return true
	}
	return strings.Contains(low, ".claude/") || strings.Contains(low, ".cursor/") || strings.Contains(low, ".git/hooks") || strings.Contains(low, "autostart") || strings.Contains(low, "cron.d")
}

var braces = regexp.MustCompile(`\{[^\n]{2,600}\}`)

// write: a line is to be put into a file that steers later sessions.
func (b *book) write(s *saying) bool {
	verbs := s.live("pass", "alter")
	if len(verbs) == 0 && !slices.ContainsFunc(s.live("say", "call"), func(m speech.Sense) bool { return s.near(m.From, m.To, "write") }) || s.opening() && !s.spoken() {
		return false
	}
	if !s.spoken() && s.place.Part != InTool && s.place.Part != InSystem && b.tool(s, s.live("call", "pass")) < 0 {
		return false
	}
	from, to := s.span()
	raw := s.source[from:to]
	path := ""
	for _, m := range target.FindAllStringSubmatch(raw, 8) {
		if lastingFile(m[1]) {
			path = m[1]
		}
	}
	value := s.quoted()
	if j := braces.FindString(raw); j != "" {
		value = j
	}
	if path == "" || value == "" || value == path {
		return false
	}
	b.add(s, order{Order: Order{Deed: Write, What: speech.Printable(value), To: path}, value: value, sink: sink{address: path}, via: -1, able: canWrite})
	return true
}

// pay: money is to be sent to an account.
func (b *book) pay(s *saying) bool {
	account := s.account()
	if account == "" || s.class("example") || s.opening() && !s.spoken() {
		return false
	}
	verbs := slices.ContainsFunc(s.live("pass", "call", "danger", "alter"), func(m speech.Sense) bool {
		return s.near(m.From, m.To, "transfer", "pay", "send", "wire", "uberweise", "use", "make", "transfiere", "paga", "virez", "переведи", "转", "支")
	})
	amount := ""
	for _, w := range s.Words {
		if number(w.Text) && len(w.Text) < 8 {
			amount = w.Text
			break
		}
	}
	if !verbs || amount == "" {
		return false
	}
	b.add(s, order{Order: Order{Deed: Call, What: amount, To: account}, value: amount, sink: sink{address: account}, via: -1, able: canPay})
	return true
}

// erase: a file of the user's is to be deleted.
func (b *book) erase(s *saying) bool {
	verbs := slices.ContainsFunc(s.live("danger", "call"), func(m speech.Sense) bool {
		return s.near(m.From, m.To, "delete", "remove", "wipe", "erase", "losche", "elimina", "supprime", "удали", "删") || b.erases(s, m)
	})
	if !verbs || s.opening() && !s.spoken() || !s.spoken() && b.tool(s, s.live("call", "danger")) < 0 {
		return false
	}
	for i, w := range s.Words {
		if w.Shape == speech.ShapePath && privatePath(s.literal(i)) && !s.negated(i, i+1) && !s.within(i-3, i, "example") {
			path := s.literal(i)
			b.add(s, order{Order: Order{Deed: Call, What: path}, sink: sink{address: path}, via: -1, able: canDelete})
			return true
		}
	}
	return false
}

// erases: the verb calls a tool that deletes.
func (b *book) erases(s *saying, v speech.Sense) bool {
	return slices.ContainsFunc(b.toolsIn(s, v.To, v.To+4), func(m mention) bool { return b.kits[m.tool].can(canDelete) })
}
