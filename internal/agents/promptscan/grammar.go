package promptscan

import (
	"github.com/mcpsf/mcpsf"
)

// passage is a run of sentences that are judged together.
type passage struct {
	*scanner
	field     string
	source    string
	sentences []sentence
	// nearSecrecy is set while the current sentence is close to one that asks
	// for secrecy.
	nearSecrecy bool
	// hidden is set for decoded text: the author hid it on purpose.
	hidden bool
}

// sentences judges one text.
func (o *scanner) sentences(t *text) {
	source := t.value
	if t.role == roleName {
		source = spelled(t.value)
	}
	if o.of == ofResult {
		source = Unquoted(source)
	}
	ts := tokens(source)
	o.judge(t.field, source, t.parameter, ts, false)
	for _, plain := range [][]token{undoLeet(ts), o.lexicon.undoSpacing(ts)} {
		if plain != nil {
			o.judge(t.field, source, t.parameter, plain, true)
		}
	}
}

// judge splits tokens into sentences and reports what they say.
func (o *scanner) judge(field, source, parameter string, ts []token, hidden bool) {
	p := passage{scanner: o, field: field, source: source, sentences: o.lexicon.split(ts), hidden: hidden}
	for i := range p.sentences {
		p.sentences[i].parameter = parameter
	}
	for i := range p.sentences {
		p.secrecy(&p.sentences[i])
	}
	for i := range p.sentences {
		s := &p.sentences[i]
		p.nearSecrecy = p.isNearSecrecy(i)
		p.secretTheft(i, s)
		p.contextTheft(s)
		p.instructionOverride(s)
		p.skippedConsent(s)
		p.otherTools(s)
		p.redirectedCalls(s)
		p.bulkExfiltration(s)
		p.remoteCode(s)
	}
	p.commandsAndRoles()
}

func (p *passage) reportSentence(what mcpsf.TextKind, s *sentence, target string) {
	p.report(what, p.field, p.excerpt(s), printable(target))
}

func (p *passage) excerpt(s *sentence) string {
	from, to := s.ts[0].start, s.ts[len(s.ts)-1].end
	return shown(p.source, from, to)
}
