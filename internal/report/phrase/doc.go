// Package phrase has the wording that several formats share: what an event is, what a
// model said, a request in readable form, truncated lists and texts.
//
// In: parts of a report. Out: text that is not escaped yet, unless stated otherwise.
package phrase
