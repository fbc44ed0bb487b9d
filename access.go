package mcpsf

// AccessKind says what of the machine was used.
type AccessKind string

// The kinds of access. A host is one that was spoken to, a listener an address
// that was opened to others.
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

// Who can explain an access: the arguments of the call it was made for, what
// the user configured, what the server says it is for, and the server's being
// a program at all, which has files of its own and libraries with habits. Of
// Nobody an access is not explained.
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

// Access is one thing that the server was seen to use, for one of its tools.
// Attacks do not count: what a server does under them is not what it needs.
type Access struct {
	Kind AccessKind `json:"kind"`
	// Tool is the tool, prompt or resource that was asked for; "" if it was
	// used without any: by the start, the handshake, a listing.
	Tool string `json:"tool,omitempty"`
	// Phase tells an installation from the rest.
	Phase Phase `json:"phase"`
	// Name is a path, "host:port", or the name of a variable. Files of one
	// folder are told as that folder with a "/" behind it where they are many.
	Name string `json:"name"`
	// Count is how often it was used, and Event the number of the first time.
	Count int64 `json:"count"`
	Event int64 `json:"event"`
	// Planted names the kind of decoy that it was, "" for none.
	Planted     string      `json:"planted,omitempty"`
	Explanation Explanation `json:"explanation"`
}
