// Package protocols speaks the protocols of servers other than web servers,
// just well enough that a client sends its data. A connection goes in; the
// mails and everything else that the client sent in clear come out.
//
// No protocol is a complete server. Every login succeeds, every query finds
// nothing, and nothing is stored. A client that breaks its protocol is not
// disconnected: whatever it sends from then on is read and reported unparsed,
// and so is what it sends after it said goodbye.
package protocols
