package entry

import (
	"io/fs"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// gap: words-left-out
const (
	// maxCompared is how many words are taken from a package, maxAlternatives
	// how many from one pattern or list.
	maxCompared     = 1000
	maxAlternatives = 12
)

// wordInQuotes is a short text in quotation marks.
const wordInQuotes = "[\"'`]([^\"'`\\n\\\\]{3,200})[\"'`]"

var (
	comparedWith = lazyregexp.New(`(?:[=!]==?|\bcase|\b(?:includes|indexOf|startsWith|endsWith|startswith|endswith|find|index|contains)\()\s*` + wordInQuotes)
	comparedTo   = lazyregexp.New(wordInQuotes + `\s*(?:[=!]==?|(?:not\s+)?in\b)`)
	inPython     = lazyregexp.New(`\bre\.(?:search|match|fullmatch|findall|compile)\(\s*[rbuRBU]*["']([^"'\n]{3,160})["']`)
	tested       = lazyregexp.New(`/((?:[^/\n\\]|\\.){3,160})/[a-z]*\.(?:test|exec)\(`)
	matched      = lazyregexp.New(`\.(?:match|matchAll|search)\(\s*/((?:[^/\n\\]|\\.){3,160})/`)
	// lists are short lists of words.
	lists      = lazyregexp.New(`[\[({]\s*((?:["'][A-Za-z][A-Za-z0-9 _-]{2,30}["']\s*,?\s*){1,12})[\])}]`)
	inner      = lazyregexp.New(`["']([^"'\n]{3,200})["']`)
	plainWord  = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9 _:@-]{1,198}[A-Za-z0-9]$`)
	letterRuns = lazyregexp.New(`[A-Za-z]{3,}`)
	slash      = lazyregexp.New(`\\.|\(\?[a-zA-Z:<=!]+|\[[^\]]*\]`)
)

// comparisons match what the source compares texts with, or searches for.
func comparisons() []*lazyregexp.Regexp { return []*lazyregexp.Regexp{comparedWith, comparedTo} }

// patterns match regular expressions in the source.
func patterns() []*lazyregexp.Regexp { return []*lazyregexp.Regexp{inPython, tested, matched} }

// Compared lists the words that a package's own source compares texts with or
// searches for, in order of appearance: a trigger word is among them. Paths,
// addresses and the words that every server compares with are left out.
func Compared(fsys fs.FS) []string {
	c := compared{seen: map[string]bool{}}
	Sources(fsys, func(text string) bool {
		c.text(text)
		return len(c.words) < maxCompared
	})
	return c.words
}

type compared struct {
	words []string
	seen  map[string]bool
}

func (c *compared) text(text string) {
	for _, p := range patterns() {
		for _, m := range p.FindAllStringSubmatch(text, maxCompared) {
			for _, word := range letterRuns.FindAllString(slash.ReplaceAllString(m[1], " "), maxAlternatives) {
				c.add(word)
			}
		}
	}
	for _, p := range comparisons() {
		for _, m := range p.FindAllStringSubmatch(text, 4*maxCompared) {
			c.add(m[1])
		}
	}
	for _, m := range lists.FindAllStringSubmatch(text, 2*maxCompared) {
		for _, word := range inner.FindAllStringSubmatch(m[1], maxAlternatives) {
			c.add(word[1])
		}
	}
}

func (c *compared) add(word string) {
	if word = strings.TrimSpace(word); len(c.words) >= maxCompared || c.seen[word] || !plainWord.MatchString(word) || usual(word) || !letterRuns.MatchString(word) {
		return
	}
	c.seen[word] = true
	c.words = append(c.words, word)
}

// usual reports words that every server compares with: those of the protocol or
// the language.
func usual(word string) bool {
	switch strings.ToLower(word) {
	case "initialize", "ping", "tools", "prompts", "resources", "jsonrpc", "method", "params", "arguments", "name", "result", "error", "content",
		"text", "string", "object", "number", "array", "boolean", "integer", "null", "undefined", "function", "symbol", "bigint", "type", "required",
		"properties", "description", "default", "enum", "utf8", "utf-8", "hex", "base64", "base64url", "ascii", "latin1", "data", "end", "close",
		"line", "exit", "message", "ignore", "inherit", "pipe", "__main__", "true", "false", "replace", "strict", "sigterm", "sigint", "get", "post",
		"put", "delete", "patch", "head", "options", "http:", "https:", "file:", "constructor", "prototype", "enoent", "eexist", "readable", "finish":
		return true
	}
	return false
}
