package redact

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"

	"github.com/mcpsf/mcpsf/internal/document"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// unquoted replaces a value up to the end of the line or to a comment.
func (m *Mask) unquoted(name, rest string) string {
	value, comment := rest, ""
	if at := commentStart.FindStringIndex(rest); at != nil {
		value, comment = rest[:at[0]], rest[at[0]:]
	}
	end := len(strings.TrimRightFunc(value, unicode.IsSpace))
	value, blanks := value[:end], value[end:]
	out := tame(value, m.value(name, value))
	if comment == "" {
		return out + blanks
	}
	if !m.isSecret(name) {
		return out + blanks + m.loose("", comment)
	}
	// Some readers treat a # as part of the value.
	mark := commentMark.FindString(comment)
	text := comment[len(mark):]
	return out + blanks + mark + tame(text, reshapeLong(shapeRand(m.seed, name+" comment"), text))
}

var (
	commentStart = lazyregexp.New(`(?:^|\s)#`)
	commentMark  = lazyregexp.New(`^\s*#\s*`)
)

// tame removes special characters from new text without quotes: some begin
// comments, others have a meaning in YAML.
func tame(old, out string) string {
	if len(old) != len(out) {
		return out
	}
	b := []byte(out)
	for i := range b {
		if b[i] != old[i] && strings.IndexByte(string(classMark), b[i]) >= 0 {
			b[i] = '_'
		}
	}
	return string(b)
}

// inQuotes replaces what is between quotes. Only double quotes have escapes.
func (m *Mask) inQuotes(name, inner, quote string) string {
	if quote[0] != '"' || !strings.Contains(inner, `\`) {
		return m.value(name, inner)
	}
	if isPlain(name, inner) && !m.isSecret(name) {
		return inner
	}
	plain := document.Unescape(inner)
	out := m.value(name, plain)
	if out == plain {
		return inner
	}
	var b strings.Builder
	ownLines := strings.Contains(inner, "\n")
	for _, r := range out {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r == '\n' && !ownLines:
			b.WriteString(`\n`)
		case r == '\r' && !ownLines:
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case unicode.IsControl(r) && r != '\n' && r != '\r':
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// comment replaces secrets in a comment, because a setting that is commented
// out still contains its secret.
func (m *Mask) comment(line string) string {
	at := len(commentForm.FindString(line))
	body := line[at:]
	start := len(body) - len(strings.TrimLeft(body, "#;/ \t"))
	if _, key, n := splitKey(body[start:]); n > 0 && !strings.Contains(key, " ") && m.isSecret(key) {
		n += start
		if quote := quoteOf(body[n:]); quote == "" {
			return line[:at] + body[:n] + m.unquoted(key, body[n:])
		}
	}
	return line[:at] + m.loose("", body)
}

// loose reads a text of any form: a comment, a list, a line of a broken file.
// Values are recognised by the word before them, by quotes under a secret's
// name, or by their looks.
func (m *Mask) loose(name, text string) string {
	s := &looseScan{mask: m, name: name, in: text}
	for s.at < len(s.in) {
		s.step()
	}
	return s.out.String()
}

// looseScan scans a text once.
type looseScan struct {
	mask *Mask
	name string // of the whole
	in   string
	at   int
	out  strings.Builder
	// last is the previous word, and pending the same if the next word is its
	// value; flag is an argument whose value may follow separately.
	last, pending, flag string
	// unclosed is how far a closing quote was searched without success.
	unclosed map[byte]int
}

func (s *looseScan) step() {
	c := s.in[s.at]
	switch {
	case strings.IndexByte(" \t\r\n,;{}[]()<>", c) >= 0:
		if c == ',' || c == ';' || c == '{' || c == '[' {
			s.pending = ""
		}
		s.out.WriteByte(c)
		s.at++
		return
	case c == '"' || c == '\'' || c == '`':
		if end := s.closing(c); end > 0 {
			s.string(s.in[s.at:end])
			s.at = end
			return
		}
	}
	end := s.at + 1
	for end < len(s.in) && strings.IndexByte(" \t\r\n,;{}[]()<>\"", s.in[end]) < 0 {
		if s.in[end] == '\'' && (s.in[end-1] == '=' || s.in[end-1] == ':') {
			break
		}
		end++
	}
	if strings.Contains(s.in[s.at:end], "://") { // the URL continues
		for end < len(s.in) && strings.IndexByte(" \t\r\n\"'<>", s.in[end]) < 0 {
			end++
		}
	}
	word := s.in[s.at:end]
	s.at = end
	s.word(word)
}

