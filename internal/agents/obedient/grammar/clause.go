package grammar

// ClauseEnd is the end of a clause: at the next clause, or with the sentence.
func (s *Statement) ClauseEnd(i int) int {
	for j := i + 1; j < len(s.Words); j++ {
		if s.Words[j].Lead {
			return j
		}
		if j > i+1 && (s.Words[j].Text == "you" || s.Words[j].Text == "then") && s.Is(j, "address", "owe") {
			return j
		}
		if j > i+2 && s.Near(j, j+1, "call", "invoke", "run", "execute", "use") && !bound(s.Words[j-1].Text) && !s.Near(j-1, j, "you", "they", "to", "and", "or", "tool") {
			return j
		}
		if j > i+1 && s.Near(j, j+1, "call", "invoke") && s.Near(j-1, j, "it") {
			return j
		}
		if j > i && s.Is(j, "read", "pass") && !s.NearSet(j-1, j, words().NotBeforeVerb) && (!s.English() || !s.Is(j-1, "user", "agent", "pass", "read")) {
			return j
		}
	}
	return len(s.Words)
}

// BeginsClause says whether a conditional clause begins at a word.
func (s *Statement) BeginsClause(i int) bool {
	w := s.Words[i]
	if w.Quoted && !s.Words[0].Quoted || s.Is(i, "only-after") || s.Near(i-1, i, "only", "until") {
		return false
	}
	if words().RarelyConditions.Has(w.Text) {
		return w.Lead && i+2 < len(s.Words) && w.Text != "first" && w.Text != "then"
	}
	return true
}

// IsPolite reports whether a condition is only a polite form: "it would help if
// you could".
func (s *Statement) IsPolite(i int) bool {
	if s.NearSet(i-5, i, words().PoliteBefore) {
		return true
	}
	if s.NearSet(i+1, i+8, words().PoliteAfter) {
		return true
	}
	return s.Near(i+1, i+3, "you") && s.Near(i+2, i+4, "could", "would", "might")
}
