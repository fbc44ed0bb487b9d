package promptscan

import (
	"slices"

	"github.com/mcpsf/mcpsf"
)

// isNearSecrecy reports whether a sentence nearby asks for secrecy.
func (p *passage) isNearSecrecy(i int) bool {
	near := p.sentences[max(0, i-4):min(len(p.sentences), i+5)]
	return slices.ContainsFunc(near, func(s sentence) bool { return s.asksSecrecy })
}

// secrecy finds instructions to keep something from the user.
func (p *passage) secrecy(s *sentence) {
	if s.describesAttacks() {
		return
	}
	if p.asksSecrecy(s) {
		s.asksSecrecy = true
		p.reportSentence(mcpsf.TextSilence, s, "")
	}
}

func (p *passage) asksSecrecy(s *sentence) bool {
	if slices.ContainsFunc(s.affirmed("hush"), func(m sense) bool { return !s.doubleNegation(m) }) {
		return true
	}
	for _, m := range s.each("tell", "tell-of") {
		if !s.forbidden(m) {
			continue
		}
		switch {
		case m.class == "tell" && s.userIsNotToKnow(m):
			return true
		case s.userNear(m):
			p.reportWeak(mcpsf.TextSilence, p.field, p.excerpt(s), "")
		}
	}
	for _, m := range s.each("tell-after") {
		if s.near(m, 6, "not") && (s.near(m, 8, "user") || s.near(m, 6, "this")) {
			return true
		}
	}
	// What is not to be shown may be a row number; "this" is the action itself.
	return slices.ContainsFunc(s.each("show-after"), func(m sense) bool { return s.near(m, 6, "not") && s.near(m, 6, "this") })
}

// forbidden reports whether an order not to do it precedes the verb. "It does
// not tell" is no such order.
func (s *sentence) forbidden(m sense) bool {
	for _, n := range s.each("not") {
		if n.to > m.from || m.from-n.to > 6 || s.negatedAgain(n, m) {
			continue
		}
		switch s.text(n) {
		case "without":
			if s.doubleNegation(n) {
				continue
			}
			fallthrough
		case "do not", "dont", "never", "must not", "should not", "shouldnt", "mustnt", "avoid", "refrain from":
			if m.from-n.to <= 1 || !s.parted(n.to, m.from-1) || s.after(n.to, 1, "under", "ever", "at", "in") {
				return true
			}
		}
	}
	return false
}

// negatedAgain reports whether another "not" stands between them.
func (s *sentence) negatedAgain(n, m sense) bool {
	return slices.ContainsFunc(s.each("not"), func(o sense) bool { return o.from >= n.to && o.to <= m.from })
}

// doubleNegation reports whether "never ... without telling" is an order to
// tell.
func (s *sentence) doubleNegation(m sense) bool {
	return slices.ContainsFunc(s.each("not"), func(n sense) bool {
		return n.to <= m.from && m.from-n.to < 12 && s.text(n) != "without" && s.text(n) != "no"
	})
}

// userIsNotToKnow reports whether the user is to be told nothing at all: "tell
// the user", "mention this", and not "tell the user the id".
func (s *sentence) userIsNotToKnow(m sense) bool {
	if s.after(m.to, 1, "this", "it", "these", "them", "anything", "any", "so") && !s.after(m.to, 2, "is", "error") {
		return true
	}
	for i := m.to; i < min(m.to+4, len(s.ts)); i++ {
		if !s.is(i, "user") {
			continue
		}
		if i+1 == len(s.ts) || s.ts[i].stop || s.ts[i+1].lead {
			return true
		}
		return s.after(i+1, 1, tables().AfterUser...)
	}
	return s.after(m.to, 2, "this", "it", "these", "anything") && !s.after(m.to, 2, "is", "error")
}

// userNear reports whether the user is named behind the verb: "show it to the
// user", which may be about an id and no secret.
func (s *sentence) userNear(m sense) bool {
	return s.after(m.to, 2, "this", "that", "it", "these", "them", "any") && s.near(m, 8, "user")
}
