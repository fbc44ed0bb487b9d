package obedient

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// kind is what sort of thing is to be had.
type kind string

const (
	aFile    kind = "file"
	aSecret  kind = "secret"
	theChat  kind = "conversation"
	thePromp kind = "system prompt"
	theTools kind = "list of tools"
	aResult  kind = "result"
	results  kind = "earlier results"
	whatRead kind = "what was read"
	anOutput kind = "output"
)

// thing is something private that a sentence speaks of.
type asset struct {
	kind kind
	// name is a path, a command, the name of a secret or of a tool.
	name string
	// from and to are the words, faint is set if more is needed to be sure.
	from, to int
	faint    bool
	// coined is set for what a word of the text's own or another tool's name
	// stands for.
	coined bool
}

func (t asset) String() string {
	if t.name == "" {
		return string(t.kind)
	}
	return string(t.kind) + " " + t.name
}

// finder finds what a sentence wants to be had, and where that is to go.
type finder struct {
	tools   *resolver
	aliases *aliases
	last    *recent
}

// things finds what the sentence wants to be had.
func (b *finder) things(s *utterance) []asset {
	out := commandsIn(s)
	files := fileFinder{s}.files(out)
	out = append(out, files...)
	if len(files) == 0 && len(out) == 0 {
		out = append(out, fileFinder{s}.strong()...)
	}
	out = append(out, secretFinder{s}.secrets(len(out) > 0)...)
	out = append(out, b.told(s)...)
	out = append(out, chatFinder{s}.chat()...)
	out = append(out, chatFinder{s}.inner()...)
	out = append(out, b.aliases.aliased(s)...)
	aim := aimEnd(s)
	out = slices.DeleteFunc(out, func(t asset) bool { return t.from < aim || denied(s, t) || t.from < len(s.Words) && s.cited(t.from) })
	return out[:min(len(out), 8)]
}

// told is what a tool that gives secrets would tell.
func (b *finder) told(s *utterance) []asset {
	for _, m := range b.tools.toolsIn(s, 0, len(s.Words)) {
		if m.tool != s.tool && b.tools.kits[m.tool].can(canTellAll) && !s.within(m.from-4, m.to+3, "results") && !s.negated(m.from, m.to) && !s.when.covers(m.from) {
			return []asset{{kind: aSecret, from: m.from, to: m.to, faint: !s.around(1, "secret", "vault", "entries"), coined: true}}
		}
	}
	return nil
}

// denied: "the private one is never needed", "leave out what the user said".
func denied(s *utterance, t asset) bool {
	if s.within(t.from-3, t.from, "asks") && s.near(t.from-2, t.from, "for") && !s.hidden {
		return true // others ask for it
	}
	for _, o := range s.each("omits") {
		if s.demand == 0 && o.To <= t.from && t.from-o.To < 9 && !s.hushed || o.From < t.from && t.to < o.To {
			return true
		}
	}
	for _, n := range s.each("not") {
		if s.inThe(n) {
			continue
		}
		if n.From >= t.to && n.From-t.to < 6 && s.near(n.To, n.To+3, "needed", "required", "necessary", "sent", "used", "read", "included", "stored", "logged", "shared", "touched", "leave", "leaves", "belong", "asked", "wanted") {
			return true
		}
	}
	return false
}

// aimEnd is where "to do this or that," ends at the beginning of a sentence.
func aimEnd(s *utterance) int {
	if len(s.Words) == 0 || !slices.Contains([]string{"to", "um", "pour", "para", "чтобы"}, s.Words[0].Text) {
		return 0
	}
	for i := 1; i < len(s.Words); i++ {
		if s.Words[i].Lead {
			return i
		}
	}
	return 0
}

// fileFinder finds files in a sentence.
type fileFinder struct{ *utterance }

// files are paths whose content is meant.
func (s fileFinder) files(commands []asset) []asset {
	var out []asset
	for i, w := range s.Words {
		if slices.ContainsFunc(commands, func(c asset) bool { return c.from <= i && i < c.to }) {
			continue
		}
		if path := s.path(i, w); privatePath(path) && !s.onlyPlace(i) && !s.negated(i, i+1) {
			out = append(out, asset{kind: aFile, name: path, from: i, to: i + 1})
		}
	}
	return out
}

// path is a word that is one, "" if it is none: below the home it may begin
// with the name of a folder.
func (s fileFinder) path(i int, w promptscan.Word) string {
	if w.Shape == promptscan.ShapePath {
		return s.literal(i)
	}
	if w.Shape != promptscan.ShapeWord || w.Start < 0 || w.End >= len(s.source) || strings.IndexByte("/.-", s.source[w.End]) < 0 {
		return ""
	}
	if p := pathAround(s.source, w.Start); strings.Contains(p, "/") && telling.MatchString(p) && suffix.MatchString(p) {
		return p
	}
	return ""
}

