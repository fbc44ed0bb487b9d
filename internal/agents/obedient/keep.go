package obedient

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// rememberRule finds orders to keep something for later sessions.
type rememberRule struct {
	tools *resolver
	found *ledger
}

// remember: something is to be kept for later sessions.
func (b *rememberRule) remember(s *utterance) bool {
	senses := s.each("memory", "keeps", "later")
	if len(senses) == 0 || s.opening() && s.urge() == 0 || s.byPeople() || !keptAtAll(s, senses) {
		return false
	}
	memory, keeps, later := s.class("memory"), s.around(1, "keeps"), s.class("later")
	tool := b.tools.tool(s, s.live("call", "pass", "memory"))
	able := tool >= 0 && b.tools.kits[tool].can(canRemember)
	if !able && !(later && (memory || keeps)) && !s.class("memory-noun") && !(memory && s.around(1, "agent")) {
		return false
	}
	value := statementToKeep(s, senses)
	n := min(s.urge(), 2)
	for _, yes := range []bool{memory, keeps, later, able, s.class("memory-noun"), s.quoted() == value, strings.Contains(value, "@"), strings.Contains(value, "://")} {
		if yes {
			n++
		}
	}
	least := 3
	if s.place.Part == InResult && !s.hidden && s.near(0, len(s.Words), "i", "me", "my", "us", "our", "mir", "mich") {
		least = 5 // people write letters to each other
	}
	if value == "" || n < least {
		return false
	}
	b.found.add(s, order{Order: Order{Action: Remember, What: promptscan.Printable(value)}, value: value, via: tool, able: canRemember})
	return true
}

// keptAtAll: something is to be kept, and nothing out of the memory.
func keptAtAll(s *utterance, senses []promptscan.Sense) bool {
	yes := false
	for _, m := range senses {
		switch {
		case m.Class == "later":
		case s.near(m.From-6, m.From, "out") || unkept(s, m) && !s.at(m.From, "memory-noun"):
			return false
		case !unkept(s, m):
			yes = true
		}
	}
	return yes
}

// unkept: it is not to be kept, or only spoken of.
func unkept(s *utterance, m promptscan.Sense) bool {
	return s.forbids(m.From) || s.near(m.From-4, m.From, "out") || s.when.covers(m.From) || s.Words[m.From].Quoted
}

// statement is what is to be kept: in quotation marks, behind a colon or a
// dash, or what comes right after "that".
func statementToKeep(s *utterance, senses []promptscan.Sense) string {
	if q := s.quoted(); q != "" {
		return clip(q)
	}
	from, to := s.span()
	for _, m := range senses {
		rest := s.source[max(from, min(to, s.Words[m.To-1].End)):to]
		for _, sep := range []string{": ", "：", " - ", " – ", " — "} {
			if _, after, ok := strings.Cut(rest, sep); ok && (len(strings.Fields(after)) > 2 || len(after) > 12) {
				return clip(strings.TrimSpace(after))
			}
		}
		if at := that.FindStringIndex(rest); at != nil && at[0] < 60 {
			return clip(strings.TrimSpace(rest[at[1]:]))
		}
	}
	return ""
}

// that begins what is to be kept.
var that = regexp.MustCompile(`(?i)^[^.:;\n]*?[ ,](?:that|dass|que|что|che|że|ze|dat|att|że|ki)\s`)

func clip(s string) string {
	if len(s) > maxCarried {
		return strings.ToValidUTF8(s[:maxCarried], "")
	}
	return s
}

// target is what may be a file that something is written to.
var target = regexp.MustCompile(`(?:~|\.{1,2}|\$HOME|[A-Za-z]:)?/?(?:[\w.-]+/)*[\w.-]*[\w-]`)

// lasting are files that steer agents and shells in later sessions.
func lastingFile(path string) bool {
	low := strings.ToLower(path)
	if !strings.ContainsAny(low, "./") {
		return false
	}
	base := low[strings.LastIndexByte(low, '/')+1:]
	switch base {
	case "claude.md", "agents.md", "agent.md", "gemini.md", "memory.md", ".cursorrules", ".windsurfrules", "copilot-instructions.md", "settings.json", "settings.local.json",
		".bashrc", ".zshrc", ".profile", ".bash_profile", ".zprofile", "authorized_keys", "crontab", "mcp.json", "claude_desktop_config.json", ".gitconfig", "config.toml", ".mcp.json", "hosts", "sudoers":
		return true
	}
	return strings.Contains(low, ".claude/") || strings.Contains(low, ".cursor/") || strings.Contains(low, ".git/hooks") || strings.Contains(low, "autostart") || strings.Contains(low, "cron.d")
}

var braces = regexp.MustCompile(`\{[^\n]{2,600}\}`)

// writeRule finds orders to write into a file that steers later sessions.
type writeRule struct{ found *ledger }

