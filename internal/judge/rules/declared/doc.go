// Package declared is what is known of a server before its first event: what the
// user configured, and what the package and its tools say of themselves.
//
// In: a [Scope]. Out: a [Declaration] that says which paths, hosts, programs and
// secrets were named, and by whom.
package declared
