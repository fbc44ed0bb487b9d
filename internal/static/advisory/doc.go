// Package advisory knows what was published about packages: records in the
// OSV format about vulnerable and malicious ones.
//
// In go exports of such records, as files or from a server, and later the
// packages that a server consists of. Out come the advisories that concern
// them, and a [mcpsf.Lookup] that says what was looked up where, how old that
// is, and of which packages nothing can be said. [Database] answers from this
// machine without a network, [Online] asks a server; the answers have the
// same form.
//
// A database is a directory with one file for each ecosystem, see package
// table. Files are replaced as a whole: after a download that broke off the
// old one is still there.
package advisory
