// Package names is the DNS of the fake Internet: questions of a client go in;
// answers, and a list of the questions, come out.
//
// Every name that could exist has an address of its own, so that a later
// connection shows which name it is for. The same seed gives the same
// addresses, and a run has one directory for all its sandboxes.
package names
