package mcpsf

// ChangeDetail belongs to mcp.changed: the server describes itself differently
// than before.
type ChangeDetail struct {
	// Of is what changed ("tool", "resource", "prompt", "instructions"), Name
	// which one and Field which field; "" if it was added or removed as a whole.
	Of    string `json:"of"`
	Name  string `json:"name,omitempty"`
	Field string `json:"field,omitempty"`
	// Before and After are cut to what differs; one of them is "" for what was
	// added or removed.
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
	// Since is what happened in between: one of the Since constants.
	Since ChangeCause `json:"since"`
	// Announced is set if the server had sent a list_changed notification.
	Announced bool `json:"announced,omitempty"`
}

// FieldChoices is the Field of a tool whose schema differs only in the values of
// an enum.
const FieldChoices = "choices"

// ChangeCause is what happened between the two listings.
type ChangeCause string

// The causes.
const (
	SinceCalls   ChangeCause = "calls"   // tools were called
	SinceRestart ChangeCause = "restart" // the server was restarted
	SinceClient  ChangeCause = "client"  // another client connects
	SinceCI      ChangeCause = "ci"      // it runs in a CI environment
	SinceCloud   ChangeCause = "cloud"   // it runs on a cloud machine
	SinceLater   ChangeCause = "later"   // the date is a year later
	SinceListed  ChangeCause = "listed"  // nothing: one listing has the name twice
)
