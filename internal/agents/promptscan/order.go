package promptscan

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// context: what was said to the model is passed on. A tool may ask for a
// question; it has no use for everything.
func (p *passage) context(s *sentence) {
	about := s.does("conversation", "system")
	if len(about) > 0 && p.of == "tool" && s.has("content") && len(s.does("secret")) > 0 && !s.described() && !p.forModels {
		p.say(mcpsf.TextMagicParameter, s, s.text(about[0])) // with the passwords in it
	}
	yours := slices.ContainsFunc(about, func(m sense) bool { return s.after(m.from, 1, "your") || s.prior(m.from, 2, "your") })
	_, literal := s.shaped(shapeMail, shapeURL)
	sent := literal && s.has("content") && p.of == ofResult
	if s.described() || !s.directive() && !p.hushed && !p.hidden && !yours && !sent {
		return
	}
	verbs := s.does("pass", "repeat")
	if len(about) == 0 || len(verbs) == 0 && (s.parameter == "" || !s.has("content")) {
		return
	}
	away := literal && len(s.does("pass")) > 0 && p.of != ofResult
	if !s.has("content") && !s.has("system") && !s.has("owned") && !strings.Contains(s.text(about[0]), "histor") && !away && !p.hushed {
		return
	}
	target := s.text(about[0])
	if s.parameter != "" {
		target = s.parameter
	}
	if literal || s.has("elsewhere") || p.hushed || p.hidden || yours && s.has("system") && s.parameter == "" && len(s.does("repeat")) > 0 {
		p.say(mcpsf.TextInstruction, s, target)
	}
	if p.of != ofResult && !p.forModels {
		p.say(mcpsf.TextMagicParameter, s, target)
	}
}

// override: what others have told the model is not to count.
func (p *passage) override(s *sentence) {
	if s.described() && !p.hidden {
		return
	}
	for _, v := range s.does("ignore") {
		if s.ts[v.from].name {
			continue // the name of an option
		}
		for _, e := range s.each("earlier") {
			if strings.HasPrefix(s.text(e), "system prompt") && s.after(v.from, 1, "override", "overrides", "replace") {
				continue // a parameter does that
			}
			if e.from-v.to < 0 && v.from-e.to < 0 || e.from-v.to > 4 || v.from-e.to > 6 || s.parameter != "" && p.forModels {
				continue
			}
			if e.from > v.from || s.verbLast(v) {
				p.say(mcpsf.TextInstruction, s, s.text(e))
				return
			}
		}
	}
	if s.has("role") && (s.has("address", "before", "ignore", "earlier", "consent") || s.ts[0].lead && s.is(0, "role")) {
		p.say(mcpsf.TextInstruction, s, "role")
	}
}

// verbLast: in that language the verb may stand behind what it is about.
func (s *sentence) verbLast(v sense) bool {
	word := s.ts[v.from].text
	return word[0] >= 0x80 || strings.HasSuffix(word, "ieren")
}

// consent: the user is not to be asked about something that cannot be undone.
func (p *passage) consent(s *sentence) {
	given := s.each("consent")
	if s.described() || len(given) == 0 || len(s.does("danger", "pass")) == 0 {
		return
	}
	if s.has("address", "role") || p.hushed || len(given) > 1 || slices.ContainsFunc(given, s.skips) {
		p.say(mcpsf.TextInstruction, s, "consent")
	}
}

// skips: an order to leave something out, at the beginning of a clause.
func (s *sentence) skips(m sense) bool {
	return s.ts[m.from].lead && s.after(m.from, 1, "skip", "bypass")
}

// carry: all that the user has of something goes to somebody else.
func (p *passage) carry(s *sentence) {
	if s.described() || !s.has("data") || !s.has("owned") || len(s.does("pass")) == 0 {
		return
	}
	_, literal := s.shaped(shapeMail, shapeURL)
	asked := s.has("address", "before", "role", "consent") || p.hushed || p.of == ofResult && literal
	if asked && (literal || s.has("elsewhere", "public")) {
		p.say(mcpsf.TextInstruction, s, s.text(s.each("data")[0]))
	}
}

// load: something is downloaded and run, or run with every command.
func (p *passage) load(s *sentence) {
	if s.has("commands") && s.has("shell") && len(s.does("pass", "alter")) > 0 && s.has("address") && !s.described() {
		p.say(mcpsf.TextInstruction, s, "command")
	}
	_, literal := s.shaped(shapeURL)
	if !literal || s.described() || !s.has("address", "before") || len(s.does("fetch")) == 0 {
		return
	}
	for _, m := range s.does("call") {
		if s.after(m.from, 1, "run", "execute") && s.after(m.to, 2, "it", "them", "that") {
			p.say(mcpsf.TextInstruction, s, "command")
			return
		}
	}
}

// redirect: every mail, payment or request gets a receiver of the server's.
func (p *passage) redirect(s *sentence) {
	if s.has("describe") || !s.has("address", "before") || len(s.does("alter", "pass")) == 0 {
		return
	}
	to, ok := s.shaped(shapeMail)
	ok = ok && !s.has("help") && (p.of != ofResult || s.has("owned"))
	if !ok && s.has("money") {
		if to, ok = s.shaped(shapeMail, shapeURL); !ok {
			to, ok = s.account()
		}
	}
	if ok && !strings.Contains(to.text, "example.") {
		p.say(mcpsf.TextInstruction, s, to.text)
	}
}

// account finds what looks like the number of an account or wallet.
func (s *sentence) account() (token, bool) {
	for _, t := range s.ts {
		digits := 0
		for i := range len(t.text) {
			if t.text[i] >= '0' && t.text[i] <= '9' {
				digits++
			}
		}
		if digits >= 8 && len(t.text) >= 12 {
			return t, true
		}
	}
	return token{}, false
}

