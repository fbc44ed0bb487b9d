// Package opaque measures data that leaves the sandbox and that nobody can read:
// random bytes in any notation, which neither the caller, nor the configuration,
// nor an earlier answer contains. It takes what the server was given and all
// that it sends. It returns how many such bytes a message has, and how many its
// destination got so far.
//
// Enciphered data looks like this, and so do identifiers. A few short ones in each
// message are not counted. Compressed data is unpacked and looked into.
package opaque
