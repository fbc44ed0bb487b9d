// Package noninterference tells whether what a server sends or returns
// depends on secrets.
//
// In: the events of starts of the server that had the same inputs: two with the
// same secrets, two with others. Out: what differs because of them. It
// knows no encoding: a secret may be enciphered, spelled in words or in the
// order of headers.
//
// Never: it starts nothing and judges nothing.
package noninterference
