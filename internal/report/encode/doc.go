// Package encode writes a report as JSON that is valid by its schema and safe to print
// on a terminal.
//
// In: a report as the run left it. Out: bytes: every list that the schema requires is
// present, and characters that a terminal would interpret are escaped.
package encode
