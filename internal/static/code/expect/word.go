package expect

import (
	"strconv"

	"github.com/mcpsf/mcpsf/internal/lazyregexp"
)

// no gap: what is not found out about answers is only answered as usual
const maxWord, maxName, maxNumber = 60, 64, 20

var (
	// placeLike matches texts that can name a place on the machine or the
	// network, or that look like an option of a command.
	placeLike = lazyregexp.New(`[/\\~@:]|^\.|\.\.|\.[A-Za-z]|^--?[A-Za-z]|\d+\.\d+\.\d+|(?i)^localhost$`)
	// ownFile matches the names of files that are made for an ending.
	ownFile = lazyregexp.New(`^` + filler + `\.(json|txt|csv|xml|png|pdf|yaml)$`)
	// plain matches the words that are sent.
	plain = lazyregexp.New(`^[\p{L}\p{N}][\p{L}\p{N} _.,+#!?&()-]*$`)
	// member matches the names of members that are written.
	member = lazyregexp.New(`^[\w$.-]+$`)
	// trouble matches the names of members whose presence is an error, more those
	// that make a program ask for the next page again and again.
	trouble = lazyregexp.New(`(?i)^(errors?|err|error_?(message|code|msg|description|type)|exception|fault|failure)$`)
	more    = lazyregexp.New(`(?i)^(next|next_?page(_?(token|url|link))?|page_?token|next_?(token|cursor|offset|link)|cursor|end_?cursor|offset|continue|continuation(_?token)?|more|has_?(more|next)(_?(page|items|results))?)$`)
	// unwelcome matches words that say that something failed.
	unwelcome = lazyregexp.New(`(?i)^(errors?|err|fail(ed|ure|s)?|cancell?ed|aborted|denied|rejected|invalid|expired|timeout|timed_?out|not_?found|unauthorized|forbidden)$|_?(error|failed)$`)
	// formatName matches the formats of texts.
	formatName = lazyregexp.New(`^(uuid|url|email|date|date-time|ip|ipv4|base64|uri)$`)
	// inherited are the members that every object has.
	inherited = lazyregexp.New(`^(constructor|prototype|toString|valueOf|hasOwnProperty|then|catch|length|__\w+__)$`)
)

// harmless reports whether a word of the source may be sent: no place, no
// option, nothing that says that something failed.
func harmless(word string) bool {
	if ownFile.MatchString(word) {
		return true
	}
	if numeric(word) && len(word) <= maxNumber {
		return true
	}
	return len(word) <= maxWord && plain.MatchString(word) && !placeLike.MatchString(word) && !unwelcome.MatchString(word)
}

func numeric(word string) bool {
	_, err := strconv.ParseFloat(word, 64)
	return err == nil
}

// wanted reports whether a member is written into an answer.
func wanted(name string) bool {
	return len(name) <= maxName && member.MatchString(name) && !trouble.MatchString(name) && !more.MatchString(name) && !inherited.MatchString(name)
}
