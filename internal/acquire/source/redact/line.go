package redact

import (
	"slices"
	"strings"
	"unicode"

	"github.com/mcpsf/mcpsf/internal/acquire/source/usererr"
	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// lineReader reads a file of keys and values in any of the usual notations:
// KEY=value, key = "value", key: value. It never fails: what it does not
// understand it reads as words.
type lineReader struct {
	mask *Mask
	rest string
	out  strings.Builder
	// key is the last key. What follows without its own key belongs to it if
	// open is set, or if it is indented.
	key, text string
	open      bool
	section   string // if it names everything in it
	above     []lineKey
}

// lineKey is a key with indented keys below it. holder is set if it or one
// above it names everything below.
type lineKey struct {
	indent int
	holder string
}

// maxAbove bounds the nesting of keys.
// no gap: hides the user's own secrets; it finds nothing about the server
const maxAbove = 64

// lines replaces the secrets in a file of keys and values.
func (m *Mask) lines(data string) string {
	r := &lineReader{mask: m, rest: m.frames(data)}
	for r.rest != "" {
		if c := r.rest[0]; c == '\n' || c == '\r' {
			r.copy(1)
			continue
		}
		r.line()
	}
	return r.out.String()
}

func (r *lineReader) copy(n int) {
	r.out.WriteString(r.rest[:n])
	r.rest = r.rest[n:]
}

// replace writes out instead of the next n bytes.
func (r *lineReader) replace(n int, out string) {
	r.out.WriteString(out)
	r.rest = r.rest[n:]
}

// lineEnd is the length of the first line of s.
func lineEnd(s string) int {
	if end := strings.IndexAny(s, "\r\n"); end >= 0 {
		return end
	}
	return len(s)
}

func (r *lineReader) line() {
	line := r.rest[:lineEnd(r.rest)]
	lead, key, n := splitKey(line)
	switch {
	case strings.TrimSpace(line) == "":
		r.copy(len(line))
	case n > 0:
		r.copy(n)
		r.pair(len(lead), key)
	case commentForm.MatchString(line):
		r.replace(len(line), r.mask.comment(line))
	default:
		r.item(line)
	}
}

// keyForm matches what precedes a value, and fallbackForm the same with a colon
// that no blank follows.
var (
	keyForm      = lazyregexp.New(`^(\x{FEFF}?\s*(?:- +)*(?:(?:export|set) +)?)("[^"\\]+"|'[^']+'|[^\s"'#;=:{}\[\],<>-][^=]*?)(\s*(?:=>?|:(?:\s|$))\s*)`)
	fallbackForm = lazyregexp.New(`^(\x{FEFF}?\s*(?:- +)*)([A-Za-z_][\w.-]*)(:)[^/\\]`)
	commentForm  = lazyregexp.New(`^\s*(?:#|;|//)`)
	variableForm = lazyregexp.New(`^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$`)
)

// splitKey returns the key of a line and where its value begins, 0 if there is
// none. The last line of base64 data has no key.
func splitKey(line string) (lead, key string, n int) {
	const longest = 300
	head := line[:min(len(line), longest)]
	m := keyForm.FindStringSubmatch(head)
	if m == nil {
		m = fallbackForm.FindStringSubmatch(head)
	}
	if m == nil {
		return "", "", 0
	}
	key = strings.Trim(m[2], `"'`)
	n = len(m[1]) + len(m[2]) + len(m[3])
	if len(head) < len(line) && n == len(head) || m[3] == "" {
		return "", "", 0
	}
	hasValue := strings.ContainsFunc(line[n:], func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) })
	switch {
	case PlainWords(key) && (hasValue || !strings.Contains(m[3], "=") || len(key) < survivor || trust(key) != nameNeutral),
		PlainWords(key) && strings.ContainsAny(m[0], " _\"'"),
		variableForm.MatchString(key) && hasValue:
		return m[1], key, n
	}
	return "", "", 0
}

// pair replaces the value at the beginning of the rest, whose key has that
// indentation.
func (r *lineReader) pair(indent int, key string) {
	for len(r.above) > 0 && r.above[len(r.above)-1].indent >= indent {
		r.above = r.above[:len(r.above)-1]
	}
	holder := r.section
	if n := len(r.above); n > 0 {
		holder = r.above[n-1].holder
	}
	name := r.mask.nameOf(key, holder)
	if strings.EqualFold(key, "value") && slices.Contains([]string{"name", "key"}, strings.ToLower(r.key)) {
		name = r.text
	}
	rest := r.rest[:lineEnd(r.rest)]
	value := strings.TrimSpace(rest)
	r.open = value == "" || strings.ContainsAny(value[len(value)-1:], `[{(\,|>`)
	r.key, r.text = name, strings.Trim(value[:min(len(value), usererr.MaxName)], `"'`)
	if value == "" && len(r.above) < maxAbove {
		if holder == "" && isHolder(key) {
			holder = key
		}
		r.above = append(r.above, lineKey{indent: indent, holder: holder})
	}
	switch {
	case r.quoted(name), r.block(name, indent, value), r.heredoc(name, value):
	case value != "" && (value[0] == '[' || value[0] == '{' && !isStructured(value)):
		r.replace(len(rest), r.mask.loose(name, rest))
	default:
		r.replace(len(rest), r.mask.unquoted(name, rest))
	}
}

