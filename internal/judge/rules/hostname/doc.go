// Package hostname recognises names and addresses of machines: how they are
// written, who owns them, and which are well known.
//
// In: a text, a name or an address. Out: the names in it, the registrable
// domain, the class of a well-known host.
package hostname
