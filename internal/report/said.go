package report

import "github.com/mcpsf/mcpsf"

// What others say in the same words.

// Describe says what an event is, in a verb and a few words that are safe to
// show.
func Describe(e *mcpsf.Event) (verb, what string) {
	verb, what = describe(e)
	return Clean(verb), Clean(what)
}

// Loud tells whether an event deserves a line of its own.
func Loud(e *mcpsf.Event) bool { return quiet(e, e.Call) == "" }

// Size words a number of bytes.
func Size(n int64) string { return size(n) }

// Seconds words a duration.
func Seconds(s float64) string { return seconds(s) }

// GravestFirst orders findings for people.
func GravestFirst(findings []mcpsf.Finding) []mcpsf.Finding { return gravestFirst(findings) }
