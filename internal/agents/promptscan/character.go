package promptscan

import (
	"unicode"

	"github.com/mcpsf/mcpsf"
)

// hiddenCharacters looks for characters that a model reads and a person does
// not see.
func (o *scanner) hiddenCharacters(t *text) {
	if plainASCII(t.value) {
		o.padding(t)
		return
	}
	o.hiddenText(t)
	o.bidiControls(t)
	o.controlCharacters(t)
	o.homoglyphs(t)
	o.padding(t)
}

// plainASCII reports whether a text has no such characters.
func plainASCII(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= 0x7f || (c < ' ' && c != '\n' && c != '\r' && c != '\t') {
			return false
		}
	}
	return true
}

// bidiControls finds bidirectional controls, which change the order in which
// text is shown (Trojan Source). Text that runs from right to left legitimately
// uses some of them.
func (o *scanner) bidiControls(t *text) {
	first, count, overrides := -1, 0, 0
	rtl := false
	for i, r := range t.value {
		switch {
		case r == 0x202d || r == 0x202e:
			overrides++
		case r >= 0x202a && r <= 0x202c, r >= 0x2066 && r <= 0x2069:
		case unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko):
			rtl = true
			continue
		default:
			continue
		}
		if count == 0 {
			first = i
		}
		count++
	}
	if overrides > 0 || (count > 0 && !rtl) {
		o.report(mcpsf.TextBidi, t.field, shown(t.value, first, first+1), "")
	}
}

// controlCharacters finds control characters and ANSI escapes. Program output
// has colours; it has no reason to move the cursor or to set the terminal's
// title.
func (o *scanner) controlCharacters(t *text) {
	for i, r := range t.value {
		control := (r < ' ' && r != '\n' && r != '\r' && r != '\t') || (r >= 0x7f && r <= 0x9f)
		if !control || (o.carriesForeignText() && tolerable(t.value[i:], r)) {
			continue
		}
		o.report(mcpsf.TextEscape, t.field, shown(t.value, i, i+1), "")
		return
	}
}

// tolerable are the controls that data legitimately has: form feeds, and
// escapes that only set a colour. "Conceal" is set like a colour but hides
// text, so it is not tolerable.
func tolerable(s string, r rune) bool {
	if r == 0x85 || (r < ' ' && r != 0x1b && r != '\b') {
		return true
	}
	if r != 0x1b || len(s) < 3 || s[1] != '[' {
		return false
	}
	conceal, number := false, 0
	for i := 2; i < min(len(s), 24); i++ {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			number = number*10 + int(c-'0')
		case c == ';':
			conceal = conceal || number == 8
			number = 0
		case c == 'K':
			return true
		case c == 'm':
			return !conceal && number != 8
		default:
			return false
		}
	}
	return false
}

// carriesForeignText reports whether the object may contain texts of other
// authors.
func (o *scanner) carriesForeignText() bool { return o.of == ofResult || o.of == "resource" }

const (
	// farSpaces and farLines are how much blank space pushes text out of sight.
	farSpaces = 200
	farLines  = 25
)

// padding finds text that blank space pushes out of sight.
func (o *scanner) padding(t *text) {
	if o.carriesForeignText() {
		return
	}
	spaces, lines := 0, 0
	for i, r := range t.value {
		switch {
		case r == '\n':
			lines++
			spaces = 0
		case unicode.IsSpace(r) || r == 0x2800 || r == 0x3164:
			spaces++
		default:
			if i > 0 && (spaces >= farSpaces || lines >= farLines) {
				o.report(mcpsf.TextHidden, t.field, shown(t.value, i, i+1), "behind blanks")
				return
			}
			spaces, lines = 0, 0
		}
	}
}
