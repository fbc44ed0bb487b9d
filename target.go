package mcpsf

// Target is what the user named on the command line.
type Target struct {
	// Source is the argument as typed: a path, a package, an address.
	Source string `json:"source"`
	// Command overrides the entry point; it is what followed "--".
	Command []string `json:"command,omitempty"`
	// Env holds the variables the user gave for the server (K=V).
	Env []string `json:"env,omitempty"`
}
