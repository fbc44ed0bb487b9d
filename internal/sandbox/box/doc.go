// Package box runs an artifact in a gVisor sandbox.
//
// In: [Options] with an [mcpsf.Artifact] to run, the files to plant around it,
// how it is connected, and its limits.
//
// Out: a running [Box] with the server's standard streams, the kernel's records
// ([Box.Each]), the sandbox's clock ([Box.Clock]), its network as Ethernet
// frames ([Box.Link]), connections to servers that listen inside
// ([Box.PortForward]), and what the server left behind ([Export]).
//
// gVisor is part of this binary. A run is three kinds of process, all of them
// this same executable under another name:
//
//	mcpsf              the orchestrator; never runs target code
//	  mcpsf-supervisor in its own user, mount, network, IPC and UTS namespaces;
//	                   assembles the root file system and owns the two below
//	    runsc-gofer    gVisor's file server
//	    runsc-sandbox  gVisor's kernel, with our observer compiled in
//
// When its control socket closes, the supervisor ends all other processes and
// itself; so nothing outlives the orchestrator, however the orchestrator ended.
//
// Files by what they do: options.go, plan, layout, payload, etc and machine
// decide what the sandbox looks like; box, control, streams, records, clock,
// forward and export are the orchestrator's side of a running sandbox;
// supervisor, isolate, root, spec, link, watchdog and dispatch run in the
// supervisor; cgroup, rundir and lock manage groups, files and locks of the
// host; check is for mcpsf doctor.
package box
