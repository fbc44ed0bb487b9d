package lex

import "strings"

// Words splits a tool's name: run_command, runCommand, run-command.
func Words(tool string) []string {
	if len(tool) > MaxPath {
		tool = tool[:MaxPath]
	}
	var spaced strings.Builder
	var last rune
	for _, c := range tool {
		if c >= 'A' && c <= 'Z' && last >= 'a' && last <= 'z' {
			spaced.WriteByte(' ')
		}
		spaced.WriteRune(c)
		last = c
	}
	return strings.FieldsFunc(strings.ToLower(spaced.String()), NotWord)
}

// NotWord tells whether r separates words of lower-case letters and digits.
func NotWord(r rune) bool {
	return (r < 'a' || r > 'z') && (r < '0' || r > '9')
}

// NameWords splits a name into its significant words, in lower case.
func NameWords(name string) map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	}) {
		switch w {
		case "mcp", "server", "servers", "the", "a", "app", "node", "python", "js", "py", "tool", "tools":
			continue // too common to identify anything
		}
		words[w] = true
	}
	return words
}

// Unquoted removes quotation marks and backslashes.
func Unquoted(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("'\"\\", r) {
			return -1
		}
		return r
	}, s)
}

// BetweenWords tells whether r separates the words of a command line.
func BetweenWords(r rune) bool { return strings.ContainsRune(" \t\r\n;|&<>()=,`", r) }
