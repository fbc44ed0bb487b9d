package rules

import "strings"

func unquoted(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("'\"\\", r) {
			return -1
		}
		return r
	}, s)
}

func betweenWords(r rune) bool { return strings.ContainsRune(" \t\r\n;|&<>()=,`", r) }
