package order

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// secretFinder finds passwords and keys in a sentence.
type secretFinder struct{ *utterance }

// find lists the user's passwords and keys. A server may mention its own key.
func (s secretFinder) find(other bool) []Asset {
	var out []Asset
	vault := s.mentionsVault()
	for _, m := range s.Each("secret") {
		if s.IsNegated(m.From) || s.Within(m.From-3, m.From, "public-key", "example", "forgotten") || s.Words[m.From].Name || s.Near(m.From-1, m.From, "last", "failed", "successful", "next") && s.Near(m.From, m.To, "login", "logins") {
			continue
		}
		if s.generic(m) && s.Near(m.From-1, m.From, "a", "an", "new", "one", "another") {
			continue // one that is yet to be created
		}
		t := Asset{Kind: AssetSecret, Name: s.purpose(m), from: m.From, to: m.To}
		if s.environment(m) {
			t = Asset{Kind: AssetFile, Name: ".env", from: m.From, to: m.To}
		}
		switch {
		case s.readersOwn(m) && !vault:
			continue
		case !s.usersOwn(m) && !vault:
			if t.weak = true; s.generic(m) {
				continue
			}
		}
		out = append(out, t)
		break
	}
	if len(out) == 0 && vault && !other {
		m := s.Each("vault")[0]
		if !s.IsNegated(m.From) {
			out = append(out, Asset{Kind: AssetSecret, Name: s.purpose(m), from: m.From, to: m.To})
		}
	}
	return out
}

// environment reports whether environment variables are meant.
func (s secretFinder) environment(m promptscan.Sense) bool {
	return strings.Contains(s.Phrase(m), "environment") || s.Near(m.To, m.To+5, "environment") && s.Near(m.To, m.To+4, "users", "user")
}

// usersOwn reports whether the secrets are the user's, or all secrets are
// meant.
func (s secretFinder) usersOwn(m promptscan.Sense) bool {
	from, to := m.From-4, m.To+5
	if s.generic(m) {
		return s.Within(from, to, "user") || s.Near(from, to, "saved", "stored", "their")
	}
	if s.Within(from, to, "user") || s.NearSet(from, m.From, words().Secrets.Owned) {
		return true
	}
	return s.Within(from, to, "owned") && s.Near(m.To, to, "you", "from", "stored", "saved", "found", "on")
}

// readersOwn reports whether a human reader is addressed, who has a key: "your
// key".
func (s secretFinder) readersOwn(m promptscan.Sense) bool {
	if s.Near(m.From-5, m.From, "your") && s.Within(m.From-7, m.From, "forgotten") {
		return true // enter your name and password
	}
	return s.Near(m.From-2, m.From, "your", "ihr", "dein", "tu", "votre", "ваш") && !s.Near(m.To, m.To+4, "user", "users")
}

// generic reports whether the word is ambiguous, like "token".
func (s secretFinder) generic(m promptscan.Sense) bool {
	return words().Secrets.Generic.Has(s.Phrase(m))
}

// purpose is what the password is for: "the password of the bank", "mail password".
func (s secretFinder) purpose(m promptscan.Sense) string {
	for i := max(0, m.From-2); i < min(len(s.Words), m.To+7); i++ {
		if w := s.Words[i]; w.Quoted && !w.Lead && w.Shape == promptscan.ShapeWord && len(w.Text) > 2 {
			return w.Text
		}
	}
	for i := m.To; i < min(len(s.Words), m.To+3); i++ {
		if slices.Contains([]string{"for", "of", "fur", "para", "pour", "de", "du"}, s.Words[i].Text) {
			for j := i + 1; j < min(len(s.Words), i+3); j++ {
				if w := s.Words[j].Text; !words().Secrets.Articles.Has(w) && !s.Is(j, "user") {
					return w
				}
			}
		}
	}
	if m.From > 0 {
		if w := s.Words[m.From-1].Text; words().Secrets.Purposes.Has(w) {
			return w
		}
	}
	return ""
}
