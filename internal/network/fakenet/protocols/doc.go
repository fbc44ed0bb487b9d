// Package protocols speaks the protocols of servers other than web servers,
// just well enough that a client sends its data. A connection goes in; the
// mails and everything else that the client sent in clear come out.
//
// No protocol is a complete server. Every login succeeds. Databases answer from the
// stores of the run (package databases); other servers find nothing and store
// nothing. A client that breaks its protocol is not disconnected: whatever it sends
// from then on is read and reported unparsed, and so is what it sends after it said
// goodbye.
package protocols
