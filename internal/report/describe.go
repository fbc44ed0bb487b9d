package report

import (
	"github.com/mcpsf/mcpsf"
	"github.com/mcpsf/mcpsf/internal/report/digest"
	"github.com/mcpsf/mcpsf/internal/report/phrase"
	"github.com/mcpsf/mcpsf/internal/safetext"
)

// Functions for other packages that show events.

// Describe says what an event is, in a verb and a few words that are safe to
// show.
func Describe(e *mcpsf.Event) (verb, what string) {
	verb, what = phrase.Event(e)
	return safetext.Clean(verb), safetext.Clean(what)
}

// Loud tells whether an event gets a line of its own.
func Loud(e *mcpsf.Event) bool { return digest.Quiet(e, e.Call) == "" }
