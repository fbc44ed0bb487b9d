package refusal

import (
	"slices"
	"strings"
	"unicode"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// maxPhrase bounds the words of an example that has blanks.
// gap: tools-failed
const maxPhrase = 6

var (
	// oneForm are words behind which one value stands and no list of them: "a row looks
	// like". Those behind which a list may stand as well are not here.
	oneForm = lazyregexp.New(`(?i)(?:\b(?:looks?|looking|formatted|written) like|\blike so:|\bof the (?:form|shape|pattern)(?: of)?)[,:]?\s*$`)
	// furtherWord is the next word of a phrase, with what separates it.
	furtherWord = lazyregexp.New(`^(,? ?)([^\s,;"'` + "`" + `()<>{}“”‘’]+)`)
	// onlyThat follows an example and says that nothing else may be there.
	onlyThat = lazyregexp.New(`(?i)^,? (?:and|with|but) (?:nothing|no|not|only)\b|^,? (?:exactly|only|without|in (?:one|this|that))\b`)
	// unitWord is what stands behind a number: kg, EUR, px.
	unitWord = lazyregexp.New(`^[A-Za-zµ%°]{1,3}$`)
)

// phraseAt reads a value with blanks or commas at the beginning of a text: DE X1234, or
// 2031-02-01T08:30Z, 21.5. It is "" if only one word stands there. A list of words of
// the same form is one value only behind words that are about one.
func phraseAt(text string, single bool) string {
	end, words := 0, []string(nil)
	for len(words) <= maxPhrase {
		m := furtherWord.FindStringSubmatchIndex(text[end:])
		if m == nil || len(words) == 0 != (m[2] == m[3]) {
			break
		}
		word := strings.TrimRight(text[end+m[4]:end+m[5]], ".:!?")
		if word == "" || articles(word) || proseWord(word) || !valueWord(word, words, single) {
			break
		}
		words, end = append(words, word), end+m[4]+len(word)
		if len(word) < m[5]-m[4] {
			break // a full stop
		}
	}
	whole, rest := text[:end], text[end:]
	closed := ends(rest) && !strings.HasPrefix(rest, ", ") || onlyThat.MatchString(rest)
	if len(words) < 2 || len(whole) > maxName || !closed || strings.HasPrefix(rest, " or ") || !single && alikeWords(words) {
		return ""
	}
	return whole
}

// valueWord reports whether a word can be a part of a value: it has a digit, is a code
// or a unit. Where one value must stand, names are, too.
func valueWord(word string, before []string, single bool) bool {
	first := []rune(word)[0]
	switch {
	case strings.ContainsFunc(word, unicode.IsDigit), strings.ToUpper(word) == word:
		return true
	case len(before) > 0 && strings.ContainsFunc(before[len(before)-1], unicode.IsDigit) && unitWord.MatchString(word):
		return true
	}
	return single && (unicode.IsUpper(first) || telling(word))
}

// proseWord reports whether a word joins others in a sentence.
func proseWord(word string) bool {
	return slices.Contains([]string{"and", "or", "of", "with", "by", "from", "on", "is", "are", "as", "then", "where", "when", "if", "but", "per", "its", "i", "use", "try", "see"}, strings.ToLower(word))
}

// alikeWords reports whether all words have the same form: they are then several
// values.
func alikeWords(words []string) bool {
	form := func(word string) string {
		return strings.Map(func(r rune) rune {
			switch {
			case unicode.IsDigit(r):
				return '0'
			case unicode.IsLetter(r):
				return 'a'
			}
			return r
		}, word)
	}
	squeezed := func(word string) string {
		return string(slices.Compact([]rune(form(word))))
	}
	return !slices.ContainsFunc(words, func(w string) bool { return squeezed(w) != squeezed(words[0]) })
}
