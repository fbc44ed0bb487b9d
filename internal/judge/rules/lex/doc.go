// Package lex reads texts that a target wrote: it splits names into words, walks
// through the strings of a JSON value, and removes the parts of a name that
// differ from run to run.
//
// In: any string. Out: its parts. It does not use events. Its bounds apply to
// all packages below rules.
package lex
