package main

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxWords keeps a reason on one line of a table.
const maxWords = 160

// oneLine makes text of a server fit into a table: no control characters, no
// line breaks, truncated.
func oneLine(text string) string {
	text = strings.ToValidUTF8(text, "?")
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
	words := strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(words) > maxWords {
		words = string([]rune(words)[:maxWords-1]) + "…"
	}
	return words
}

// cell is oneLine for a Markdown table.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "`", "'").Replace(oneLine(text))
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return oneLine(lines[len(lines)-1])
}

func tail(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[len(text)-limit:], "")
}

// safeName is a source as the name of a directory.
func safeName(source string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case ':', '/', '@', '=':
			return '_'
		}
		return r
	}, source)
}
