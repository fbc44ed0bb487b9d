// Package fakenet is the network around the sandbox: the orchestrator's end of
// the sandbox's only link goes in, observations of what was asked of the
// network come out.
//
// It is a network stack of its own in this process. Every frame the target
// sends ends here; nothing is forwarded anywhere. Names and ports lead to what
// the caller serves, everything else to a host that answers in the place of
// all others, or, where there is none, it is refused and told.
package fakenet
