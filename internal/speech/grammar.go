package speech

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf"
)

// passage is a run of sentences that are read together.
type passage struct {
	*object
	field     string
	source    string
	sentences []sentence
	// hushed is set while the sentence at hand is close to one that asks for
	// silence.
	hushed bool
	// hidden is set for what was encoded: whoever hides a sentence means it.
	hidden bool
}

// sentences judges one text.
func (o *object) sentences(t *text) {
	source := t.value
	if t.role == roleName {
		source = spelled(t.value)
	}
	ts := tokens(source)
	o.judge(t.field, source, t.parameter, ts, false)
	for _, plain := range [][]token{unleet(ts), o.lexicon.unspaced(ts)} {
		if plain != nil {
			o.judge(t.field, source, t.parameter, plain, true)
		}
	}
}

// judge reads tokens as sentences and tells what they say.
func (o *object) judge(field, source, parameter string, ts []token, hidden bool) {
	p := passage{object: o, field: field, source: source, sentences: o.lexicon.split(ts), hidden: hidden}
	for i := range p.sentences {
		p.sentences[i].parameter = parameter
	}
	for i := range p.sentences {
		p.silence(&p.sentences[i])
	}
	for i := range p.sentences {
		s := &p.sentences[i]
		p.hushed = p.nearQuiet(i)
		p.secret(i, s)
		p.context(s)
		p.override(s)
		p.consent(s)
		p.otherTool(s)
		p.redirect(s)
		p.carry(s)
		p.load(s)
	}
	p.commands()
}

func (p *passage) say(what mcpsf.TextKind, s *sentence, target string) {
	p.tell(what, p.field, p.excerpt(s), printable(target))
}

func (p *passage) excerpt(s *sentence) string {
	from, to := s.ts[0].start, s.ts[len(s.ts)-1].end
	return shown(p.source, from, to)
}

// nearQuiet says whether silence is asked for a few sentences away.
func (p *passage) nearQuiet(i int) bool {
	near := p.sentences[max(0, i-4):min(len(p.sentences), i+5)]
	return slices.ContainsFunc(near, func(s sentence) bool { return s.quiet })
}

// silence: the user is not to know.
func (p *passage) silence(s *sentence) {
	if s.described() {
		return
	}
	if p.silent(s) {
		s.quiet = true
		p.say(mcpsf.TextSilence, s, "")
	}
}

func (p *passage) silent(s *sentence) bool {
	if slices.ContainsFunc(s.does("hush"), func(m sense) bool { return !s.twice(m) }) {
		return true
	}
	for _, m := range s.each("tell", "tell-of") {
		n, ok := s.forbidden(m)
		if !ok {
			continue
		}
		switch {
		case m.class == "tell" && s.toldNothing(m):
			return true
		case s.userNear(m, n):
			p.hint(mcpsf.TextSilence, p.field, p.excerpt(s), "")
		}
	}
	for _, m := range s.each("tell-after") {
		if s.near(m, 6, "not") && (s.near(m, 8, "user") || s.near(m, 6, "this")) {
			return true
		}
	}
	return false
}

// forbidden says whether an order not to do it stands before the verb. "It
// does not tell" is none.
func (s *sentence) forbidden(m sense) (sense, bool) {
	for _, n := range s.each("not") {
		if n.to > m.from || m.from-n.to > 6 || s.undone(n, m) {
			continue
		}
		switch s.text(n) {
		case "without":
			if s.twice(n) {
				continue
			}
			fallthrough
		case "do not", "dont", "never", "must not", "should not", "shouldnt", "mustnt", "avoid", "refrain from":
			if m.from-n.to <= 1 || !s.parted(n.to, m.from-1) || s.after(n.to, 1, "under", "ever", "at", "in") {
				return n, true
			}
		}
	}
	return sense{}, false
}

// undone: another "not" stands between them.
func (s *sentence) undone(n, m sense) bool {
	return slices.ContainsFunc(s.each("not"), func(o sense) bool { return o.from >= n.to && o.to <= m.from })
}

// twice: "never ... without telling" is an order to tell.
func (s *sentence) twice(m sense) bool {
	return slices.ContainsFunc(s.each("not"), func(n sense) bool {
		return n.to <= m.from && m.from-n.to < 12 && s.text(n) != "without" && s.text(n) != "no"
	})
}

// toldNothing: "tell the user", "mention this", and not "tell the user the id".
func (s *sentence) toldNothing(m sense) bool {
	if s.after(m.to, 1, "this", "it", "these", "them", "anything", "any") && !s.after(m.to, 2, "is", "error") {
		return true
	}
	for i := m.to; i < min(m.to+4, len(s.ts)); i++ {
		if !s.is(i, "user") {
			continue
		}
		if i+1 == len(s.ts) || s.ts[i].stop || s.ts[i+1].lead {
			return true
		}
		return s.after(i+1, 1, "about", "that", "this", "what", "anything", "why", "of", "any", "or", "and", "until", "under", "because",
			"since", "even", "regarding", "these", "it", "you", "at")
	}
	return s.after(m.to, 2, "this", "it", "these", "anything") && !s.after(m.to, 2, "is", "error")
}

func (s *sentence) userNear(m, n sense) bool {
	return s.after(m.to, 2, "this", "that", "it", "these", "them", "any") && s.near(m, 8, "user") && n.to <= m.from
}

func (s *sentence) is(i int, c class) bool {
	return slices.ContainsFunc(s.senses, func(m sense) bool { return m.class == c && m.from <= i && i < m.to })
}

