package resolve

import (
	"bytes"
	"fmt"
	"unicode"
	"unicode/utf8"

	"github.com/mcpsf/mcpsf/internal/static/code/ir"
)

// maxHidden is how many lines with hidden characters are kept.
// gap: source-not-read
const maxHidden = 50

// hiddenCharacters finds characters that change how code is displayed, or are
// invisible, and are not needed to write a language.
func (o *output) hiddenCharacters() {
	for i, line := range o.lines {
		if len(o.f.Hidden) >= maxHidden {
			o.f.Cut = true
			return
		}
		if ascii(line) {
			continue
		}
		if i == 0 {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		o.hiddenLine(line, i+1)
	}
}

func ascii(b []byte) bool {
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// hiddenLine checks one line.
func (o *output) hiddenLine(line []byte, n int) {
	counts := map[string]int{}
	first := map[string]rune{}
	var before, letter rune
	stray := 0
	script := scripted(line)
	for i := 0; i < len(line); {
		if n := listed(line[i:], before); n > 0 {
			i += n // a list of such characters, written on purpose
			continue
		}
		c, size := utf8.DecodeRune(line[i:])
		i += size
		next, _ := utf8.DecodeRune(line[i:])
		what := hiddenKind(c, before, next, letter, script)
		if what == "invisible" && quoted(before) && quoted(next) {
			what = "" // the character itself is quoted
		}
		if what != "" {
			if what == "invisible" && !nameable(c) {
				stray++
			}
			counts[what]++
			if first[what] == 0 {
				first[what] = c
			}
		}
		if !unicode.Is(unicode.Cf, c) && !unicode.Is(unicode.Variation_Selector, c) {
			letter = c
		}
		before = c
	}
	if counts["invisible"] == stray && stray < fewStray {
		counts["invisible"] = 0
	}
	for _, what := range []string{"bidirectional", "invisible", "tag", "selector"} {
		if counts[what] > 0 && (what != "selector" || counts[what] >= 3) {
			o.f.Hidden = append(o.f.Hidden, ir.Hidden{Line: n, Kind: what, Count: counts[what], Text: o.line(n), First: fmt.Sprintf("U+%04X", first[what])})
		}
	}
}

// fewStray is how many invisible characters make a line suspicious. Fewer come
// along when text is copied from a page.
const fewStray = 4

// nameable reports whether an invisible character may be part of an identifier,
// which then looks like another one: a single one of these is suspicious.
func nameable(c rune) bool { return c != 0x200b && c != 0x2060 && c != 0xfeff && c != 0x180e }

// fewest and most bound the length of a constant that lists hidden characters
// to be removed.
// gap: source-not-read
const fewest, most = 3, 40

// listed returns the length of a string constant that consists of different
// hidden characters: a list of characters to filter out. A message encoded in
// hidden characters repeats them.
func listed(line []byte, before rune) int {
	if !quoted(before) {
		return 0
	}
	seen := map[rune]bool{}
	for i := 0; i < len(line); {
		c, size := utf8.DecodeRune(line[i:])
		if quoted(c) {
			if len(seen) >= fewest {
				return i
			}
			return 0
		}
		if seen[c] || len(seen) >= most || hiddenKind(c, 0, 0, 0, false) == "" {
			return 0
		}
		seen[c] = true
		i += size
	}
	return 0
}

// scripted reports whether a line has letters of a script that needs joiners
// and direction marks.
func scripted(line []byte) bool {
	for i := 0; i < len(line); {
		c, size := utf8.DecodeRune(line[i:])
		i += size
		if unicode.In(c, unicode.Arabic, unicode.Hebrew, unicode.Devanagari, unicode.Bengali, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Gujarati, unicode.Gurmukhi, unicode.Sinhala, unicode.Khmer, unicode.Thai, unicode.Myanmar, unicode.Mongolian, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Tibetan, unicode.Lao) {
			return true
		}
	}
	return false
}

// hiddenKind returns what is wrong with a character, "" if nothing.
func hiddenKind(c, before, next, letter rune, script bool) string {
	switch {
	case c >= 0x202a && c <= 0x202e || c >= 0x2066 && c <= 0x2069:
		if !script {
			return "bidirectional"
		}
	case c >= 0xe0000 && c <= 0xe007f:
		if !flag(before) {
			return "tag"
		}
	case c >= 0xe0100 && c <= 0xe01ef, c >= 0xfe00 && c <= 0xfe0e:
		if before < 0x2000 || unicode.Is(unicode.Variation_Selector, before) {
			return "selector"
		}
	case c == 0x200b || c == 0x2060 || c == 0xfeff || c == 0x180e || c == 0x3164 || c == 0xffa0 || c == 0x115f || c == 0x1160 || c == 0x2061 || c == 0x2062 || c == 0x2063 || c == 0x2064:
		if !script {
			return "invisible"
		}
	case c == 0x200c || c == 0x200d:
		// Legitimate between letters of such scripts, or in a composed emoji.
		if !script && !(pictorial(letter) || pictorial(next)) {
			return "invisible"
		}
	}
	return ""
}

// flag reports whether tag characters may follow: in the flags of regions.
func flag(before rune) bool {
	return before == 0x1f3f4 || before >= 0xe0000 && before <= 0xe007f
}

func pictorial(c rune) bool {
	return c >= 0x1f000 && c < 0x20000 || c >= 0x2190 && c < 0x2c00 || unicode.Is(unicode.So, c)
}

// quoted reports whether a character is a quotation mark.
func quoted(c rune) bool {
	return c == '"' || c == '\'' || c == '`' || c == '/' || c == '[' || c == ']' || c == '^'
}
