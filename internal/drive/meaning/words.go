package meaning

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// HasWord reports whether one of the wanted words is in a list.
func HasWord(list []string, wanted ...string) bool {
	for _, w := range list {
		if slices.Contains(wanted, w) {
			return true
		}
	}
	return false
}

// maxWords bounds how much of a name or description is read.
// no gap: bounds how a value is guessed; the tool is called with another one
const maxWords = 512

// Words splits userName, user_name, userID and "user name" into lower-case
// words. It reads only the beginning of a long text.
func Words(s string) []string {
	if len(s) > maxWords {
		s = s[:maxWords]
	}
	var b strings.Builder
	lower := false
	for i, r := range s {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			r = ' '
		case unicode.IsUpper(r) && (lower || opensWord(s[i:])):
			b.WriteByte(' ')
		}
		lower = unicode.IsLower(r) || unicode.IsDigit(r)
		b.WriteRune(unicode.ToLower(r))
	}
	return strings.Fields(b.String())
}

// opensWord reports whether an upper-case letter begins a new word: a
// lower-case letter follows, as in URLPath, and not just a plural s, as in
// URLs.
func opensWord(s string) bool {
	_, n := utf8.DecodeRuneInString(s)
	next, m := utf8.DecodeRuneInString(s[n:])
	after, _ := utf8.DecodeRuneInString(s[n+m:])
	return unicode.IsLower(next) && unicode.IsLower(after)
}

// Singular turns common plurals into the singular.
func Singular(w string) string {
	switch {
	case len(w) < 4 || strings.HasSuffix(w, "ss"):
		return w
	case strings.HasSuffix(w, "ies"):
		return strings.TrimSuffix(w, "ies") + "y"
	case strings.HasSuffix(w, "xes"), strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "shes"), strings.HasSuffix(w, "sses"):
		return strings.TrimSuffix(w, "es")
	}
	return strings.TrimSuffix(w, "s")
}

// Unabridged returns the word that an abbreviation in the names of parameters stands for:
// a text that speaks of a column means col_index.
func Unabridged(w string) string {
	switch w {
	case "col":
		return "column"
	case "idx":
		return "index"
	case "num":
		return "number"
	case "desc":
		return "description"
	case "dir":
		return "directory"
	case "msg":
		return "message"
	case "src":
		return "source"
	case "dst", "dest":
		return "destination"
	case "repo":
		return "repository"
	case "org":
		return "organization"
	case "env":
		return "environment"
	case "img":
		return "image"
	case "doc":
		return "document"
	case "lang":
		return "language"
	case "addr":
		return "address"
	case "attr":
		return "attribute"
	case "config":
		return "configuration"
	case "pos":
		return "position"
	case "len":
		return "length"
	}
	return w
}
