package mdtext

import (
	"html"
	"strings"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
	"github.com/mcpsf/mcpsf/internal/report/phrase"
)

// Text of a target must stay text in Markdown: no markup, no HTML, no image, no
// link, and nothing that a forge turns into one: @name notifies somebody, #12
// and a commit hash become links. Escaping does not prevent those, because
// forges look for them after unescaping. They do not look in code. So everything
// that is not a plain word is written as code.

// plainWord matches a word without special meaning anywhere.
var plainWord = lazyregexp.New(`^(["'(]*[A-Za-z]+([-'][A-Za-z]+)*["')]*[.,;:?]?["')]*|[0-9]{1,6}[,;:?]?)$`)

// hash matches plain words that could be a commit hash.
var hash = lazyregexp.New(`(?i)\b[a-f]{7,}\b`)

// around matches the punctuation before and after a word that is not plain.
var around = lazyregexp.New(`^(["'(]*)(.*?)(["').,;:?]*)$`)

// Prose writes a sentence that may contain words of the target, at most n
// characters of it.
func Prose(s string, n int) string {
	return sentence(phrase.Brief(s, n), func(s string) string { return Code(s, n) })
}

// ProseHTML is Prose for a line of HTML, where Markdown is not interpreted.
func ProseHTML(s string, n int) string {
	return sentence(phrase.Brief(s, n), func(s string) string { return "<code>" + html.EscapeString(s) + "</code>" })
}

// sentence keeps the plain words of clean text and writes the others as code,
// neighbours together.
func sentence(s string, code func(string) string) string {
	var out, run []string // run will be code
	flush := func(mark string) {
		if len(run) > 0 {
			out = append(out, code(strings.Join(run, " "))+mark)
			run = nil
		}
	}
	for word := range strings.FieldsSeq(s) {
		if plainWord.MatchString(word) && !hash.MatchString(word) {
			flush("")
			out = append(out, word)
			continue
		}
		part := around.FindStringSubmatch(word)
		before, core, behind := part[1], part[2], part[3]
		switch {
		case core == "": // only punctuation
			run = append(run, word)
		case before != "":
			flush("")
			out = append(out, before+code(core)+behind)
		case behind != "":
			run = append(run, core)
			flush(behind)
		default:
			run = append(run, word)
		}
	}
	flush("")
	return strings.Join(out, " ")
}

// Code writes s as inline code, also in a table. A backtick would end it and a
// bar would end the cell, so these are written as numeric entities.
func Code(s string, n int) string {
	s = strings.TrimSpace(phrase.Brief(s, n))
	if s == "" {
		return ""
	}
	return "`" + strings.NewReplacer("`", `\u{60}`, "|", `\u{7c}`).Replace(s) + "`"
}

// CodeBlock writes s as a line of code of its own, as it is.
func CodeBlock(s string, n int) string {
	s = phrase.Brief(s, n)
	fence := "```"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	return fence + "\n" + s + "\n" + fence + "\n"
}
