package declared

import "github.com/mcpsf/mcpsf"

// Scope is what a run declares: everything that can explain an access
// besides the arguments of the call that made it.
type Scope struct {
	Home    string
	WorkDir string
	// Start is where the server is started if that is not WorkDir: an image
	// has a place of its own.
	Start string
	// Command is the server's command line and Env its K=V variables as the
	// user configured them. Only what the user wrote belongs here: a path
	// that the target's own files put on the command line would let a thief
	// explain itself.
	Command []string
	Env     []string
	// Name and Description are the declared purpose: the name of the package
	// and, after a space, the one the server gives itself; and what the
	// package says it is.
	Name        string
	Description string
	// Packages are what was installed with the server, as the report lists
	// them: "npm NAME@VERSION DIGEST", "pypi FILE DIGEST".
	Packages []string
	// Hosts are the names of machines that the package mentions in its
	// documentation and its metadata, before it was run.
	Hosts []string
	// Tools are the tools as the server listed them, by name.
	Tools map[string]mcpsf.Tool
}
