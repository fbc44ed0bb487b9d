package promptscan

import (
	"strings"
	"unicode"
)

// spelled splits a name into words: conversationHistory, conversation_history.
// Every byte keeps its position.
func spelled(name string) string {
	if len(name) > 400 {
		return name
	}
	var b strings.Builder
	var last rune
	for _, r := range name {
		switch {
		case r == '_' || r == '-' || r == '.':
			b.WriteByte(' ')
		case unicode.IsUpper(r) && unicode.IsLower(last):
			b.WriteByte(' ')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
		last = r
	}
	return b.String()
}

// undoLeet replaces digits by the letters they look like, if the text has words
// with digits inside; nil if it has none.
func undoLeet(ts []token) []token {
	n := 0
	for _, t := range ts {
		if t.shape == shapeWord && leet(t.text) {
			n++
		}
	}
	if n < 2 {
		return nil
	}
	out := make([]token, len(ts))
	letters := strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a", "5", "s", "7", "t", "$", "s")
	for i, t := range ts {
		if t.shape == shapeWord && leet(t.text) {
			t.text = letters.Replace(t.text)
			t.name = false
		}
		out[i] = t
	}
	return out
}

// leet reports whether a word has a digit between or before letters.
func leet(word string) bool {
	digits, letters, mixed := 0, 0, false
	for i := range len(word) {
		switch c := word[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c >= 'a' && c <= 'z':
			letters++
			mixed = mixed || digits > 0
		default:
			return false
		}
	}
	return mixed && letters > 0 && digits <= letters+1 && digits+letters > 3
}

// maxSpaced bounds the run of single letters that is joined.
// no gap: bounds what is quoted or counts as one word or sentence, not what is read
const maxSpaced = 2000

// undoSpacing joins letters that were written one by one; nil if there are
// none. If the blanks between words are no longer than those between letters,
// it looks for words of the vocabulary.
func (l *lexicon) undoSpacing(ts []token) []token {
	var out []token
	changed := false
	for i := 0; i < len(ts); {
		n := 0
		for i+n < len(ts) && n < maxSpaced && single(ts[i+n]) {
			n++
		}
		if n < 6 {
			out = append(out, ts[i:i+max(n, 1)]...)
			i += max(n, 1)
			continue
		}
		out = append(out, l.joinLetters(ts[i:i+n])...)
		changed = true
		i += n
	}
	if !changed {
		return nil
	}
	return out
}

func single(t token) bool { return len(t.text) == 1 && t.text[0] >= 'a' && t.text[0] <= 'z' }

// joinLetters joins single letters, by the distances between them.
func (l *lexicon) joinLetters(ts []token) []token {
	narrow := ts[1].start - ts[0].end
	for i := 1; i < len(ts); i++ {
		narrow = min(narrow, ts[i].start-ts[i-1].end)
	}
	var out []token
	var word []byte // of the last token
	for i, t := range ts {
		if i > 0 && t.start-ts[i-1].end <= narrow {
			last := &out[len(out)-1]
			word = append(word, t.text...)
			last.end, last.stop = t.end, false
			continue
		}
		if i > 0 {
			out[len(out)-1].text = string(word)
		}
		word = append(word[:0], t.text...)
		out = append(out, t)
	}
	out[len(out)-1].text = string(word)
	if len(out) == 1 {
		out = l.cutWords(out[0])
	}
	out[0].lead, out[len(out)-1].stop = true, true
	return out
}

// cutWords splits a string without blanks into words of the vocabulary, the
// longest first.
func (l *lexicon) cutWords(t token) []token {
	var out []token
	for i := 0; i < len(t.text); {
		n := 1
		for m := min(20, len(t.text)-i); m > 1; m-- {
			if l.letters[t.text[i:i+m]] {
				n = m
				break
			}
		}
		piece := t
		piece.text, piece.lead, piece.stop = t.text[i:i+n], false, false
		out = append(out, piece)
		i += n
	}
	return out
}
