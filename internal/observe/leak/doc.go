// Package leak finds planted secrets in data that leaves the sandbox. It takes
// the decoys of a run and everything sent to the network, to the client and to
// standard error. It returns leaks, each with where the secret was planted,
// where it went and how it was encoded.
//
// Every leak in a message is reported. A secret that leaves in pieces is
// reassembled for each destination: from the labels of DNS names, or from
// several requests.
package leak
