package lex

// Bounds on what is read of texts that a target has written.
const (
	// MaxClaims is how many names are taken from one text, maxListed how many of
	// anything are remembered.
	MaxClaims = 256
	MaxListed = 10_000
	// MaxParams bounds JSON that is decoded, maxDepth how deep it is.
	MaxParams = 1 << 20
	MaxDepth  = 64
	// MaxValue bounds a string in it, maxPath a path, maxURL the address of a
	// request, maxArgs a command line.
	MaxValue = 64 << 10
	MaxPath  = 4096
	MaxURL   = 4096
	MaxArgs  = 64
)
