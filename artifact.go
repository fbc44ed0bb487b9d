package mcpsf

// Runtime names what interprets the server.
type Runtime string

// The runtimes a server can need.
const (
	RuntimeNode   Runtime = "node"
	RuntimePython Runtime = "python"
	RuntimeNative Runtime = "native"
)

// Artifact is the bytes that will run, pinned by digest, and how to start them.
type Artifact struct {
	// Kind says which source produced it: "local", later "npm", "pypi", ...
	Kind    string `json:"kind"`
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	// Digest is "sha256:<hex>" over the canonical listing of the copied tree:
	// names, modes and contents. The same tree has the same digest anywhere.
	Digest string `json:"digest"`
	Files  int    `json:"files"`
	Bytes  int64  `json:"bytes"`
	// Dir is the private copy on the host that becomes [WorkDir] in the sandbox.
	Dir string `json:"-"`

	Runtime Runtime `json:"runtime"`
	// Command is the argument vector as it runs inside the sandbox, with
	// [WorkDir] as working directory. Command[0] is a program name or path.
	Command []string `json:"command"`
	// Env holds extra variables for the server (K=V).
	Env []string `json:"env,omitempty"`
	// Description is what the package says of itself.
	Description string `json:"description,omitempty"`
	// Candidates are the entry points that were considered, best first.
	Candidates []EntryCandidate `json:"candidates,omitempty"`
	// Notes say what was left out of the copy and why (sockets, devices, ...).
	Notes []string `json:"notes,omitempty"`
}

// EntryCandidate is one way the server might be started.
type EntryCandidate struct {
	Command []string `json:"command"`
	Why     string   `json:"why"`
	Chosen  bool     `json:"chosen,omitempty"`
}
