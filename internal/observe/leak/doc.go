// Package leak finds planted secrets in what leaves the sandbox: the decoys of
// a run go in, and then everything that was said to the network, to the client
// and to standard error; out come leaks, each with where the secret had been
// planted, where it went and what it was encoded with.
//
// Of one message every leak is told. A secret that leaves in pieces is put
// together for each destination: in the labels of names that are asked for,
// or spread over requests.
package leak
