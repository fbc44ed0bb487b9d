package report

import (
	"html"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/mcpsf/mcpsf/internal/safetext"
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

// prose writes a sentence that may have words of the target in it, at most n
// characters of it.
func prose(s string, n int) string {
	return sentence(brief(s, n), func(s string) string { return code(s, n) })
}

// proseHTML does so where Markdown is not read, in a line of HTML.
func proseHTML(s string, n int) string {
	return sentence(brief(s, n), func(s string) string { return "<code>" + html.EscapeString(s) + "</code>" })
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

// code writes s as code in the middle of a line, also in a table. A backtick
// would end it and a bar would end the cell, so these are written as numbers.
func code(s string, n int) string {
	s = strings.TrimSpace(brief(s, n))
	if s == "" {
		return ""
	}
	return "`" + strings.NewReplacer("`", `\u{60}`, "|", `\u{7c}`).Replace(s) + "`"
}

// codeBlock writes s as a line of code of its own, as it is.
func codeBlock(s string, n int) string {
	s = brief(s, n)
	fence := "```"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	return fence + "\n" + s + "\n" + fence + "\n"
}

// brief is clean text of at most n characters.
func brief(s string, n int) string {
	s = safetext.Clean(s)
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	count := 0
	for i := range s {
		if count == n-3 {
			return s[:i] + "..."
		}
		count++
	}
	return s
}
