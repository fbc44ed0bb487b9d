package attack

import (
	"fmt"
	"strings"
)

func redos() Class {
	return Class{
		ID:    "redos",
		Title: "A pattern takes time without bound on a short input",
		Yield: kinds{
			"regexp": 70, "email": 45, "url": 30, "markup": 40, "text": 35, "template": 25, "query": 30, "name": 25, "date": 25, "glob": 35,
			"code": 20, "unknown": 20, "host": 20, "id": 15, "path": 15, "argument": 15, "data": 10,
		}.of,
		Payloads: redosPayloads,
		Balanced: 6,
		Paired:   true,
	}
}

func redosPayloads(w *World, p Place) []Payload {
	var all []Payload
	repeat := func(before, what, after string) func(int) any {
		return func(n int) any { return before + strings.Repeat(what, n) + after }
	}
	if p.Kind == "regexp" || p.Kind == "glob" {
		// The size is the number of characters that the nested repetition may
		// match.
		all = pair(all, "redos", w, 2, 40, "pattern of its own with nested repetition", func(n int) any {
			return fmt.Sprintf("^((.{1,%d})+)+\\x01$", n)
		})
		all = pair(all, "redos", w, 4, 24, "pattern of its own with many stars", repeat("", "*?*[!x]", "\x01"))
	}
	// With nested repetition the time doubles per character. The others grow
	// quadratically and need a longer input.
	all = pair(all, "redos", w, 14, 28, "letters and an end that does not match", repeat("", "a", "!"))
	if p.Kind == "email" || p.Format == "email" {
		all = pair(all, "redos", w, 14, 28, "address whose end does not match", repeat("a@", "a", "!"))
		all = pair(all, "redos", w, 15_000, 30_000, "address with many dots", repeat("a@", "a.", "!"))
	}
	all = pair(all, "redos", w, 14, 28, "digits and an end that does not match", repeat("", "1", "!"))
	all = pair(all, "redos", w, 25_000, 50_000, "spaces and an end that does not match", repeat("a", " ", "a"))
	all = pair(all, "redos", w, 14, 28, "words and an end that does not match", repeat("", "ab ", "!"))
	all = pair(all, "redos", w, 25_000, 50_000, "opening brackets", repeat("", "[", ""))
	all = pair(all, "redos", w, 25_000, 50_000, "opening tags", repeat("", "<", ""))
	all = pair(all, "redos", w, 25_000, 50_000, "opening comments", repeat("", "/*", ""))
	all = pair(all, "redos", w, 25_000, 50_000, "stars", repeat("", "*a ", ""))
	all = pair(all, "redos", w, 25_000, 50_000, "slashes", repeat("", "/", "\n"))
	return pair(all, "redos", w, 25_000, 50_000, "line ends", repeat("", "\n", "a"))
}
