package mcpsf

// Shape is what a program expects of a JSON value that it is given.
type Shape struct {
	// Type is "object", "array", "string", "number" or "boolean", "" if nothing
	// tells.
	Type string `json:"type,omitempty"`
	// Members are those of an object that are read, Element is what is expected of
	// each element of an array.
	Members map[string]*Shape `json:"members,omitempty"`
	Element *Shape            `json:"element,omitempty"`
	// Accepted are the values that the program compares it with.
	Accepted []string `json:"accepted,omitempty"`
}

// ExpectedAnswer is what a program expects of the answer to its requests.
type ExpectedAnswer struct {
	// Host and Path say which requests, as far as the source tells: "" is any. A
	// part of the path in braces is anything: "/v1/users/{}".
	Host  string `json:"host,omitempty"`
	Path  string `json:"path,omitempty"`
	Shape *Shape `json:"shape"`
}
