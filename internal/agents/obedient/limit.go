package obedient

// The bounds of everything that an ask can make grow.
const (
	// maxCalls is how many calls are made in a conversation.
	maxCalls = 160
	// maxShown is how much of a result the answer has.
	maxShown = 2 << 10
)
