package terminal

// Style is what the terminal can show, and what the reader wants to see.
type Style struct {
	// Color allows escape sequences; without it none is written.
	Color bool
	// Width is in cells; 0 means 80.
	Width int
	// Unicode allows characters beyond ASCII. Without it those of the target are
	// escaped as well.
	Unicode bool
	// Explain adds what the server used, each with what explains it.
	Explain bool
	// Dir is where report.json and events.jsonl were written, for the closing
	// line; "" leaves that out.
	Dir string
}
