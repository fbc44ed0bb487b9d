package promptscan

import (
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
	if o.of == ofResult {
		source = Unquoted(source)
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
