// Package lenient reads JSON and TOML that strangers wrote.
//
// In come bytes, out come the strings in them: a value of the wrong shape is
// as good as absent, comments are allowed where clients allow them, and no
// depth or length is without bounds.
package lenient
