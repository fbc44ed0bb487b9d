// Package wordlist reads the word tables that stand beside the code as YAML.
//
// In: an embedded file.
//
// Out: a struct with a field for each table. A table that is missing, empty, unknown or has a
// word twice is an error.
//
// Never: read a file of the target or of the user.
package wordlist
