package promptscan

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcpsf/mcpsf"
)

// homoglyphs finds words of Latin letters with lookalikes from other scripts
// among them. Whole words of another script are just another language.
func (o *scanner) homoglyphs(t *text) {
	native := nativeWords(t.value)
	for start, end := range words(t.value) {
		if word := t.value[start:end]; hasHomoglyph(word, native) && !garbled(t.value, start, end) {
			o.report(mcpsf.TextLookalike, t.field, shown(t.value, start, end), ascii(word))
			return
		}
	}
}

// garbled reports whether a word is in binary data: an image or an archive that
// was read as text has letters of all scripts.
func garbled(s string, start, end int) bool {
	const around, many = 24, 4
	from, to, n := max(0, start-around), min(len(s), end+around), 0
	for from < start && !utf8.RuneStart(s[from]) {
		from++
	}
	for to > end && to < len(s) && !utf8.RuneStart(s[to]) {
		to--
	}
	for _, r := range s[from:to] {
		if r == utf8.RuneError || unicode.IsControl(r) && !unicode.IsSpace(r) {
			n++
		}
	}
	return n >= many
}

// words returns the runs of letters.
func words(s string) func(func(int, int) bool) {
	return func(yield func(int, int) bool) {
		start := -1
		for i, r := range s {
			letter := unicode.IsLetter(r)
			if letter && start < 0 {
				start = i
			}
			if !letter && start >= 0 {
				if !yield(start, i) {
					return
				}
				start = -1
			}
		}
		if start >= 0 {
			yield(start, len(s))
		}
	}
}

// nativeWords says whether the text is also written in Cyrillic or Greek.
func nativeWords(s string) bool {
	n := 0
	for start, end := range words(s) {
		whole := true
		for _, r := range s[start:end] {
			whole = whole && r >= 0x370 && r < 0x590
		}
		if whole && end-start > 4 {
			n++
		}
	}
	return n >= 3
}

// hasHomoglyph reports whether a word has Latin letters and lookalikes. In a
// text of the other script, Latin words get native endings, so there a
// lookalike must stand between two Latin letters.
func hasHomoglyph(word string, native bool) bool {
	latins, likes, others, between := 0, 0, 0, false
	var before, last rune
	for _, r := range word {
		switch {
		case latin(r):
			latins++
			between = between || latinLookalike(last) != 0 && before != 0 && latin(before)
		case latinLookalike(r) != 0:
			likes++
		default:
			others++
		}
		before, last = last, r
	}
	if latins == 0 || likes == 0 || others > 0 || latins+likes < 3 {
		return false
	}
	return between || !native
}

// ascii is the word with its lookalikes replaced.
func ascii(word string) string {
	out := make([]rune, 0, len(word))
	for _, r := range word {
		if l := latinLookalike(r); l != 0 {
			r = l
		}
		out = append(out, r)
	}
	return shown(string(out), 0, len(string(out)))
}

// doubles are Latin letters, each followed by those of the Cyrillic, Greek
// and Armenian scripts that look like it. Greek letters that stand for
// quantities are not in it.
const doubles = "aаАΑ bВΒ cсСϲ dԁ eеЕΕё gց hһНΗհ iіІΙιї jјЈϳ kКΚκк mМΜм nΝո oоОΟοօ pрРΡρ qԛ rг sѕЅ tТΤт uυս vνѵ wԝ xхХΧ yуУΥ zΖ"

// latinLookalike is the Latin letter that a letter looks like, 0 if none.
func latinLookalike(r rune) rune {
	if r < 0x370 || r > 0x589 {
		return 0
	}
	at := strings.IndexRune(doubles, r)
	if at < 0 {
		return 0
	}
	return rune(doubles[strings.LastIndexByte(doubles[:at], ' ')+1])
}
