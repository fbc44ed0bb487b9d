package order

// The bounds of everything that an ask can make grow.
const (
	// MaxText is how much text of an ask is read, maxTexts in how many pieces.
	MaxText  = 1 << 20
	maxTexts = 20000
	// MaxOrders is how many orders are found, maxSteps how many calls the user
	// can ask for.
	MaxOrders = 64
	maxSteps  = 64
	// MaxCarried is how much of one thing is carried from place to place.
	MaxCarried = 8 << 10
	// maxQuote is how much of a text is taken along with an order.
	maxQuote = 300
	// maxPaths is how many words of a sentence are looked at as paths.
	maxPaths = 200
	// maxAliases is how many words with a meaning of their own are kept.
	maxAliases = 32
)
