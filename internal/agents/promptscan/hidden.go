package promptscan

import (
	"unicode"
	"unicode/utf8"

	"github.com/mcpsf/mcpsf"
)

// no gap: bounds what is quoted or counts as one word or sentence, not what is read
const (
	// maxMessage is how many bytes of a hidden message are reported.
	maxMessage = 200
	// manyInvisible characters in a row, or so many inside words, are no
	// accident.
	manyInvisible = 4
	manyInWords   = 3
)

// hiddenText finds invisible characters. Emoji and some scripts need some of
// them, and a text may begin with a byte order mark: these are not reported.
func (o *scanner) hiddenText(t *text) {
	s := hiddenReader{}
	for i, r := range t.value {
		s.take(i, r)
	}
	if !s.found {
		return
	}
	o.report(mcpsf.TextHidden, t.field, shown(t.value, s.first, s.first+1), s.message())
}

// hiddenReader reads the hidden characters of a text in one pass.
type hiddenReader struct {
	// most is how many characters of a message are kept, 0: maxMessage.
	most int

	// first is the position of the first find.
	found bool
	first int

	tags, selectors []rune
	bits            []rune
	flag            bool
	run, runStart   int
	inWords         int
	wordStart       int
	before, last    rune
}

func (s *hiddenReader) take(i int, r rune) {
	switch {
	case r >= 0xe0000 && r <= 0xe007f:
		s.tag(i, r)
	case (r >= 0xfe00 && r <= 0xfe0f) || (r >= 0xe0100 && r <= 0xe01ef):
		s.selector(i, r)
	case r >= 0xfff9 && r <= 0xfffb, r >= 0x2061 && r <= 0x2064, r >= 0x206a && r <= 0x206f, r >= 0x1d173 && r <= 0x1d17a:
		s.mark(i)
	case invisible(r):
		if i > 0 || r != 0xfeff {
			s.blank(i, r)
		}
		return // the previous letter does not change
	default:
		s.letter(r)
	}
	s.before, s.last = s.last, r
}

// tag reads letters of the tag block, an invisible alphabet. Three flag emoji
// use it legitimately.
func (s *hiddenReader) tag(i int, r rune) {
	if s.last == 0x1f3f4 {
		s.flag = true
	}
	if s.flag {
		s.flag = r != 0xe007f
		return
	}
	s.mark(i)
	if len(s.tags) < s.room() && r > 0xe001f && r < 0xe007f {
		s.tags = append(s.tags, r-0xe0000)
	}
}

// selector reads variation selectors: one after a character chooses how it
// looks, several are data.
func (s *hiddenReader) selector(i int, r rune) {
	if !isSelector(s.last) {
		s.runStart = i
		if r < 0xe0100 || unicode.Is(unicode.Han, s.last) {
			s.keep(r)
			return
		}
	}
	s.keep(r)
	if isSelector(s.last) && isSelector(s.before) || r >= 0xe0100 && !unicode.Is(unicode.Han, s.last) {
		s.mark(s.runStart)
	}
}

func (s *hiddenReader) keep(r rune) {
	if !isSelector(s.last) && len(s.selectors) < 3 {
		s.selectors = s.selectors[:0] // single selectors before were no data
	}
	if len(s.selectors) >= s.room() {
		return
	}
	if r >= 0xe0100 {
		s.selectors = append(s.selectors, r-0xe0100+16)
		return
	}
	s.selectors = append(s.selectors, r-0xfe00)
}

// blank counts zero-width characters. Between letters they break words.
func (s *hiddenReader) blank(i int, r rune) {
	if s.run == 0 {
		s.wordStart = i
	}
	if joins(r) && (needsJoiner(s.last) || !unicode.IsLetter(s.last)) && s.run == 0 {
		s.run = 1
		return
	}
	s.run++
	if len(s.bits) < s.room()*8 {
		s.bits = append(s.bits, r)
	}
	if s.run >= manyInvisible {
		s.mark(s.wordStart)
	}
}

func (s *hiddenReader) letter(r rune) {
	if s.run > 0 && latin(r) && latin(s.last) {
		s.inWords++
		if s.inWords >= manyInWords {
			s.mark(s.wordStart)
		}
	}
	s.run = 0
	s.flag = false
}

func (s *hiddenReader) mark(i int) {
	if !s.found {
		s.found, s.first = true, i
	}
}

func (s *hiddenReader) room() int {
	if s.most > 0 {
		return s.most
	}
	return maxMessage
}

// message is what the hidden characters say, if that can be decoded.
func (s *hiddenReader) message() string { return printable(s.said()) }

func (s *hiddenReader) said() string {
	if len(s.tags) > 0 {
		return string(s.tags)
	}
	if len(s.selectors) >= 3 {
		b := make([]byte, len(s.selectors))
		for i, r := range s.selectors {
			b[i] = byte(r)
		}
		if m := readable(b); m != "" {
			return m
		}
	}
	return fromBits(s.bits)
}

// fromBits reads two different invisible characters as zeros and ones.
func fromBits(runes []rune) string {
	if len(runes) < 24 {
		return ""
	}
	zero, one := runes[0], rune(0)
	for _, r := range runes {
		if r != zero {
			one = r
			break
		}
	}
	for range 2 {
		var b []byte
		n, c := 0, byte(0)
		for _, r := range runes {
			if r != zero && r != one {
				continue
			}
			c <<= 1
			if r == one {
				c |= 1
			}
			if n++; n%8 == 0 {
				b = append(b, c)
			}
		}
		if m := readable(b); m != "" {
			return m
		}
		zero, one = one, zero
	}
	return ""
}

// readable is b as text, "" if it is none.
func readable(b []byte) string {
	if len(b) < 3 || !utf8.Valid(b) {
		return ""
	}
	for _, r := range string(b) {
		if !unicode.IsPrint(r) && r != '\n' && r != '\t' && r != '\r' {
			return ""
		}
	}
	return string(b)
}

func printable(s string) string {
	return shown(s, 0, len(s))
}

func isSelector(r rune) bool {
	return (r >= 0xfe00 && r <= 0xfe0f) || (r >= 0xe0100 && r <= 0xe01ef)
}

// invisible reports whether a character has no width and no effect on Latin
// text.
func invisible(r rune) bool {
	return r >= 0x200b && r <= 0x200d || r == 0x2060 || r == 0xfeff || r == 0xad || r == 0x180e || r == 0x34f ||
		r == 0x115f || r == 0x1160 || r == 0x3164 || r == 0xffa0 || r == 0x17b4 || r == 0x17b5
}

// joins reports whether it is a joiner or non-joiner, which emoji and some
// scripts need.
func joins(r rune) bool { return r == 0x200c || r == 0x200d }

// needsJoiner reports whether a letter's script is written with joiners.
func needsJoiner(r rune) bool {
	return r >= 0x0600 && unicode.IsOneOf([]*unicode.RangeTable{
		unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati,
		unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar,
	}, r)
}

func latin(r rune) bool {
	return r < 0x80 && unicode.IsLetter(r) || r >= 0x80 && unicode.Is(unicode.Latin, r)
}
