// Package gain compares two versions of a text of the server: does the new one
// name a recipient that the old one did not, or ask for more?
//
// In: the old and the new text. Out: what is new, in words.
package gain
