package mcpsf

// AccessKind says what of the machine was used.
type AccessKind string

// The kinds of access. A host is one that the server connected to, a listener
// an address that the server opened to others.
const (
	AccessProgram  AccessKind = "program"
	AccessRead     AccessKind = "read"
	AccessWrite    AccessKind = "write"
	AccessHost     AccessKind = "host"
	AccessListen   AccessKind = "listen"
	AccessVariable AccessKind = "variable"
)

// Explainer is who explains an access.
type Explainer string

// What can explain an access: the arguments of the call, the user's
// configuration, the server's stated purpose, or the needs of any program (its
// own files, its libraries). An access with Nobody is unexplained.
const (
	ByArgument      Explainer = "argument"
	ByConfiguration Explainer = "configuration"
	ByPurpose       Explainer = "purpose"
	ByNature        Explainer = "nature"
	ByNobody        Explainer = "nobody"
)

// Explanation is why something was done, or that nothing says why.
type Explanation struct {
	By Explainer `json:"by"`
	// Reason is one clause: "the argument \"path\" names it".
	Reason string `json:"reason"`
}

// Access is one thing that the server used, for one of its tools. Accesses under
// attack do not count: they are not what the server needs.
type Access struct {
	Kind AccessKind `json:"kind"`
	// Tool is the tool, prompt or resource that was called; "" for the start, the
	// handshake and listings.
	Tool string `json:"tool,omitempty"`
	// Phase tells an installation from the rest.
	Phase Phase `json:"phase"`
	// Name is a path, "host:port", or the name of a variable. Many files of one
	// directory are given as the directory with a trailing "/".
	Name string `json:"name"`
	// Count is how often it was used, and Event the number of the first time.
	Count int64 `json:"count"`
	Event int64 `json:"event"`
	// Planted names the kind of decoy that it was, "" for none.
	Planted     string      `json:"planted,omitempty"`
	Explanation Explanation `json:"explanation"`
}
