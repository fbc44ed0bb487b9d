// Package supply finds the places that a text makes its reader take software
// from: package indexes, registries, and scripts that are piped into a shell.
//
// In: a text of the server. Out: the hosts.
package supply
