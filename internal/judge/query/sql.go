package query

import (
	"strings"
)

// AsCode reports whether a name occurs in an SQL statement outside of strings,
// quoted names and comments. Databases disagree on the meaning of a backslash in
// a string; the name has to be code in both.
func AsCode(query, name string) bool {
	return name != "" && outside(query, name, false) && outside(query, name, true)
}

// outside looks for the name between the quoted parts.
func outside(query, name string, backslash bool) bool {
	for at := 0; at < len(query); {
		if n := quoted(query[at:], backslash); n > 0 {
			at += n
			continue
		}
		if strings.HasPrefix(query[at:], name) && !wordEnds(query[:at]) && !wordBegins(query[at+len(name):]) {
			return true
		}
		at++
	}
	return false
}

// quoted returns the length of the string, quoted name or comment at the start
// of s, 0 if there is none.
func quoted(s string, backslash bool) int {
	switch s[0] {
	case '\'', '"', '`':
		return closed(s, backslash && s[0] != '`')
	case '[':
		return until(s, "]", 1)
	case '#':
		return until(s, "\n", 1)
	case '-':
		if strings.HasPrefix(s, "--") {
			return until(s, "\n", 2)
		}
	case '/':
		if strings.HasPrefix(s, "/*") {
			return until(s, "*/", 2)
		}
	case '$':
		if end := strings.IndexByte(s[1:], '$'); end >= 0 && !strings.ContainsFunc(s[1:1+end], notWord) {
			return until(s, s[:end+2], end+2)
		}
	}
	return 0
}

// closed returns the position after the closing quote. A doubled quote is read
// as the end of one string and the start of the next, with the same result.
func closed(s string, backslash bool) int {
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\' && backslash:
			i++
		case s[i] == s[0]:
			return i + 1
		}
	}
	return len(s)
}

func until(s, end string, from int) int {
	if i := strings.Index(s[from:], end); i >= 0 {
		return from + i + len(end)
	}
	return len(s)
}

func notWord(r rune) bool {
	return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
}

func wordEnds(s string) bool { return s != "" && !notWord(rune(s[len(s)-1])) }

func wordBegins(s string) bool { return s != "" && !notWord(rune(s[0])) }
