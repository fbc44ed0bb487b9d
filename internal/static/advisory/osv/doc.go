// Package osv reads published advisories in the OSV format.
//
// It takes the JSON of one record, which is hostile, and the ecosystem, name
// and version of a package. It returns the few relevant fields in a storable
// form, whether the record concerns the package, and how severe it is. It uses
// neither files nor the network.
package osv
