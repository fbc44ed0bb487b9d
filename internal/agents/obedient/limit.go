package obedient

// The limits of everything that a request can make grow.
// gap: agent-bounds
const (
	// maxCalls is how many calls are made in a conversation.
	maxCalls = 160
	// maxShown is how many bytes of a result the answer has.
	maxShown = 2 << 10
)
