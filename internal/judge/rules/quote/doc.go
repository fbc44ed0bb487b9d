// Package quote makes strings of a target safe for our sentences.
//
// In: any string. Out: the same string quoted, escaped and truncated.
package quote
