package entry

import (
	"slices"
	"strings"
)

// words splits a name into lower-case words: at everything that is neither
// letter nor digit, and where camelCase begins a new one.
func words(name string) []string {
	const longest = 256
	name = name[:min(len(name), longest)]
	var all []string
	start := -1
	end := func(i int) {
		if start >= 0 {
			all = append(all, strings.ToLower(name[start:i]))
		}
		start = -1
	}
	for i := range len(name) {
		switch c := name[i]; {
		case !isLower(c) && !isUpper(c) && !isDigit(c):
			end(i)
		case start >= 0 && isUpper(c) && isLower(name[i-1]):
			end(i)
			start = i
		case start < 0:
			start = i
		}
	}
	end(len(name))
	return all
}

func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// anyOf reports whether one of list is among the words.
func anyOf(words []string, list ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(list, w) })
}

// variable writes words as the name of a variable.
func variable(words []string) string {
	return strings.ToUpper(strings.Join(words, "_"))
}
