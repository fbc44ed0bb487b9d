package order

import (
	"strings"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// alias is a word to which a text gives a meaning: "the badge" is the content
// of a file, X an address. Another text may then ask for the badge.
type alias struct {
	words  []string
	assets []Asset
	sink   *sink
}

// aliases are the aliases defined so far.
type aliases struct{ list []alias }

// define records aliases: each stands beside its meaning.
func (l *aliases) define(s *utterance, f *finder) {
	if len(l.list) >= maxAliases || s.isAboutOrders() || !s.Has("defines") && !equates(s) {
		return
	}
	assets, sinks := f.assets(s), f.sinks(s)
	for i := 0; i < len(s.Words); {
		j := term(s, i)
		if j == i {
			i++
			continue
		}
		a := alias{words: plain(s, i, j)}
		end := nextTerm(s, j)
		for _, t := range assets {
			if !t.weak && (t.from >= j && t.from < end || end == len(s.Words) && t.to <= i && len(l.list) == 0) {
				a.assets = append(a.assets, t)
			}
		}
		for n := range sinks {
			if k := &sinks[n]; k.Channel != ViaTool && k.at >= j && k.at < end {
				a.sink = k
			}
		}
		if len(a.words) > 0 && (len(a.assets) > 0 || a.sink != nil) && len(l.list) < maxAliases {
			l.list = append(l.list, a)
		}
		i = j
	}
}

// equates reports whether the sentence has an assignment: "badge = ~/.netrc".
func equates(s *utterance) bool {
	from, to := s.Extent()
	return strings.Contains(s.Source[from:to], " = ") || strings.Contains(s.Source[from:to], ":=")
}

// term is the end of a word that can be an alias: a marked word or a single
// capital letter.
func term(s *utterance, i int) int {
	j := i
	for j < len(s.Words) && j-i < 4 && marked(s.Words[j]) && s.Words[j].Shape == promptscan.ShapeWord && (j == i || !s.Words[j].Lead) {
		j++
	}
	if j == i && (s.IsCapital(i) || coins(s, i)) {
		j++
	}
	return j
}

// coins reports whether the sentence defines the word: "what is called the
// badge".
func coins(s *utterance, i int) bool {
	if s.Words[i].Shape != promptscan.ShapeWord || len(s.Words[i].Text) < 4 || s.Is(i, "content", "secret", "user", "agent", "toolword") {
		return false
	}
	from := i - 1
	if s.Near(from, i, "the", "a", "an", "our") {
		from--
	}
	return from > 0 && s.Near(from, from+1, "called", "dubbed", "named", "nicknamed") && s.Near(from-2, from, "is", "are", "hereinafter", "we", "be")
}

// nextTerm is where the next alias begins.
func nextTerm(s *utterance, i int) int {
	for ; i < len(s.Words); i++ {
		if term(s, i) > i {
			return i
		}
	}
	return i
}

func marked(w promptscan.Word) bool { return w.Quoted || w.Name }

// plain is words without the article.
func plain(s *utterance, from, to int) []string {
	var out []string
	for _, w := range s.Words[from:to] {
		if w.Text != "the" && w.Text != "a" {
			out = append(out, w.Text)
		}
	}
	if n := len(strings.Join(out, "")); n < 3 && !(to-from == 1 && s.IsCapital(from)) {
		return nil
	}
	return out
}

// each calls f for the aliases in a sentence and their positions.
func (l *aliases) each(s *utterance, f func(a *alias, from, to int)) {
	for n := range l.list {
		a := &l.list[n]
		for i := 0; i+len(a.words) <= len(s.Words); i++ {
			if s.Spells(i, a.words) && (len(a.words[0]) > 1 || s.IsCapital(i)) && !s.IsNegated(i) {
				f(a, i, i+len(a.words))
				break
			}
		}
	}
}

// assets are the assets that the aliases in a sentence stand for.
func (l *aliases) assets(s *utterance) []Asset {
	var out []Asset
	l.each(s, func(a *alias, from, to int) {
		for _, t := range a.assets {
			t.from, t.to, t.indirect = from, to, true
			out = append(out, t)
		}
	})
	return out
}

// sinks are the addresses that the aliases in a sentence stand for.
func (l *aliases) sinks(s *utterance) []sink {
	var out []sink
	l.each(s, func(a *alias, from, _ int) {
		if a.sink != nil {
			k := *a.sink
			k.at = from
			out = append(out, k)
		}
	})
	return out
}
