// Package staging makes the private copy of what is assessed.
//
// In: a directory or file of the user. Out: a [Tree] and its copy: surveyed
// before the first byte is read, within [Limits], without links that lead out,
// with secrets redacted, and pinned by a digest. Everything in it is hostile
// and may change while it is copied.
package staging
