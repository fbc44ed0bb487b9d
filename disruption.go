package mcpsf

// DisruptionDetail belongs to mcp.disruption: a message that the server did not
// survive, confirmed by a start of its own in which no other malformed message
// was sent.
type DisruptionDetail struct {
	// What became of the server.
	What DisruptionKind `json:"what"`
	// Message is the smallest message that does it, with long repetitions counted
	// and cut to a size limit; Size is its length, and Why what is wrong with it.
	Message string `json:"message"`
	Size    int64  `json:"size"`
	Why     string `json:"why"`
	// Asks is set for a valid tool call, which an agent can be made to send.
	// Otherwise only a broken or malicious client sends it.
	Asks bool `json:"asks,omitempty"`
	// Code and Signal tell how the server exited, Words the last it printed.
	Code   int    `json:"code,omitempty"`
	Signal string `json:"signal,omitempty"`
	Words  string `json:"words,omitempty"`
	// Seconds is how long a sign of life was waited for, and Bytes how much
	// memory the server took.
	Seconds float64 `json:"seconds,omitempty"`
	Bytes   int64   `json:"bytes,omitempty"`
}

// DisruptionKind is what becomes of a server.
type DisruptionKind string

// The kinds.
const (
	DisruptionCrash  DisruptionKind = "crash"  // it ended
	DisruptionHang   DisruptionKind = "hang"   // it no longer answers
	DisruptionGrowth DisruptionKind = "growth" // it took far more memory, and kept it
)
