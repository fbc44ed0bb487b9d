package promptscan

import "slices"

// sentence is a sentence with the senses of its words.
type sentence struct {
	ts     []token
	senses []sense
	// parameter is the parameter it describes, if any.
	parameter string
	// asksSecrecy is set if it asks for secrecy.
	asksSecrecy bool
}

// maxSentence is where a sentence is cut: real ones are shorter, and the words
// that matter are close together.
// no gap: bounds what is quoted or counts as one word or sentence, not what is read
const maxSentence = 120

// split cuts tokens into sentences.
func (l *lexicon) split(ts []token) []sentence {
	var out []sentence
	for len(ts) > 0 {
		n := min(len(ts), maxSentence)
		if stop := slices.IndexFunc(ts[:n], func(t token) bool { return t.stop }); stop >= 0 {
			n = stop + 1
		}
		s := sentence{ts: ts[:n], senses: l.senses(ts[:n])}
		s.discount()
		out = append(out, s)
		ts = ts[n:]
	}
	return out
}

// discount drops senses that are only quoted in a sentence about attacks.
func (s *sentence) discount() {
	about := -1
	for _, m := range s.senses {
		if m.class == "describe" && !s.quoted(m) && (about < 0 || m.from < about) {
			about = m.from
		}
	}
	if about < 0 {
		return
	}
	s.senses = slices.DeleteFunc(s.senses, func(m sense) bool { return m.from > about && s.quoted(m) })
}

func (s *sentence) quoted(m sense) bool {
	for _, t := range s.ts[m.from:m.to] {
		if !t.quoted {
			return false
		}
	}
	return true
}

func (s *sentence) has(classes ...class) bool {
	return slices.ContainsFunc(s.senses, func(m sense) bool { return slices.Contains(classes, m.class) })
}

// each returns the senses of some classes.
func (s *sentence) each(classes ...class) []sense {
	var out []sense
	for _, m := range s.senses {
		if slices.Contains(classes, m.class) {
			out = append(out, m)
		}
	}
	return out
}

// affirmed returns the senses of some classes that are not negated.
func (s *sentence) affirmed(classes ...class) []sense {
	return slices.DeleteFunc(s.each(classes...), s.negated)
}

// negated reports whether a "not" shortly precedes the words, or the verb that
// an "or" joins them to.
func (s *sentence) negated(m sense) bool {
	reach := 3
	if m.from > 0 && slices.Contains([]string{"or", "nor", "oder", "o", "ou", "или"}, s.ts[m.from-1].text) {
		reach = 10
	}
	for _, n := range s.senses {
		if n.class != "not" || n.to > m.from || m.from-n.to >= reach {
			continue
		}
		if reach == 10 || !s.parted(n.to, m.from) {
			return true
		}
	}
	return false
}

// parted says whether a clause begins between two tokens, or at the second.
func (s *sentence) parted(from, to int) bool {
	for i := from; i <= to && i < len(s.ts); i++ {
		if i > from && s.ts[i].lead {
			return true
		}
	}
	return false
}

// addressesModel reports whether the sentence addresses the model.
func (s *sentence) addressesModel() bool { return s.parameter != "" || s.has("address", "before") }

// describesAttacks reports whether the sentence describes attacks instead of
// giving an order.
func (s *sentence) describesAttacks() bool { return s.has("describe") && !s.has("address", "before") }

// after says whether one of the words comes within n tokens.
func (s *sentence) after(i, n int, words ...string) bool {
	for j := i; j < min(i+n, len(s.ts)); j++ {
		if slices.Contains(words, s.ts[j].text) {
			return true
		}
	}
	return false
}

// prior says whether one of the words comes within the n tokens before.
func (s *sentence) prior(i, n int, words ...string) bool {
	return s.after(max(0, i-n), min(i, n), words...)
}

// shaped returns the first token of a shape.
func (s *sentence) shaped(shapes ...shape) (token, bool) {
	for _, t := range s.ts {
		if slices.Contains(shapes, t.shape) {
			return t, true
		}
	}
	return token{}, false
}

func (s *sentence) text(m sense) string {
	out := ""
	for i, t := range s.ts[m.from:m.to] {
		if i > 0 && !unbroken([]rune(t.text)[0]) {
			out += " "
		}
		out += t.text
	}
	return out
}

func (s *sentence) is(i int, c class) bool {
	return slices.ContainsFunc(s.senses, func(m sense) bool { return m.class == c && m.from <= i && i < m.to })
}

// near says whether a class is within n tokens on either side.
func (s *sentence) near(m sense, n int, c class) bool {
	return slices.ContainsFunc(s.senses, func(o sense) bool {
		return o.class == c && o.from < m.to+n && o.to > m.from-n && (o.from != m.from || o.to != m.to)
	})
}
