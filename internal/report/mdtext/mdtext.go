package mdtext

import (
	"html"
	"regexp"
	"strings"

	"github.com/mcpsf/mcpsf/internal/report/phrase"
)

// What comes from a target must stay text in Markdown: no markup, no HTML, no
// picture that loads, no link, and nothing that a forge turns into one: @name
// notifies somebody, #12 and a commit's hash point somewhere. Escaping does not
// help against those, because they are looked for after the escapes were undone.
// They are not looked for in code. So whatever is not a plain word is code.

// plainWord is a word that means itself everywhere.
var plainWord = regexp.MustCompile(`^(["'(]*[A-Za-z]+([-'][A-Za-z]+)*["')]*[.,;:?]?["')]*|[0-9]{1,6}[,;:?]?)$`)

// hash is what may be taken for the hash of a commit among plain words.
var hash = regexp.MustCompile(`(?i)\b[a-f]{7,}\b`)

// around is the punctuation before and behind what is no plain word.
var around = regexp.MustCompile(`^(["'(]*)(.*?)(["').,;:?]*)$`)

// Prose writes a sentence that may have words of the target in it, at most n
// characters of it.
func Prose(s string, n int) string {
	return sentence(phrase.Brief(s, n), func(s string) string { return Code(s, n) })
}

// ProseHTML does so where Markdown is not read, in a line of HTML.
func ProseHTML(s string, n int) string {
	return sentence(phrase.Brief(s, n), func(s string) string { return "<code>" + html.EscapeString(s) + "</code>" })
}

// sentence leaves the plain words of clean text as they are and has the others
// written as code, neighbours together.
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
		case core == "": // nothing but marks
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

// Code writes s as code in the middle of a line, also in a table. A backtick
// would end it and a bar would end the cell, so these are written as numbers.
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
