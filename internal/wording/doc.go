// Package wording says numbers, sizes and lists the way a person would, and breaks
// text into lines.
//
// In: numbers, nouns of ours, text that is safe already.
//
// Out: words.
//
// Never: make hostile text safe: that is safetext's work.
package wording
