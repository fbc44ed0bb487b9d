package grammar

import (
	"strings"
	"unicode"

	"github.com/mcpsf/mcpsf/internal/agents/promptscan"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// Literal is a word as written, without punctuation around it.
func (s *Sentence) Literal(i int) string {
	w := s.Words[i]
	if w.Start < 0 || w.End > len(s.Source) || w.Start >= w.End {
		return w.Text
	}
	raw := strings.TrimRight(s.Source[w.Start:w.End], `.:?,;|>}])"'`)
	raw = strings.TrimLeft(raw, `<([{"'`)
	if !strings.EqualFold(raw, w.Text) {
		raw = w.Text
	}
	return unwrapped(raw, w.Shape)
}

// unwrapped is a URL or path without a prefix: "to=https://", "fetch:~/.netrc".
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

// Quote is the sentence, safe to print.
func (s *Sentence) Quote() string {
	if len(s.Words) == 0 {
		return ""
	}
	from, to := s.Words[0].Start, s.Words[len(s.Words)-1].End
	if from < 0 || to > len(s.Source) || from > to {
		return ""
	}
	return promptscan.Printable(s.Source[from:to])
}

// Rest is the text behind a word, to the end of the sentence.
func (s *Sentence) Rest(i int) string {
	if i >= len(s.Words) {
		return ""
	}
	from, to := s.Words[i].Start, s.Words[len(s.Words)-1].End
	if from < 0 || to > len(s.Source) || from > to {
		return ""
	}
	return strings.TrimSpace(s.Source[from:to])
}

// Extent is where the sentence begins and ends in the source, with the
// punctuation around it.
func (s *Sentence) Extent() (int, int) {
	if len(s.Words) == 0 {
		return 0, 0
	}
	from, to := s.Words[0].Start, s.Words[len(s.Words)-1].End
	if from < 0 || to > len(s.Source) || from > to {
		return 0, 0
	}
	for from > 0 && strings.IndexByte("`'\"", s.Source[from-1]) >= 0 {
		from--
	}
	for to < len(s.Source) && strings.IndexByte("`'\")]}.;", s.Source[to]) >= 0 {
		to++
	}
	return from, to
}

// WordsBetween are the words between two source positions, -1 if there are
// none.
func (s *Sentence) WordsBetween(from, to int) (int, int) {
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

// LineBreak reports whether a line ends between two words.
func (s *Sentence) LineBreak(i, j int) bool {
	i, j = min(i, j), max(i, j)
	if j >= len(s.Words) || s.Words[i].Start < 0 || s.Words[j].Start > len(s.Source) || s.Words[i].Start > s.Words[j].Start {
		return false
	}
	return strings.Contains(s.Source[s.Words[i].Start:s.Words[j].Start], "\n")
}

// IsCapital reports whether the word is a single capital letter, as in "X stands for".
func (s *Sentence) IsCapital(i int) bool {
	w := s.Words[i]
	if len(w.Text) != 1 || w.Start < 0 || w.Start >= len(s.Source) || !unicode.IsUpper(rune(s.Source[w.Start])) {
		return false
	}
	return w.Text != "a" && w.Text != "i"
}

// QuotedText is the first text in quotation marks.
func (s *Sentence) QuotedText() string {
	from, to := s.Extent()
	return FirstQuoted(s.Source[from:to])
}

// FirstQuoted is the first text in quotation marks, "" if there is none.
func FirstQuoted(text string) string {
	m := inQuotes.FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	return strings.Join(m[1:], "")
}

var inQuotes = lazyregexp.New(`"([^"\n]{2,600})"|“([^”\n]{2,600})”|«\s?([^»\n]{2,600}?)\s?»|„([^“”\n]{2,600})[“”]|'([^'\n]{6,600})'`)
