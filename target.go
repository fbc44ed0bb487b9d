package mcpsf

// Target is what the user named on the command line.
type Target struct {
	// Source is the argument as typed: a path, a package, an address.
	Source string `json:"source"`
	// Command overrides the entry point; it is what followed "--".
	Command []string `json:"command,omitempty"`
	// Args are appended to the entry point that is found; a client's
	// configuration gives them. They do not go with Command.
	Args []string `json:"args,omitempty"`
	// Env holds the variables the user gave for the server (K=V).
	Env []string `json:"env,omitempty"`
}
