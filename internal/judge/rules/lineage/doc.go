// Package lineage tells which processes of an installation belong to a script of
// a package and which to the package manager.
//
// In: events, in their order. Out: the [Script] of a process.
package lineage
