// Package quote makes strings of a target fit for a sentence of ours.
//
// In: any string. Out: the same in quotes, escaped and cut.
package quote
