// Package protocols speaks the protocols of servers other than the web's, as far
// as a client needs to hear them to say what it has to say: a connection goes
// in, the mails and everything else the client sent in clear come out.
//
// None of them is a whole server. Logins succeed, queries find nothing, what is stored
// is forgotten. A client that leaves its protocol is not sent away: whatever it
// sends from then on is read and told as it is, and so is what comes after a
// farewell.
package protocols
