package page

import (
	"errors"
	"strings"
)

// words splits a command line like a shell: it knows single and double quotes and
// backslashes, and nothing else.
func words(s string) ([]string, error) {
	var (
		list  []string
		word  strings.Builder
		begun bool
		quote rune
		slash bool
	)
	for _, c := range s {
		switch {
		case slash:
			word.WriteRune(c)
			slash = false
		case c == '\\' && quote != '\'':
			begun, slash = true, true
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(c)
		case c == '"' || c == '\'':
			begun, quote = true, c
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			if begun {
				list = append(list, word.String())
				word.Reset()
				begun = false
			}
		default:
			begun = true
			word.WriteRune(c)
		}
	}
	if quote != 0 || slash {
		return nil, errors.New("unclosed quote")
	}
	if begun {
		list = append(list, word.String())
	}
	return list, nil
}

// quoteAll writes words so that [words] reads them.
func quoteAll(list []string) string {
	var out []string
	for _, w := range list {
		if w == "" || strings.ContainsAny(w, " \t\r\n\"'\\") {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		out = append(out, w)
	}
	return strings.Join(out, " ")
}
