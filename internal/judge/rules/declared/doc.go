// Package declared collects what is known of a server before its first event: the
// user's configuration, and what the package and its tools state about themselves.
//
// In: a [Scope]. Out: a [Declaration] that says which paths, hosts, programs and
// secrets were named, and by whom.
package declared
