package promptscan

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// token is a word of a text, folded so that spellings do not matter.
type token struct {
	text string
	// start and end are its position in the original text.
	start, end int
	shape      shape
	// name is set for what looks like the name of a tool or parameter: it has
	// an underscore, capitals inside, or is in backticks.
	name bool
	// quoted is set for a word in quotation marks.
	quoted bool
	// stop is set for the last token of a sentence.
	stop bool
	// lead is set where a clause begins.
	lead bool
}

// no gap: bounds what is quoted or counts as one word or sentence, not what is read
const (
	// maxToken is the length beyond which a run of letters is no word. What
	// follows is another one, except in a URL, which is no word at all.
	maxToken = 120
	// fewWords are too few for a paragraph.
	fewWords = 4
)

// tokens splits a text. Each character of a script without blanks is a token.
func tokens(s string) []token {
	z := tokenizer{source: s, plain: unmaskedLetters(s)}
	for i, r := range s {
		z.take(i, r)
	}
	z.flush(len(s))
	z.stopHere()
	z.quotations()
	return z.out
}

type tokenizer struct {
	source string
	out    []token
	// plain are the letters of disguised words, by position.
	plain map[int]rune
	// chunk is the current run of characters, which began at start.
	chunk []rune
	// upper is set for a capital letter inside, lower after a small letter.
	upper, lower bool
	start        int
	// newline is set after the end of a line, ticks inside backticks.
	newline int
	ticks   bool
	lead    bool
	// begun is the number of tokens before the current sentence.
	begun int
	// marks are the quotation marks so far, by the number of tokens before
	// them.
	marks []mark
}

type mark struct {
	at   int
	rune rune
}

func (z *tokenizer) take(i int, r rune) {
	if p, ok := z.plain[i]; ok {
		r = p
	}
	switch {
	case r < 0x80:
		z.ascii(i, r)
	case skipped(r):
	case unbroken(r):
		z.flush(i)
		z.emit(string(r), i, i+len(string(r)), shapeWord)
	case r >= 0xac00 && r <= 0xd7a3: // Korean syllables stay whole
		z.letter(i, r)
	default:
		for _, f := range norm.NFKD.String(string(r)) {
			switch {
			case f >= 0x300 && f < 0x370 || skipped(f):
			case f < 0x80:
				z.ascii(i, f)
			case unbroken(f):
				z.flush(i)
				z.emit(string(f), i, i+len(string(r)), shapeWord)
			case unicode.IsLetter(f) || unicode.IsDigit(f) || unicode.IsMark(f):
				z.letter(i, f)
			default:
				z.sign(i, f)
			}
		}
	}
}

func (z *tokenizer) ascii(i int, r rune) {
	switch {
	case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r >= 'A' && r <= 'Z':
		z.letter(i, r)
	case strings.ContainsRune(`_-./\~@:$%+=&#?|<>{}[]`, r):
		z.append(i, r)
	default:
		z.sign(i, r)
	}
}

func (z *tokenizer) letter(i int, r rune) {
	if unicode.IsUpper(r) {
		z.upper = z.upper || len(z.chunk) > 0 && z.lower
		r = unicode.ToLower(r)
		z.lower = false
	} else {
		z.lower = unicode.IsLower(r)
	}
	z.append(i, r)
}

// append adds a character to the chunk that it belongs to, or to a new one.
func (z *tokenizer) append(i int, r rune) {
	if len(z.chunk) >= maxToken {
		if strings.Contains(string(z.chunk), "://") {
			return
		}
		z.flush(i)
	}
	if len(z.chunk) == 0 {
		z.start = i
	}
	z.chunk = append(z.chunk, r)
}

// sign handles a character that is neither a letter nor part of an address.
func (z *tokenizer) sign(i int, r rune) {
	if (r == '\'' || r == '’') && len(z.chunk) > 0 && z.inside(i+len(string(r))) {
		if elided(string(z.chunk)) {
			z.flush(i) // l'utilisateur
		}
		return // don't
	}
	z.flush(i)
	switch r {
	case '\n':
		z.newline++
		line := z.source[i+1:]
		if (z.newline > 1 || pictured(line)) && len(z.out)-z.begun >= fewWords || boldLabel(line) {
			z.stopHere()
		}
		z.lead = true
		return
	case '!':
		if !strings.HasPrefix(z.source[i:], "![") {
			z.stopHere()
		}
	case '。', '！', '？', '؟', '।', '｡':
		z.stopHere()
	case ',', ';', '(', '、', '，', '*', '-':
		z.lead = true
	case '`':
		z.ticks = !z.ticks
	case '"', '\'', '“', '”', '‘', '’', '«', '»', '「', '」', '『', '』', '„':
		z.marks = append(z.marks, mark{len(z.out), r})
		if r == '"' && joint(z.source[i+1:]) {
			z.stopHere()
		}
	}
}

// boldLabel reports whether a line begins with a label in bold letters, as the lines of a
// list of fields do: "**Email:** alex". Such a line says nothing of the one before.
func boldLabel(line string) bool {
	const longest = 40
	line, bold := strings.CutPrefix(line, "**")
	end := strings.Index(line[:min(len(line), longest)], ":**")
	return bold && end > 0 && !strings.ContainsAny(line[:end], "*\n")
}