// privatePath is one that no tool has to do with unless the user says so.
func privatePath(path string) bool {
	if strings.HasSuffix(path, ".pub") || strings.HasPrefix(path, "/tmp/") || strings.HasPrefix(path, "/dev/") {
		return false
	}
	if path == "" {
		return false
	}
	if coveted(path) {
		return true
	}
	low := strings.ToLower(strings.ReplaceAll(path, `\`, "/"))
	for _, p := range []string{"~/", "$home", "/home/", "/root/", "/users/", "/etc/", "c:/users", "%userprofile%", "/proc/", "/var/"} {
		if strings.HasPrefix(low, p) {
			return true
		}
	}
	return false
}

// onlyPlace: the path is a place or an example, its content is not meant.
func (s fileFinder) onlyPlace(i int) bool {
	if s.near(i-1, i, "of", "in") && s.near(i-2, i-1, "section", "profile", "entry", "stanza", "host", "context", "block") && !s.within(i-4, i, "content") {
		return true
	}
	if s.within(i-3, i, "example") || s.within(i-4, i, "public-key") || s.within(i-4, i, "path-of") && !s.within(i-4, i, "content") {
		return true
	}
	switch {
	case i == 0:
		return false
	case s.near(i-1, i, "to", "into", "onto", "nach", "vers", "к"):
		return !s.lookedAt(i) && !s.at(i-1, "read")
	case s.near(i-1, i, "in", "at", "under", "im", "dans", "en", "в"), s.near(i-2, i-1, "in", "into", "to") && s.near(i-1, i, "file", "the", "your", "datei", "archivo", "fichier"):
		if s.near(i-2, i-1, "stored", "saved", "written", "kept", "located", "found") && s.within(i-6, i-2, "secret", "strong", "owned") {
			return false // "the key stored at"
		}
		return !s.lookedAt(i) && !s.within(i-6, i, "content") && s.within(i-7, i, "writes")
	}
	return false
}

// lookedAt: "a look at it".
func (s fileFinder) lookedAt(i int) bool {
	return slices.ContainsFunc(s.each("read"), func(m promptscan.Sense) bool { return m.To == i })
}

// strong are secrets whose place everybody knows.
func (s fileFinder) strong() []asset {
	var out []asset
	for _, m := range s.each("strong") {
		if s.negated(m.From, m.To) || s.within(m.From-3, m.From, "public-key", "path-of", "example") || s.ground(m) || s.near(m.From, m.To, "metadata") {
			continue
		}
		t := asset{kind: aFile, from: m.From, to: m.To}
		if t.name = habitat(s.words(m)); t.name == "" {
			t.kind = aSecret
		}
		if !slices.ContainsFunc(out, func(o asset) bool { return o.kind == t.kind && o.name == t.name }) {
			out = append(out, t)
		}
	}
	return out
}

// ground: the secret's place is where something is done, as in "set it in the
// environment variables".
func (s fileFinder) ground(m promptscan.Sense) bool {
	if s.near(m.From-1, m.From, "in", "as", "to", "into", "via", "through", "with", "using", "在", "im", "en", "dans", "в", "als", "como", "comme") && !s.within(m.From-5, m.From, "content") ||
		s.near(m.To, m.To+1, "中", "里") {
		return true
	}
	return habitat(s.words(m)) == ".env" && s.near(m.From-2, m.From, "from", "of", "aus", "de", "из") && !s.within(m.From-6, m.To+4, "content", "user", "conv-all")
}

func (s *sentence) words(m promptscan.Sense) string {
	var out []string
	for _, w := range s.Words[m.From:m.To] {
		out = append(out, w.Text)
	}
	return strings.Join(out, " ")
}

// habitat is where such a secret lies, "" if not in a file.
func habitat(words string) string {
	for _, h := range []struct{ word, path string }{
		{"passw", ""},
		{"keychain", ""},
		{"credential store", ""},
		{"ed25519", "~/.ssh/id_ed25519"},
		{"aws", "~/.aws/credentials"},
		{"etc shadow", "/etc/shadow"},
		{"etc passwd", "/etc/passwd"},
		{"kube", "~/.kube/config"},
		{"claude", "~/.config/Claude/claude_desktop_config.json"},
		{"mcp", "~/.cursor/mcp.json"},
		{"cursor", "~/.cursor/mcp.json"},
		{"client config", "~/.cursor/mcp.json"},
		{"npm", "~/.npmrc"},
		{"netrc", "~/.netrc"},
		{"pypirc", "~/.pypirc"},
		{"git", "~/.git-credentials"},
		{"history", "~/.bash_history"},
		{"cookie", "~/.config/google-chrome/Default/Cookies"},
		{"gpg", "~/.gnupg/secring.gpg"},
		{"signing", "~/.gnupg/secring.gpg"},
		{"wallet", "~/.bitcoin/wallet.dat"},
		{"phrase", ""},
		{"gh ", "~/.config/gh/hosts.yml"},
		{"docker", "~/.docker/config.json"},
		{"env", ".env"},
		{"umgebung", ".env"},
		{"entorno", ".env"},
		{"окружения", ".env"},
		{"среды", ".env"},
		{"环 境", ".env"},
		{"環 境", ".env"},
		{"ssh config", "~/.ssh/config"},
	} {
		if strings.Contains(words, h.word) {
			return h.path
		}
	}
	return "~/.ssh/id_rsa"
}
