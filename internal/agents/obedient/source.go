package obedient

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
)

// literal is a word as it was written, without what stands around it.
func (s *sentence) literal(i int) string {
	w := s.Words[i]
	if w.Start < 0 || w.End > len(s.source) || w.Start >= w.End {
		return w.Text
	}
	raw := strings.TrimRight(s.source[w.Start:w.End], `.:?,;|>}])"'`)
	raw = strings.TrimLeft(raw, `<([{"'`)
	if !strings.EqualFold(raw, w.Text) {
		raw = w.Text
	}
	return unwrapped(raw, w.Shape)
}

// unwrapped is an address or path without what is written around it:
// "to=https://", "fetch:~/.netrc".
func unwrapped(word string, shape promptscan.Shape) string {
	from := 0
	switch shape {
	case promptscan.ShapeURL:
		from = max(0, strings.Index(word, "http"))
	case promptscan.ShapePath:
		word = strings.TrimPrefix(word, "@")
		if at := strings.IndexAny(word, "~/$%"); at > 0 && strings.IndexByte("=:([{<\"'|,;", word[at-1]) >= 0 {
			from = at
		}
	case promptscan.ShapeMail:
		from = strings.LastIndexAny(word, "=:<([{|") + 1
	}
	return strings.TrimRight(word[from:], `)]}>"',;|`)
}

// quote is the sentence as it can be shown.
func (s *sentence) quote() string {
	if len(s.Words) == 0 {
		return ""
	}
	from, to := s.Words[0].Start, s.Words[len(s.Words)-1].End
	if from < 0 || to > len(s.source) || from > to {
		return ""
	}
	return promptscan.Printable(s.source[from:to])
}

// rest is the text behind a word, to the end of the sentence.
func (s *sentence) rest(i int) string {
	if i >= len(s.Words) {
		return ""
	}
	from, to := s.Words[i].Start, s.Words[len(s.Words)-1].End
	if from < 0 || to > len(s.source) || from > to {
		return ""
	}
	return strings.TrimSpace(s.source[from:to])
}

func (s *sentence) extent() (int, int) {
	if len(s.Words) == 0 {
		return 0, 0
	}
	from, to := s.Words[0].Start, s.Words[len(s.Words)-1].End
	if from < 0 || to > len(s.source) || from > to {
		return 0, 0
	}
	for from > 0 && strings.IndexByte("`'\"", s.source[from-1]) >= 0 {
		from--
	}
	for to < len(s.source) && strings.IndexByte("`'\")]}.;", s.source[to]) >= 0 {
		to++
	}
	return from, to
}

// wordsAt are the words that stand between two places, -1 if none does.
func (s *sentence) wordsBetween(from, to int) (int, int) {
	first, last := -1, -1
	for i, w := range s.Words {
		if w.Start >= from && w.Start < to {
			if first < 0 {
				first = i
			}
			last = i + 1
		}
	}
	return first, last
}

// broken: a line ends between two words.
func (s *sentence) lineBreak(i, j int) bool {
	i, j = min(i, j), max(i, j)
	if j >= len(s.Words) || s.Words[i].Start < 0 || s.Words[j].Start > len(s.source) || s.Words[i].Start > s.Words[j].Start {
		return false
	}
	return strings.Contains(s.source[s.Words[i].Start:s.Words[j].Start], "\n")
}

// capital: a single capital letter, as in "X stands for".
func (s *sentence) isCapital(i int) bool {
	w := s.Words[i]
	if len(w.Text) != 1 || w.Start < 0 || w.Start >= len(s.source) || !unicode.IsUpper(rune(s.source[w.Start])) {
		return false
	}
	return w.Text != "a" && w.Text != "i"
}

// quoted is the first text in quotation marks.
func (s *sentence) quotedText() string {
	from, to := s.extent()
	return firstQuoted(s.source[from:to])
}

// firstQuoted is the first text in quotation marks, "" if there is none.
func firstQuoted(text string) string {
	m := inQuotes.FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	return strings.Join(m[1:], "")
}

var inQuotes = regexp.MustCompile(`"([^"\n]{2,600})"|“([^”\n]{2,600})”|«\s?([^»\n]{2,600}?)\s?»|„([^“”\n]{2,600})[“”]|'([^'\n]{6,600})'`)
