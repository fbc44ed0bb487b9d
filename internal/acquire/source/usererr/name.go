package usererr

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The limits of file names.
// no gap: bounds messages to the user
const (
	// MaxPath and MaxName bound the path and name of an entry. The second is
	// Linux's own limit; the first leaves room for the path of the stage.
	MaxPath = 1024
	MaxName = 255
)

// BadName says what is wrong with a file name, "" if nothing. Such names are
// made to forge lines in logs and reports or to control the terminal.
func BadName(name string) string {
	switch {
	case !utf8.ValidString(name):
		return "is not valid UTF-8"
	case strings.ContainsFunc(name, func(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp) }):
		return "has control characters or line breaks"
	}
	return ""
}
