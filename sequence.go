package mcpsf

import "encoding/json"

// Step is a call of a tool on which a later call depends: it made a state, or
// returned a value.
type Step struct {
	Tool      Tool
	Arguments json.RawMessage
	// ServerValues are the values that the server made, by their place in the
	// arguments.
	ServerValues ServerValues
	// Links are the arguments that results of earlier steps gave.
	Links []Link
}

// Link is an argument that was taken from the result of an earlier call. In
// another start of the server it has another value.
type Link struct {
	// Pointer is the argument's JSON pointer, and Tool the tool that returned it.
	Pointer, Tool string
	// Whole is set if it is the whole result, not one value of it.
	Whole bool
	// Rank is the number, from 1, of the value among those that the result gives for
	// the argument; 0 if nothing but the names decided.
	Rank int
}
