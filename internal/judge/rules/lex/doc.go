// Package lex reads texts that a target has written: splits names into words,
// walks through the strings of a JSON value, takes out of a name what differs
// from run to run.
//
// In: any string. Out: its parts. It knows nothing of events; its bounds are
// those of the whole folder.
package lex
