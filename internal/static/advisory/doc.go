// Package advisory looks up published advisories: records in the OSV format
// about vulnerable and malicious packages.
//
// It takes exports of such records, as files or from a server, and later the
// packages that a server consists of. It returns the advisories that concern
// them, and a [mcpsf.Lookup] that says what was looked up where, how old the
// data is, and which packages are unknown. [Database] answers from this machine
// without a network, [Online] asks a server; the answers have the same form.
//
// A database is a directory with one file for each ecosystem, see package
// table. Files are replaced as a whole: after a broken download the old one is
// still there.
package advisory
