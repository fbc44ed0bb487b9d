package shape

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The bounds of names and values that the server writes.
// no gap: bounds our own made-up answers
const (
	maxName  = 64
	maxValue = 40
)

// permittedName says whether an answer may have a member of that name. The server
// chooses it: it must not become a mail address, which an answer would explain, or
// a path, or the prototype of an object. It is written in JSON as it is, so that it
// can be recognised there.
func permittedName(name string) bool {
	if name == "" || len(name) > maxName || !utf8.ValidString(name) || strings.ContainsAny(name, "/\\`<>&\"") || strings.LastIndexByte(name, '@') > 0 {
		return false
	}
	switch name {
	case "__proto__", "constructor", "prototype", "__class__", "__init__", "__globals__":
		return false
	}
	return !strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) })
}

// permittedValue says whether a value that the server compares with may be in an
// answer: words and numbers, which are no address, host, path or program.
func permittedValue(value string) bool {
	if value == "" || len(value) > maxValue {
		return false
	}
	if name, end, ok := strings.Cut(value, "."); ok && name == "5a1f" { // made for an ending, by static analysis
		return slices.Contains([]string{"json", "txt", "csv", "xml", "png", "pdf", "yaml"}, end)
	}
	for i, c := range []byte(value) {
		switch {
		case isAlnum(c), c == '_', c == '-', c == ' ':
		case c == '.' && i > 0 && i+1 < len(value) && isDigit(value[i-1]) && isDigit(value[i+1]):
		default:
			return false
		}
	}
	return true
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isAlnum(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'z' }

// methodKind says what a value must be that has a method or property of that name.
// Such a name is no member of an answer.
func methodKind(name string) (kind string, is bool) {
	if kind, is = table().methods[name]; is {
		return kind, true
	}
	return "", false
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
