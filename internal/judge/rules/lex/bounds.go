package lex

// Bounds for reading texts that a target wrote.
// no gap: bounds one text that explains an access; reading less explains less
const (
	// MaxClaims is how many names are read from one text.
	MaxClaims = 256
	// MaxListed is the size of any list that is kept.
	// gap: rule-memory
	MaxListed = 10_000
	// MaxParams bounds the size of JSON that is decoded, MaxDepth its depth.
	MaxParams = 1 << 20
	MaxDepth  = 64
	// MaxValue bounds a string in JSON, MaxPath a path, MaxURL a URL, MaxArgs a
	// command line.
	MaxValue = 64 << 10
	MaxPath  = 4096
	MaxURL   = 4096
	MaxArgs  = 64
)
