package query

import (
	"strings"
)

// AsCode reports whether a name stands in a statement of SQL outside of every
// string, quoted name and comment. Databases disagree on what a backslash means
// in a string; the name has to be code for all of them.
func AsCode(query, name string) bool {
	return name != "" && outside(query, name, false) && outside(query, name, true)
}

// outside looks for the name between what is quoted.
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

// quoted is the length of the string, quoted name or comment that a text
// begins with, 0 if it begins with none.
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

// closed finds the quote that ends what a quote begins. One that is doubled
// ends it and begins the next, which comes to the same.
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
