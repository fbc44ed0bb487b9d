package promptscan

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// contextTheft finds instructions to pass on the conversation or the system
// prompt. A tool may ask for a question, but has no use for everything.
func (p *passage) contextTheft(s *sentence) {
	about := slices.DeleteFunc(s.affirmed("conversation", "system"), func(m sense) bool {
		return s.after(m.to, 1, "id", "ids", "identifier", "uuid", "key", "number") // what it is called, not what was said in it
	})
	if len(about) > 0 && p.of == "tool" && s.has("content") && len(s.affirmed("secret")) > 0 && !s.describesAttacks() && !p.talksToModel {
		p.reportSentence(mcpsf.TextMagicParameter, s, s.text(about[0])) // the conversation includes the passwords
	}
	yours := slices.ContainsFunc(about, func(m sense) bool { return s.after(m.from, 1, "your") || s.prior(m.from, 2, "your") })
	_, literal := s.shaped(shapeMail, shapeURL)
	sent := literal && s.has("content") && p.of == ofResult
	if s.describesAttacks() || !s.addressesModel() && !p.nearSecrecy && !p.hidden && !yours && !sent {
		return
	}
	verbs := s.affirmed("pass", "repeat")
	if len(about) == 0 || len(verbs) == 0 && (s.parameter == "" || !s.has("content")) {
		return
	}
	away := literal && len(s.affirmed("pass")) > 0 && p.of != ofResult
	if !s.has("content") && !s.has("system") && !s.has("owned") && !strings.Contains(s.text(about[0]), "histor") && !away && !p.nearSecrecy {
		return
	}
	target := s.text(about[0])
	if s.parameter != "" {
		target = s.parameter
	}
	if literal || s.has("elsewhere") || p.nearSecrecy || p.hidden || yours && s.has("system") && s.parameter == "" && len(s.affirmed("repeat")) > 0 {
		p.reportSentence(mcpsf.TextInstruction, s, target)
	}
	if p.of != ofResult && !p.talksToModel {
		p.reportSentence(mcpsf.TextMagicParameter, s, target)
	}
}

// instructionOverride finds "ignore previous instructions" and new roles.
func (p *passage) instructionOverride(s *sentence) {
	if s.describesAttacks() && !p.hidden {
		return
	}
	for _, v := range s.affirmed("ignore") {
		if s.ts[v.from].name {
			continue // the name of an option
		}
		for _, e := range s.each("earlier") {
			if strings.HasPrefix(s.text(e), "system prompt") && s.after(v.from, 1, "override", "overrides", "replace") {
				continue // a parameter does that
			}
			if e.from-v.to < 0 && v.from-e.to < 0 || e.from-v.to > 4 || v.from-e.to > 6 || s.parameter != "" && p.talksToModel {
				continue
			}
			if e.from > v.from || s.verbLast(v) {
				p.reportSentence(mcpsf.TextInstruction, s, s.text(e))
				return
			}
		}
	}
	if s.has("role") && (s.has("address", "before", "ignore", "earlier", "consent") || s.ts[0].lead && s.is(0, "role")) {
		p.reportSentence(mcpsf.TextInstruction, s, "role")
	}
}

// verbLast reports whether that language may put the verb behind its object.
func (s *sentence) verbLast(v sense) bool {
	word := s.ts[v.from].text
	return word[0] >= 0x80 || strings.HasSuffix(word, "ieren")
}

// skippedConsent finds instructions not to ask the user about irreversible
// actions.
func (p *passage) skippedConsent(s *sentence) {
	given := slices.CompactFunc(s.each("consent"), func(a, b sense) bool { return a.from == b.from }) // two phrases for the same words
	if s.describesAttacks() || len(given) == 0 || len(s.affirmed("danger", "pass")) == 0 {
		return
	}
	if s.has("address", "role") || p.nearSecrecy || len(given) > 1 || slices.ContainsFunc(given, s.skipsConsent) {
		p.reportSentence(mcpsf.TextInstruction, s, "consent")
	}
}

// skipsConsent reports whether a clause begins with an order to skip something.
func (s *sentence) skipsConsent(m sense) bool {
	return s.ts[m.from].lead && s.after(m.from, 1, "skip", "bypass")
}

// bulkExfiltration finds instructions to send all of the user's data of some
// kind to somebody else.
func (p *passage) bulkExfiltration(s *sentence) {
	if s.describesAttacks() || !s.has("data") || !s.has("owned") || len(s.affirmed("pass")) == 0 {
		return
	}
	_, literal := s.shaped(shapeMail, shapeURL)
	asked := s.has("address", "before", "role", "consent") || p.nearSecrecy || p.of == ofResult && literal
	if asked && (literal || s.has("elsewhere", "public")) {
		p.reportSentence(mcpsf.TextInstruction, s, s.text(s.each("data")[0]))
	}
}