// otherTool: how the tools of others are to be used, or that they are not.
func (p *passage) otherTool(s *sentence) {
	if s.described() {
		return
	}
	for _, m := range s.does("ignore") {
		if !s.ts[m.from].name && s.near(m, 4, "rivals") {
			p.say(mcpsf.TextOtherTool, s, s.text(s.each("rivals")[0]))
			return
		}
	}
	target := p.stranger(s)
	if target == "" {
		return
	}
	_, literal := s.receiver()
	_, account := s.account()
	changes := slices.ContainsFunc(s.does("alter"), func(m sense) bool { return s.near(m, 6, "money") && !s.harmless(m) })
	directed := s.has("address", "before") || p.hushed
	switch {
	case directed && len(s.does("alter", "pass")) > 0 && (literal || account && s.has("money") || changes),
		directed && p.of != ofResult && len(s.does("pass")) > 0 && (len(s.strong()) > 0 || len(s.does("conversation", "system")) > 0),
		directed && coveted(target) && len(s.does("call")) > 0,
		directed && p.hushed && len(s.does("alter", "pass", "call")) > 0:
		p.say(mcpsf.TextOtherTool, s, target)
		p.say(mcpsf.TextInstruction, s, target)
	case s.has("absolute") && p.refuses(s):
		p.say(mcpsf.TextOtherTool, s, target)
	}
}

// receiver is an address that something is sent to, and no example of one.
func (s *sentence) receiver() (token, bool) {
	for i, t := range s.ts {
		there := t.shape == shapeMail || t.shape == shapeURL && s.prior(i, 2, "to", "into", "via", "an", "a", "vers", "на")
		if there && !s.has("describe") && !strings.Contains(t.text, "example.") {
			return t, true
		}
	}
	return token{}, false
}

// harmless: a verb that fills in and does not change.
func (s *sentence) harmless(m sense) bool {
	switch s.text(m) {
	case "add", "set", "include", "send", "use", "append", "prepend", "prefix", "route", "forward", "override", "cc":
		return true
	}
	return false
}

// coveted: the name of the tool says that secrets come out of it.
func coveted(name string) bool {
	for _, w := range []string{"secret", "credential", "password", "private_key", "privatekey", "ssh_key", "api_key"} {
		if strings.Contains(name, w) {
			return true
		}
	}
	return false
}

// refuses: "never use other tools", "call this before any other tool".
func (p *passage) refuses(s *sentence) bool {
	for _, m := range s.each("call") {
		if s.negated(m) && s.near(m, 6, "others") {
			return true
		}
	}
	for _, m := range s.each("others") {
		if s.prior(m.from, 4, "before", "bevor", "vor", "antes", "avant", "over", "than") && s.has("address") && s.after(m.from, 1, "any", "all", "every") ||
			s.prior(m.from, 2, "instead") && s.after(m.from, 1, "any", "all", "every") {
			return true
		}
	}
	return false
}

// stranger is the tool of somebody else that the sentence speaks of, "" if
// none.
func (p *passage) stranger(s *sentence) string {
	if others := s.each("others"); len(others) > 0 {
		return s.text(others[0])
	}
	for i, t := range s.ts {
		if t.shape != shapeWord || !t.name && !t.quoted || len(t.text) < 4 || p.words[bare(t.text)] || p.others.has(t.text) {
			continue
		}
		if !t.name && !strings.Contains(t.text, "_") {
			continue
		}
		if s.near(sense{from: i, to: i + 1}, 2, "toolword") || s.callBefore(i) || s.after(i+1, 3, "called", "used", "invoked", "runs") {
			return t.text
		}
	}
	return ""
}

func (s *sentence) callBefore(i int) bool {
	return s.prior(i, 2, "call", "calling", "invoke", "invoking", "using", "use", "run", "running", "execute")
}

// piped is a command that runs what it fetches or decodes.
var piped = regexp.MustCompile(`(?i)\b(?:curl|wget|base64\s+(?:-d|--decode|-D))\b[^|\n]{0,200}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b|\brm\s+-rf\s+[~/]`)

// markers are the words with which the turns of a conversation begin.
var markers = regexp.MustCompile(`(?i)<\|im_start\|>|<\|system\|>|<<sys>>|\[/?inst\]|</?system(?:_prompt|_message)?>|</?tool_description>|\n\s*(?:system|assistant)\s*:\s*\S`)

// commands finds orders to run something, and the turns of a conversation
// that did not take place.
func (p *passage) commands() {
	if len(p.sentences) == 0 {
		return
	}
	if at := piped.FindStringIndex(p.source); at != nil && p.spokenAround(at[0]) {
		p.tell(mcpsf.TextInstruction, p.field, shown(p.source, at[0], at[1]), "command")
	}
	if at := markers.FindStringIndex(p.source); at != nil && p.of != ofResult && !p.spokenAbout(at[0]) && !p.forModels {
		p.tell(mcpsf.TextInstruction, p.field, shown(p.source, at[0], at[1]), "role")
	}
}

// spokenAround: the model is spoken to in the sentence that stands there.
func (p *passage) spokenAround(at int) bool {
	s := p.at(at)
	return s != nil && (s.directive() || p.hushed || s.is(0, "call")) && !s.described()
}

func (p *passage) spokenAbout(at int) bool {
	s := p.at(at)
	return s != nil && s.has("describe")
}

func (p *passage) at(at int) *sentence {
	for i := range p.sentences {
		if s := &p.sentences[i]; s.ts[len(s.ts)-1].end > at {
			return s
		}
	}
	return nil
}
