// Package fakenet is the network around the sandbox: the sandbox's only link
// goes in, observations of its traffic come out.
//
// It is a network stack of its own in this process. Every frame of the target
// ends here; nothing is forwarded. Connections go to the names that the caller
// serves, and all others to a fake host that answers for every host. Without
// such a host, they are refused and reported.
package fakenet