// remoteCode finds instructions to download something and run it, or to run
// something with every command.
func (p *passage) remoteCode(s *sentence) {
	if s.has("commands") && s.has("shell") && len(s.affirmed("pass", "alter")) > 0 && s.has("address") && !s.describesAttacks() {
		p.reportSentence(mcpsf.TextInstruction, s, "command")
	}
	_, literal := s.shaped(shapeURL)
	if !literal || s.describesAttacks() || !s.has("address", "before") || len(s.affirmed("fetch")) == 0 {
		return
	}
	for _, m := range s.affirmed("call") {
		if s.after(m.from, 1, "run", "execute") && s.after(m.to, 2, "it", "them", "that") {
			p.reportSentence(mcpsf.TextInstruction, s, "command")
			return
		}
	}
}

// redirectedCalls finds instructions to send every mail, payment or request to
// the server's receiver.
func (p *passage) redirectedCalls(s *sentence) {
	if s.has("describe") || !s.has("address", "before") || len(s.affirmed("alter", "pass")) == 0 {
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
		p.reportSentence(mcpsf.TextInstruction, s, to.text)
	}
}

// account finds what looks like an account number or wallet.
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

// otherTools finds instructions about other servers' tools: how to use them, or
// not to use them.
func (p *passage) otherTools(s *sentence) {
	if s.describesAttacks() {
		return
	}
	for _, m := range s.affirmed("ignore") {
		if !s.ts[m.from].name && s.near(m, 4, "rivals") {
			p.reportSentence(mcpsf.TextOtherTool, s, s.text(s.each("rivals")[0]))
			return
		}
	}
	target := p.foreignTool(s)
	if target == "" {
		return
	}
	_, literal := s.receiver()
	_, account := s.account()
	changes := slices.ContainsFunc(s.affirmed("alter"), func(m sense) bool { return s.near(m, 6, "money") && !s.fillsIn(m) })
	directed := s.has("address", "before") || p.nearSecrecy
	switch {
	case directed && len(s.affirmed("alter", "pass")) > 0 && (literal || account && s.has("money") || changes),
		directed && p.of != ofResult && len(s.affirmed("pass")) > 0 && (len(s.knownSecrets()) > 0 || len(s.affirmed("conversation", "system")) > 0),
		directed && givesSecrets(target) && len(s.affirmed("call")) > 0,
		directed && p.nearSecrecy && len(s.affirmed("alter", "pass", "call")) > 0:
		p.reportSentence(mcpsf.TextOtherTool, s, target)
		p.reportSentence(mcpsf.TextInstruction, s, target)
	case s.has("absolute") && p.refusesOthers(s):
		p.reportSentence(mcpsf.TextOtherTool, s, target)
	}
}

// receiver is an address that something is sent to, unless it is an example.
func (s *sentence) receiver() (token, bool) {
	for i, t := range s.ts {
		there := t.shape == shapeMail || t.shape == shapeURL && s.prior(i, 2, "to", "into", "via", "an", "a", "vers", "на")
		if there && !s.has("describe") && !strings.Contains(t.text, "example.") {
			return t, true
		}
	}
	return token{}, false
}

// fillsIn reports whether a verb fills an argument in and does not change it.
func (s *sentence) fillsIn(m sense) bool {
	return tables().FillingVerbs.Has(s.text(m))
}

// givesSecrets reports whether the tool's name says that it returns secrets.
func givesSecrets(name string) bool {
	return containsAny(name, tables().SecretTools)
}

// refusesOthers reports whether other tools are rejected: "never use other
// tools", "call this before any other tool".
func (p *passage) refusesOthers(s *sentence) bool {
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

// foreignTool is the tool of another server that the sentence names, "" if
// none.
func (p *passage) foreignTool(s *sentence) string {
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
	return s.prior(i, 2, tables().Calling...)
}

// piped matches a command that runs what it fetches or decodes.
var piped = lazyregexp.New(`(?i)\b(?:curl|wget|base64\s+(?:-d|--decode|-D))\b[^|\n]{0,200}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b|\brm\s+-rf\s+[~/]`)

// markers match the tokens with which turns of a conversation begin.
var markers = lazyregexp.New(`(?i)<\|im_start\|>|<\|system\|>|<<sys>>|\[/?inst\]|</?system(?:_prompt|_message)?>|</?tool_description>|\n\s*(?:system|assistant)\s*:\s*\S`)

// commandsAndRoles finds instructions to run a command, and forged turns of a
// conversation.
func (p *passage) commandsAndRoles() {
	if len(p.sentences) == 0 {
		return
	}
	if at := piped.FindStringIndex(p.source); at != nil && p.directsAt(at[0]) {
		p.report(mcpsf.TextInstruction, p.field, shown(p.source, at[0], at[1]), "command")
	}
	if at := markers.FindStringIndex(p.source); at != nil && p.of != ofResult && !p.describesAt(at[0]) && !p.talksToModel {
		p.report(mcpsf.TextInstruction, p.field, shown(p.source, at[0], at[1]), "role")
	}
}

// directsAt reports whether the sentence at a position addresses the model.
func (p *passage) directsAt(at int) bool {
	s := p.at(at)
	return s != nil && (s.addressesModel() || p.nearSecrecy || s.is(0, "call")) && !s.describesAttacks()
}

// describesAt reports whether the sentence at a position describes attacks.
func (p *passage) describesAt(at int) bool {
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