// write: a line is to be put into a file that steers later sessions.
func (b *writeRule) write(s *utterance) bool {
	path := lastingPath(s)
	if path == "" || s.refuses() || s.opening() && s.urge() == 0 || readFrom(s, path) {
		return false
	}
	value := lineToWrite(s, path)
	n := 3 + s.urge() - s.calm()
	if s.place.Part == InTool || s.place.Part == InSystem {
		n++
	}
	if s.class("writes", "pass", "passed", "alter") || s.pressed() {
		n++
	}
	if s.place.Part == InResult && !s.prose.agent && strings.HasSuffix(path, ".json") {
		n -= 2 // how a server is set up stands in many manuals
	}
	if value == "" || n < enough {
		return false
	}
	b.found.add(s, order{Order: Order{Action: Write, What: promptscan.Printable(value), To: path}, value: value, sink: sink{address: path}, via: -1, able: canWrite})
	return true
}

// readFrom: it is to be read, and nothing says that it is to be written.
func readFrom(s *utterance, path string) bool {
	if s.class("writes") {
		return false
	}
	for i := range s.Words {
		if strings.Contains(s.literal(i), path) && s.within(i-4, i, "read", "got", "does-read") {
			return true
		}
	}
	return false
}

// lastingPath is the last such file in the sentence.
func lastingPath(s *utterance) string {
	from, to := wideSpan(s)
	path := ""
	for _, p := range target.FindAllString(s.source[from:to], 200) {
		if lastingFile(p) {
			path = p
		}
	}
	return path
}

// line is what is to be written: in braces, backticks or quotation marks.
func lineToWrite(s *utterance, path string) string {
	from, to := wideSpan(s)
	if j := braces.FindString(s.source[from:to]); j != "" {
		return j
	}
	for _, c := range s.code {
		if strings.Contains(c, " ") && !strings.Contains(c, path) {
			return c
		}
	}
	if m := inQuotes.FindStringSubmatch(s.source[from:to]); m != nil && strings.Join(m[1:], "") != path {
		return strings.Join(m[1:], "")
	}
	return lineBehind(s, path)
}

// behind is what stands after "the following line to PATH:", to its end.
func lineBehind(s *utterance, path string) string {
	from, _ := s.span()
	at := strings.Index(s.source[from:], path+":")
	if at < 0 || !s.class("writes", "pass", "alter") {
		return ""
	}
	rest := strings.TrimSpace(s.source[from+at+len(path)+1:])
	if end := strings.IndexByte(rest, '\n'); end >= 0 {
		rest = rest[:end]
	}
	return rest[:min(len(rest), maxQuote)]
}

// wideSpan goes on to the end of the line if the sentence ends in a quotation.
func wideSpan(s *utterance) (int, int) {
	from, to := s.span()
	closed := to > 0 && to+2 < len(s.source) && s.source[to-1] == '"' && s.source[to] == ' ' && s.source[to+1] >= 'a' && s.source[to+1] <= 'z'
	if !closed && strings.Count(s.source[from:to], `"`)%2 == 0 && strings.Count(s.source[from:to], "“") == strings.Count(s.source[from:to], "”") {
		return from, to
	}
	rest := s.source[to:min(len(s.source), to+maxQuote)]
	if at := strings.IndexByte(rest, '\n'); at >= 0 {
		rest = rest[:at]
	}
	return from, to + len(rest)
}

// payRule finds orders to send money.
type payRule struct{ found *ledger }

// pay: money is to be sent to an account.
func (b *payRule) pay(s *utterance) bool {
	account := accountIn(s)
	if account == "" || s.class("example") || s.opening() && !s.spoken() {
		return false
	}
	verbs := slices.ContainsFunc(s.live("pass", "call", "danger", "alter"), func(m promptscan.Sense) bool {
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
	b.found.add(s, order{Order: Order{Action: Call, What: amount, To: account}, value: amount, sink: sink{address: account}, via: -1, able: canPay})
	return true
}

// eraseRule finds orders to delete a file.
type eraseRule struct {
	tools *resolver
	found *ledger
}

// erase: a file of the user's is to be deleted.
func (b *eraseRule) erase(s *utterance) bool {
	verbs := slices.ContainsFunc(s.live("danger", "call"), func(m promptscan.Sense) bool {
		return s.near(m.From, m.To, "delete", "remove", "wipe", "erase", "deleting", "removing", "wiping", "erasing", "unlink", "purge", "deletes", "removes", "losche", "elimina", "supprime", "удали", "删") || b.erases(s, m)
	})
	if !verbs || s.opening() && !s.spoken() || !s.spoken() && b.tools.tool(s, s.live("call", "danger")) < 0 {
		return false
	}
	for i, w := range s.Words {
		if w.Shape == promptscan.ShapePath && privatePath(s.literal(i)) && !s.negated(i, i+1) && !s.within(i-3, i, "example") {
			path := s.literal(i)
			b.found.add(s, order{Order: Order{Action: Call, What: path}, sink: sink{address: path}, via: -1, able: canDelete})
			return true
		}
	}
	return false
}

// erases: the verb calls a tool that deletes.
func (b *eraseRule) erases(s *utterance, v promptscan.Sense) bool {
	return slices.ContainsFunc(b.tools.toolsIn(s, v.To, v.To+4), func(m mention) bool { return b.tools.kits[m.tool].can(canDelete) })
}
