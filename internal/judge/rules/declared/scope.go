package declared

import "github.com/mcpsf/mcpsf"

// Scope is what a run declares: everything that can explain an access, except
// the arguments of the call that made it.
type Scope struct {
	Home    string
	WorkDir string
	// Start is the folder the server is started in, if not WorkDir: an image has
	// its own.
	Start string
	// Command is the server's command line and Env its K=V variables. Both hold
	// only what the user wrote: if paths from the target's own files counted, a
	// malicious target could explain its own accesses.
	Command []string
	Env     []string
	// Name is the name of the package and, after a space, the name that the
	// server gives itself. Description is the package's description.
	Name        string
	Description string
	// Packages are what was installed with the server, as the report lists
	// them: "npm NAME@VERSION DIGEST", "pypi FILE DIGEST".
	Packages []string
	// Hosts are the host names in the package's documentation and metadata, read
	// before it ran, and "localhost:PORT" for the ports of the user's own machine.
	Hosts []string
	// Variables are the environment variables in the package's documentation.
	Variables []string
	// Tools are the tools as the server listed them, by name.
	Tools map[string]mcpsf.Tool
}
