// Package box runs an artifact where it can do no harm: in comes an
// [mcpsf.Artifact], the files to plant around it and the limits, out comes a
// running box with the server's standard streams and the kernel's records.
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
// The supervisor ends, and takes everything with it, when its control socket
// closes; so nothing outlives the orchestrator, however that one ended.
package box
