// Package osv understands published advisories in the OSV format.
//
// In go the JSON of one record, which is hostile, and the ecosystem, name and
// version of a package. Out come the few fields that matter in a form that
// can be kept, whether the record concerns the package, and how bad that is.
// Nothing here uses files or the network.
package osv
