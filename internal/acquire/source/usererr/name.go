package usererr

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// What a file can be called.
const (
	// MaxPath and MaxName bound what an entry can be called. The second is
	// Linux's own limit; the first leaves room for where the stage is.
	MaxPath = 1024
	MaxName = 255
)

// BadName says what is wrong with a file name, "" if nothing is. Such names
// exist to forge lines in logs and reports or to drive the terminal.
func BadName(name string) string {
	switch {
	case !utf8.ValidString(name):
		return "is not valid UTF-8"
	case strings.ContainsFunc(name, func(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp) }):
		return "has control characters or line breaks"
	}
	return ""
}