// near says whether a class stands within n tokens on either side.
func (s *sentence) near(m sense, n int, c class) bool {
	return slices.ContainsFunc(s.senses, func(o sense) bool {
		return o.class == c && o.from < m.to+n && o.to > m.from-n && (o.from != m.from || o.to != m.to)
	})
}

// secret: read it, or pass it on.
func (p *passage) secret(i int, s *sentence) {
	if s.described() && !p.hidden {
		return
	}
	read, pass := s.does("read"), s.does("pass")
	content := s.has("content")
	if len(pass) == 0 && i+1 < len(p.sentences) && p.sentences[i+1].continues() {
		pass = p.sentences[i+1].does("pass")
	}
	for _, m := range s.strong() {
		destination := s.prior(m.from, 3, "in", "to", "into", "at", "via", "through")
		if s.place(m) || s.negated(m) || s.quotedAway(m) || s.prior(m.from, 2, "public") {
			continue
		}
		told := s.has("address", "before") || p.hushed || p.of == ofPrompt
		asked := told || s.has("param", "threat") || p.hidden || p.of == ofResult || s.slot()
		handed := len(pass) > 0 && !destination
		_, literal := s.shaped(shapeMail, shapeURL)
		switch {
		case len(read) > 0 && handed && asked && !onlyOne(read, pass),
			content && len(pass) > 0 && asked,
			content && s.parameter != "" && p.private(s, m),
			(len(read) > 0 || p.stranger(s) != "") && p.private(s, m) && told,
			!destination && s.copies(read) && told,
			handed && asked && (literal || s.has("elsewhere") || s.has("param") && p.private(s, m)):
			p.say(mcpsf.TextSecret, s, s.text(m))
			return
		}
	}
	p.anySecret(s, read, pass)
}

// place: only the place of the secret is asked for.
func (s *sentence) place(m sense) bool {
	for i := max(0, m.from-4); i < m.from; i++ {
		if s.after(i, 1, "path", "pfad", "ruta", "chemin", "location") && s.after(i+1, 1, "to", "of", "zu", "zur", "de", "vers", "du") {
			return true
		}
	}
	return false
}

// copies: a verb that leaves a second one of it.
func (s *sentence) copies(verbs []sense) bool {
	return slices.ContainsFunc(verbs, func(m sense) bool { return s.after(m.from, 1, "copy", "dump", "harvest") })
}

// slot: "as `note`", the name of a parameter.
func (s *sentence) slot() bool {
	for i, t := range s.ts {
		if (t.name || t.quoted) && t.shape == shapeWord && s.prior(i, 2, "as", "in", "into", "via", "als", "como", "comme") {
			return true
		}
	}
	return false
}

// anySecret: passwords and keys that are not named closer. A server may ask
// for its own; all, or those found somewhere, are not its own.
func (p *passage) anySecret(s *sentence, read, pass []sense) {
	if !s.has("address", "before") && !p.hushed && !p.hidden && p.of != ofPrompt {
		return
	}
	for _, m := range s.does("secret") {
		if s.quotedAway(m) || len(pass) == 0 || len(s.does("owned")) == 0 || p.belongs(s) {
			continue
		}
		_, literal := s.shaped(shapeMail, shapeURL)
		if s.has("param", "elsewhere") || literal || p.named(s) || p.hushed || len(read) > 0 && !onlyOne(read, pass) && s.has("content") {
			p.say(mcpsf.TextSecret, s, s.text(m))
			return
		}
	}
}

// strong gives the secrets that have a place: words for them, and paths.
func (s *sentence) strong() []sense {
	out := s.each("strong")
	for i, t := range s.ts {
		if t.shape == shapePath && secretPath(t.text) {
			out = append(out, sense{"strong", i, i + 1})
		}
	}
	return out
}

func (p *passage) private(s *sentence, m sense) bool {
	if s.ts[m.from].shape == shapePath {
		return private(s.ts[m.from].text)
	}
	words := s.text(m)
	return !strings.Contains(words, "env") && !strings.Contains(words, "config")
}

// quotedAway: it stands in quotation marks in a sentence about such words.
func (s *sentence) quotedAway(m sense) bool { return s.quoted(m) && s.has("describe") }

// continues: the sentence goes on about what the one before was about.
func (s *sentence) continues() bool {
	return s.after(0, 8, "it", "its", "this", "that", "them", "their", "content", "contents", "result", "then", "inhalt", "ihn", "contenido",
		"contenu", "lo", "le", "содержимое", "его", "them", "these")
}

// onlyOne says whether the two lists hold the same single word.
func onlyOne(a, b []sense) bool { return len(a) == 1 && len(b) == 1 && a[0].from == b[0].from }

// belongs: the parameter that is spoken of is made for a secret.
func (p *passage) belongs(s *sentence) bool {
	if s.parameter != "" && secretName(strings.ToLower(s.parameter)) {
		return true
	}
	modest := !slices.ContainsFunc(s.does("owned"), func(m sense) bool { return s.text(m) != "users" && s.text(m) != "current" && s.text(m) != "their" })
	return slices.ContainsFunc(s.ts, func(t token) bool { return t.name && secretName(t.text) && (modest || p.words[bare(t.text)]) })
}

// named: the sentence names one of the tool's parameters.
func (p *passage) named(s *sentence) bool {
	return slices.ContainsFunc(s.ts, func(t token) bool { return (t.name || t.quoted) && p.words[bare(t.text)] })
}
