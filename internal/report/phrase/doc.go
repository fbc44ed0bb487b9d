// Package phrase has the words that several formats share: what an event is, what a
// model said, how a request reads, lists and texts cut to a length.
//
// In: parts of a report. Out: text that is not escaped yet, unless it says so.
package phrase
