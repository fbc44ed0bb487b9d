// Package names is the name system of the fake Internet: questions of a client
// go in, answers come out, and what was asked.
//
// Every name that could exist has an address of its own, so that a later
// connection says which name it was for. The same seed gives the same
// addresses, and a run has one directory for all its sandboxes.
package names
