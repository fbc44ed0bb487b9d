package mcpsf

import "time"

// Waived is a finding that the user decided not to count.
type Waived struct {
	Finding Finding `json:"finding"`
	// Reason is what the user wrote, or which baseline has it.
	Reason string `json:"reason"`
	// Until is when it counts again; zero for a baseline, which does not end.
	Until time.Time `json:"until,omitzero"`
	// File is where it was written.
	File string `json:"file"`
}
