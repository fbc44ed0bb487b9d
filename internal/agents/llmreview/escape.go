package llmreview

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// A quoted text must not look like anything but text: it must not end its
// block, begin another, or contain a token that models read as the end of a
// turn or the beginning of a call. Nothing is removed: invisible characters are
// written out, and such tokens are broken up by a backslash.

// marks are delimiters like ours, and those of chat templates.
var marks = lazyregexp.New(`(?i)<{2,}|>{2,}|<[|/]|\|>|\[/?inst|</?(?:[a-z]{1,12}:)?(?:s|bos|eos|think|tool|function|invoke|parameter|system|user|assistant|human|start|end)(?:_\w+|\b)`)

// brackets can be mistaken for those of a delimiter.
const brackets = "＜﹤‹〈⟨❮❰≪⋘«˂ᐸ＞﹥›〉⟩❯❱≫⋙»˃ᐳ｜│∣❘ǀ⏐￨"

// escapeQuoted is a text in the form in which it may stand in a block with that
// key.
func escapeQuoted(text, key string) string {
	text = strings.ToValidUTF8(text, "\ufffd")
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\t", " ").Replace(text)
	text = withoutKey(text, key)
	text = marks.ReplaceAllStringFunc(text, breakMark)
	var b strings.Builder
	tower := 0
	for _, r := range text {
		if unicode.Is(unicode.M, r) {
			tower++
		} else {
			tower = 0
		}
		switch {
		case r == '\n':
			b.WriteRune(r)
		case safetext.Hidden(r), tower > 2, strings.ContainsRune(brackets, r):
			fmt.Fprintf(&b, `\u{%x}`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// breakMark puts backslashes between the first characters of a mark.
func breakMark(mark string) string {
	if strings.Trim(mark, mark[:1]) == "" {
		return strings.Join(strings.Split(mark, ""), `\`)
	}
	return mark[:1] + `\` + mark[1:]
}

// withoutKey removes the key of the delimiters from a text. The key cannot be
// there by chance, and the target cannot know it: it is drawn from a digest of
// all texts.
func withoutKey(text, key string) string {
	if key == "" {
		return text
	}
	runes := []rune(text)
	var plain []byte
	var from []int // for each byte of plain, the index of its rune
	for i, r := range runes {
		for _, c := range []byte(fold(r)) {
			plain, from = append(plain, c), append(from, i)
		}
	}
	var b strings.Builder
	done, at := 0, 0
	for {
		i := strings.Index(string(plain[at:]), key)
		if i < 0 {
			break
		}
		first, last := from[at+i], from[at+i+len(key)-1]
		if first >= done {
			b.WriteString(string(runes[done:first]) + "[delimiter]")
			done = last + 1
		}
		at += i + len(key)
	}
	b.WriteString(string(runes[done:]))
	return b.String()
}

// twins are letters of other scripts that look like Latin ones.
const twins = "аaеeоoрpсcхxуyкkіiјjѕsԁdһhɡgνvοoαaρpκkιiτtχxⅼlӏl"

// fold is what a character looks like: "" for an invisible one, except a line
// end.
func fold(r rune) string {
	switch {
	case r < unicode.MaxASCII:
		if r == '\n' || r >= ' ' {
			return string(unicode.ToLower(r))
		}
		return ""
	case safetext.Hidden(r):
		return ""
	}
	s := strings.ToLower(norm.NFKC.String(string(r)))
	if s == "" || s[0] < utf8.RuneSelf {
		return s
	}
	if i := strings.Index(twins, s); i >= 0 {
		return twins[i+len(s) : i+len(s)+1]
	}
	return s
}
