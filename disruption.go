package mcpsf

// DisruptionDetail belongs to mcp.disruption: a message that the server did not get over,
// as a start of its own has shown in which there was no other.
type DisruptionDetail struct {
	// What became of the server.
	What DisruptionKind `json:"what"`
	// Message is the smallest that does it, long repetitions counted and cut to
	// a size limit; Size is how long it is, and Why what is odd about it.
	Message string `json:"message"`
	Size    int64  `json:"size"`
	Why     string `json:"why"`
	// Asks is set for a proper request for a tool, which an agent can be led
	// to send; without it, only a client that is broken or means ill does.
	Asks bool `json:"asks,omitempty"`
	// Code and Signal tell how the server ended, Words what it said last.
	Code   int    `json:"code,omitempty"`
	Signal string `json:"signal,omitempty"`
	Words  string `json:"words,omitempty"`
	// Seconds is how long a sign of life was waited for, and Bytes how much
	// memory it took.
	Seconds float64 `json:"seconds,omitempty"`
	Bytes   int64   `json:"bytes,omitempty"`
}

// DisruptionKind is what becomes of a server.
type DisruptionKind string

// The kinds.
const (
	DisruptionCrash  DisruptionKind = "crash"  // it ended
	DisruptionHang   DisruptionKind = "hang"   // it answers nothing any more
	DisruptionGrowth DisruptionKind = "growth" // it took far more memory, and kept it
)
