package obedient

// The bounds of everything that an ask can make grow.
const (
	// maxText is how much text of an ask is read, maxTexts in how many pieces.
	maxText  = 1 << 20
	maxTexts = 20000
	// maxOrders is how many orders are obeyed, maxCalls how many calls are made
	// in a conversation, of which maxTask are the user's.
	maxOrders = 64
	maxCalls  = 160
	maxTask   = 64
	// maxCarried is how much of one thing is carried from place to place,
	// maxShown how much of a result the answer has.
	maxCarried = 8 << 10
	maxShown   = 2 << 10
	maxQuote   = 300
	// maxCoded is the size of a text that is tried as one big cipher, maxDepth
	// how often something is decoded again, maxPlain how much comes out.
	maxCoded = 8 << 10
	maxDepth = 2
	maxPlain = 256 << 10
	// maxTools is how many tools are known by name.
	maxTools = 2000
	// maxAliases is how many words with a meaning of their own are kept.
	maxAliases = 32
)
