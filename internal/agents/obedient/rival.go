package obedient

import "slices"

// rivals: all other tools are meant.
func (b *preferRule) rivals(s *utterance) bool {
	for _, m := range s.each("other", "others", "rivals") {
		if s.within(m.From-5, m.From, "instead") || s.within(m.From-6, m.From, "not") && s.within(m.From-5, m.From, "call", "prefer") || s.within(m.To, m.To+7, "bad") {
			return true
		}
	}
	return false
}

// forAll: "use it for each and every search".
func (b *preferRule) forAll(s *utterance) bool {
	return s.near(0, len(s.Words), "every", "anything", "always", "all") && s.near(0, len(s.Words), "for") && len(s.live("call", "prefer")) > 0 && s.spoken()
}

// solely: "mail goes through X only": all of a kind is to be done by one tool.
func (b *preferRule) solely(s *utterance, tool int) bool {
	return s.class("mails", "requests", "universal", "searches") && slices.ContainsFunc(b.tools.toolsIn(s, 0, len(s.Words)), func(m mention) bool {
		return m.tool == tool && s.within(m.from-4, m.to+3, "solely")
	})
}