// pictured reports whether a line begins with a picture, as the points of a list do.
func pictured(line string) bool {
	first, _ := utf8.DecodeRuneInString(line)
	return unicode.Is(unicode.So, first)
}

// elided words are short for one that ends in a vowel.
func elided(word string) bool {
	switch word {
	case "qu", "all", "dell", "nell", "sull", "dall":
		return true
	}
	return len(word) == 1
}

// joint says whether a JSON string ends here.
func joint(rest string) bool {
	for _, j := range []string{":", "}", "]", `,"`} {
		if strings.HasPrefix(rest, j) {
			return true
		}
	}
	return false
}

// inside says whether the word continues there.
func (z *tokenizer) inside(i int) bool { return i < len(z.source) && isLetter(z.source[i]) }

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80 }

// flush ends the chunk: a path, an address, or words with what joins them.
func (z *tokenizer) flush(end int) {
	if len(z.chunk) == 0 {
		return
	}
	chunk := string(z.chunk)
	upper := z.upper
	z.chunk, z.upper = z.chunk[:0], false
	trimmed := strings.TrimRight(chunk, `.:?,|>}]`)
	lineStart := z.newline > 0
	z.newline = 0
	if lineStart && len(z.out) > 0 && listMark(chunk) {
		z.stopHere()
	}
	switch sh := shapeOf(trimmed); sh {
	case shapeWord:
		z.words(chunk, end, upper)
	default:
		z.emit(trimmed, z.start, end, sh)
	}
	if tail := chunk[len(trimmed):]; strings.ContainsAny(tail, ".?") && trimmed != "" && !abbreviation(trimmed) {
		z.stopHere()
	} else if strings.HasSuffix(chunk, ":") {
		z.lead = true
	} else if trimmed == "" && chunk[0] != ':' && z.quotedBefore(z.start) {
		z.stopHere() // a sentence that ends with a quotation
	}
}

// quotedBefore says whether a quotation or bracket ends there.
func (z *tokenizer) quotedBefore(i int) bool {
	return i > 0 && strings.IndexByte("\"'`)", z.source[i-1]) >= 0 && strings.IndexByte(".?", z.source[i]) >= 0
}

// words splits a chunk at its joints; an underscore is no joint.
func (z *tokenizer) words(chunk string, end int, upper bool) {
	offset := 0
	for part := range strings.FieldsFuncSeq(chunk, func(r rune) bool { return strings.ContainsRune(`-./\~@:$%+=&#?|<>{}[]`, r) }) {
		at := offset + strings.Index(chunk[offset:], part)
		offset = at + len(part)
		bare := strings.Trim(part, "_") // underscores are also used for emphasis
		if bare == "" {
			continue
		}
		if at > 0 && strings.ContainsRune(`:|=>]`, rune(chunk[at-1])) {
			z.lead = true
		}
		from, to := z.start, end
		if end-z.start == len(chunk) { // otherwise folding has moved the letters
			from, to = z.start+at, z.start+offset
		}
		z.emit(bare, from, to, shapeWord)
		z.out[len(z.out)-1].name = upper || z.ticks || strings.Contains(bare, "_")
	}
}

func (z *tokenizer) emit(s string, start, end int, sh shape) {
	z.newline = 0
	lead := z.lead || len(z.out) == 0 || z.out[len(z.out)-1].stop
	z.out = append(z.out, token{text: s, start: start, end: end, shape: sh, lead: lead})
	z.lead = false
}

func (z *tokenizer) stopHere() {
	if n := len(z.out); n > 0 {
		z.out[n-1].stop = true
		z.begun = n
	}
}

// quotations marks the tokens between two quotation marks of one kind, if they
// are close to each other.
func (z *tokenizer) quotations() {
	for i := 0; i+1 < len(z.marks); i++ {
		a, b := z.marks[i], z.marks[i+1]
		if closing(a.rune) != b.rune || b.at == a.at || b.at-a.at > 60 {
			continue
		}
		for j := a.at; j < b.at; j++ {
			z.out[j].quoted = true
		}
		i++
	}
}

func closing(r rune) rune {
	switch r {
	case '“', '„':
		return '”'
	case '‘':
		return '’'
	case '«':
		return '»'
	case '「':
		return '」'
	case '『':
		return '』'
	}
	return r
}

// skipped reports whether a character is invisible to the reader.
func skipped(r rune) bool {
	return invisible(r) || isSelector(r) || r >= 0xe0000 && r <= 0xe007f || r >= 0x202a && r <= 0x202e || r >= 0x2061 && r <= 0x206f || r == 0x200e || r == 0x200f
}

// unbroken reports whether a script has no blanks between words.
func unbroken(r rune) bool {
	return r >= 0x3041 && r <= 0x30ff || r >= 0x3400 && r <= 0x9fff || r >= 0x20000 && r <= 0x3ffff
}

// unmaskedLetters maps the homoglyphs of a text to the letters they resemble.
func unmaskedLetters(s string) map[int]rune {
	if plainASCII(s) {
		return nil
	}
	var m map[int]rune
	for start, end := range words(s) {
		if !hasHomoglyph(s[start:end], false) {
			continue
		}
		for i, r := range s[start:end] {
			if l := latinLookalike(r); l != 0 {
				if m == nil {
					m = map[int]rune{}
				}
				m[start+i] = l
			}
		}
	}
	return m
}