// quoted replaces a value in quotes. One that may be secret can span several
// lines; an unterminated quote must not hide the lines after it.
func (r *lineReader) quoted(name string) bool {
	quote := quoteOf(r.rest)
	if quote == "" {
		return false
	}
	body := r.rest[len(quote):]
	end := closing(body, quote)
	if end < 0 {
		return false
	}
	inner := body[:end]
	after := body[end+len(quote):]
	tail := after[:lineEnd(after)]
	if strings.ContainsAny(inner, "\r\n") && (!tailForm.MatchString(tail) || !r.mask.isSecret(name)) {
		return false
	}
	r.replace(len(quote)+end+len(quote), quote+r.mask.inQuotes(name, inner, quote)+quote)
	if tailForm.MatchString(tail) || !r.mask.isSecret(name) {
		name = "" // otherwise the value goes on, as in shells
	}
	r.replace(len(tail), r.mask.loose(name, tail))
	return true
}

// tailForm matches what can follow a value.
var tailForm = lazyregexp.New(`^[\s,;\]})]*(?:(?:#|//|;).*)?$`)

func quoteOf(s string) string {
	if s == "" || !strings.ContainsRune("\"'`", rune(s[0])) {
		return ""
	}
	if long := strings.Repeat(s[:1], 3); strings.HasPrefix(s, long) && closing(s[3:], long) >= 0 {
		return long
	}
	return s[:1]
}

// closing finds the quote that ends a string, -1 if there is none.
func closing(s, quote string) int {
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && quote[0] != '\'':
			i++
		case strings.HasPrefix(s[i:], quote):
			if quote == "'" && i > 0 && strings.HasPrefix(s[i+1:], "'") {
				i++ // a doubled quote stands for one
				continue
			}
			return i
		}
	}
	return -1
}

// block replaces the lines that belong to a YAML key with | or >, if its name
// says that they are secret. Otherwise they are read like all others.
func (r *lineReader) block(name string, indent int, value string) bool {
	if !blockForm.MatchString(value) {
		return false
	}
	r.copy(lineEnd(r.rest))
	if !r.mask.isSecret(name) {
		return true
	}
	end := 0
	for end < len(r.rest) {
		line := strings.TrimLeft(r.rest[end:], "\r\n")
		start := len(r.rest) - len(line)
		n := lineEnd(line)
		if text := strings.TrimLeft(line[:n], " "); text != "" && n-len(text) <= indent {
			break
		}
		end = start + n
	}
	r.replace(end, r.mask.value(name, r.rest[:end]))
	return true
}

var blockForm = lazyregexp.New(`^(?:![\w-]+\s+)?[|>][-+0-9]*(?:\s+#.*)?$`)

// heredoc does the same for <<END of Terraform and shells.
func (r *lineReader) heredoc(name, value string) bool {
	m := heredocForm.FindStringSubmatch(value)
	if m == nil || !r.mask.isSecret(name) {
		return false
	}
	r.copy(lineEnd(r.rest))
	end := len(r.rest)
	at := 0
	for line := range strings.Lines(r.rest) {
		if strings.TrimSpace(line) == m[1] {
			end = at
			break
		}
		at += len(line)
	}
	r.replace(end, r.mask.value(name, r.rest[:end]))
	return true
}

var heredocForm = lazyregexp.New(`^<<[-~]?["']?(\w+)["']?$`)

// item replaces what has no key of its own: a section's name, an element of a
// list, the continuation of a value.
func (r *lineReader) item(line string) {
	if m := sectionForm.FindStringSubmatch(line); m != nil && (!r.open || line[0] == '[') {
		r.section, r.key, r.above = "", "", nil
		if isHolder(m[1]) {
			r.section = m[1]
		}
		r.replace(len(line), r.mask.loose("", line))
		return
	}
	name := ""
	if r.open || line[0] == ' ' || line[0] == '\t' || strings.HasPrefix(line, "- ") {
		name = r.key
	}
	text := strings.TrimSpace(line)
	if strings.Trim(text, "]}),;") == "" {
		r.open = false
	}
	inner := strings.TrimPrefix(text, "- ")
	if strings.ContainsAny(inner, "\"'`,") || !r.mask.isSecret(name) && strings.ContainsAny(inner, " \t") {
		r.replace(len(line), r.mask.loose(name, line))
		return
	}
	at := strings.LastIndex(line, inner)
	r.copy(at)
	r.replace(len(inner), r.mask.value(name, inner))
	r.copy(len(line) - at - len(inner))
}

var sectionForm = lazyregexp.New(`^\s*\[{1,2}\s*([^\s\[\]"'][^\[\]]*?)\s*\]{1,2}\s*(?:[#;].*)?$`)