// closing finds the end of a string that begins here, 0 if it has none.
func (s *looseScan) closing(quote byte) int {
	if s.at < s.unclosed[quote] {
		return 0
	}
	i := s.at + 1
	for ; i < len(s.in) && s.in[i] != '\n'; i++ {
		if s.in[i] == '\\' && quote == '"' {
			i++
		} else if s.in[i] == quote {
			return i + 1
		}
	}
	if s.unclosed == nil {
		s.unclosed = map[byte]int{}
	}
	s.unclosed[quote] = i
	return 0
}

// string handles a quoted text: a key, a value, or an item of a list.
func (s *looseScan) string(quoted string) {
	quote, inner := quoted[:1], quoted[1:len(quoted)-1]
	rest := strings.TrimLeft(s.in[s.at+len(quoted):], " \t")
	if s.pending == "" && rest != "" && (rest[0] == ':' || rest[0] == '=') && PlainWords(inner) {
		s.out.WriteString(quoted)
		s.last = inner
		return
	}
	if flag, value, ok := strings.Cut(inner, "="); ok && strings.HasPrefix(flag, "-") && PlainWords(flag) {
		s.out.WriteString(quote + flag + "=" + s.mask.inQuotes(strings.TrimLeft(flag, "-"), value, quote) + quote)
		s.pending = ""
		return
	}
	out := s.mask.inQuotes(s.naming(), inner, quote)
	if flag := s.flagOf(inner); flag != "" {
		out, s.flag = inner, flag
	} else {
		s.flag = ""
	}
	s.last, s.pending = "", ""
	s.out.WriteString(quote + out + quote)
}

// flagOf returns the name of an argument that says that the next one is secret.
func (s *looseScan) flagOf(word string) string {
	flag := strings.TrimLeft(word, "-")
	if flag == word || s.pending+s.flag != "" || trust(flag) == nameNeutral || !PlainWords(flag) || strings.ContainsAny(flag, "=: ") {
		return ""
	}
	return flag
}

// naming is the name by which the next value is judged.
func (s *looseScan) naming() string { return cmp.Or(s.pending, s.flag, s.name) }

// word handles a text without quotes and blanks.
func (s *looseScan) word(word string) {
	if word == "=" || word == ":" || word == "=>" {
		s.pending, s.last = s.last, ""
		s.out.WriteString(word)
		return
	}
	if flag := s.flagOf(word); flag != "" {
		s.out.WriteString(word)
		s.flag = flag
		return
	}
	at := strings.IndexAny(word, "=:")
	key := ""
	if at >= 0 {
		key = strings.Trim(word[:at], `"'-#`)
	}
	isPair := s.pending+s.flag == "" && key != "" && PlainWords(key) && !strings.Contains(word, "://") && !strings.HasPrefix(word[at:], "==")
	switch {
	case isPair && at+1 == len(word):
		s.pending, s.last = key, ""
		s.out.WriteString(word)
		return
	case isPair:
		s.out.WriteString(word[:at+1] + tame(word[at+1:], s.mask.value(key, word[at+1:])))
	case at == 0 && s.last != "": // "key":value
		s.out.WriteString(word[:1] + tame(word[1:], s.mask.value(s.last, word[1:])))
	case s.pending+s.flag != "" && schemeWord.MatchString(word):
		s.out.WriteString(word)
		return // the value is the next one
	case s.pending+s.flag != "" || s.mask.isSecret(s.name):
		s.out.WriteString(tame(word, s.mask.value(s.naming(), word)))
	default:
		s.out.WriteString(s.mask.word(word))
	}
	s.last, s.pending, s.flag = key, "", ""
	if at < 0 {
		s.last = word
	}
}

var schemeWord = lazyregexp.New(`^(?i:bearer|basic|token|apikey|bot)$`)

// word replaces a word that looks random.
func (m *Mask) word(word string) string {
	const least = 12
	ascii := !strings.ContainsFunc(word, func(r rune) bool { return r > unicode.MaxASCII })
	switch {
	case strings.Contains(word, "://"):
		return m.value("", word)
	case len(word) < least || !ascii || PlainWords(word) && !isDense(word) || isReference(word):
		return word
	}
	return tame(word, m.mint("", word))
}
