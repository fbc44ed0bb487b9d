package mcpsf

// Shape is what a program expects of a JSON value that it is given.
type Shape struct {
	// Type is "object", "array", "string", "number", "boolean" or "null", "" if
	// nothing tells.
	Type string `json:"type,omitempty"`
	// Members are those of an object that are read, Element is what is expected of
	// each element of an array.
	Members map[string]*Shape `json:"members,omitempty"`
	Element *Shape            `json:"element,omitempty"`
	// Accepted are the values that the program compares it with; of an array they
	// are how many elements it has. Required says that the program fails with any
	// other value.
	Accepted []string `json:"accepted,omitempty"`
	Required bool     `json:"required,omitempty"`
	// Format is what a text looks like, as in JSON Schema: "uuid", "date-time"; of a
	// number "integer" is a whole one.
	Format string `json:"format,omitempty"`
	// Absent is set for a member that must not be there.
	Absent bool `json:"absent,omitempty"`
	// Closed is set for an object that must not have other members.
	Closed bool `json:"closed,omitempty"`
}

// ExpectedAnswer is what a program expects of the answer to its requests.
type ExpectedAnswer struct {
	// Host and Path say which requests, as far as the source tells: "" is any. A
	// part of the path in braces is anything: "/v1/users/{}".
	Host  string `json:"host,omitempty"`
	Path  string `json:"path,omitempty"`
	Shape *Shape `json:"shape"`
	// Format is that of the body: "" is JSON, "csv" a table of which Shape is a
	// list. In "xml" members with a text are elements and others are attributes;
	// in "xml-object" all are elements.
	Format string `json:"format,omitempty"`
	// Method says which requests this is about: "" is any. Status is
	// the code that the program wants, 0 if any code of success is good. Headers
	// are those that it reads.
	Method  string            `json:"method,omitempty"`
	Status  int               `json:"status,omitempty"`
	Headers map[string]*Shape `json:"headers,omitempty"`
}
