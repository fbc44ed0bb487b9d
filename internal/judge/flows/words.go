package flows

// Words returns the name of a role for people.
func (r Role) Words() string {
	switch r {
	case Untrusted:
		return "untrusted input"
	case Private:
		return "private data"
	case Out:
		return "way out"
	}
	return string(r)
}

// Meaning says what it means for a flow to have this level.
func (l Level) Meaning() string {
	switch l {
	case Open:
		return "Strangers can be at both ends: the calls choose where text comes from and where it goes."
	case Seen:
		return "All of it was seen, with at least one end that calls cannot choose."
	}
	return "At least one part is only what a tool or its source says; it was not seen."
}
