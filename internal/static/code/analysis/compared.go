package analysis

import (
	"slices"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// gap: words-left-out
const maxCompared = 1000

var (
	plainWords = lazyregexp.New(`^[\p{L}\p{N}][\p{L}\p{N} _:@.#!?+-]{1,198}[\p{L}\p{N}!?]$`)
	hasLetters = lazyregexp.New(`\p{L}{3}`)
)

// Compared returns the short strings that the source compares something with: a
// trigger word is among them.
func (p *Package) Compared() []string {
	var out []string
	for _, t := range p.texts() {
		if !t.Compared || len(out) >= maxCompared {
			continue
		}
		s := strings.TrimSpace(t.Text)
		if len(s) < 3 || len(s) > 200 || !plainWords.MatchString(s) || !hasLetters.MatchString(s) || usual(s) || slices.Contains(out, s) {
			continue
		}
		out = append(out, s)
	}
	return out
}

// usual reports words that every program compares with.
func usual(s string) bool {
	switch strings.ToLower(s) {
	case "string", "number", "object", "function", "boolean", "undefined", "symbol", "bigint", "array", "null", "none", "true", "false",
		"utf8", "utf-8", "base64", "win32", "linux", "darwin", "development", "production", "test", "__main__", "default", "error", "data", "end",
		"tools/list", "tools/call", "initialize", "ping", "enoent", "eexist", "text", "json", "get", "post", "put", "delete", "patch", "http", "https",
		"stdio", "sse", "development.", "notifications/initialized", "resources/list", "prompts/list", "use strict", "content-type", "length":
		return true
	}
	return false
}
