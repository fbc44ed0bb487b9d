package order

// The limits of everything that a request can make grow.
// gap: agent-bounds
const (
	// MaxText is how many bytes of a request are read, maxTexts in how many
	// pieces.
	MaxText  = 1 << 20
	maxTexts = 20000
	// MaxOrders is how many orders are found, maxSteps how many calls the user
	// can ask for.
	MaxOrders = 64
	maxSteps  = 64
	// MaxCarried is how many bytes of one asset are carried to a sink.
	MaxCarried = 8 << 10
	// maxQuote is how many bytes of a text are quoted with an order.
	maxQuote = 300
	// maxPaths is how many words of a sentence are checked as paths.
	maxPaths = 200
	// maxAliases is how many aliases are kept.
	maxAliases = 32
)
