// Package lazyregexp holds regular expressions that are compiled when they are first used.
//
// Every start of a sandbox starts this binary several times in other roles, and
// each of them would compile all expressions of the program before its first
// instruction: a fifth of a second of processor time, a dozen times a start.
//
// In: an expression of ours, written in the source.
//
// Out: what package regexp returns for it.
//
// Never: take an expression of the server's. A wrong one ends the program.
package lazyregexp
