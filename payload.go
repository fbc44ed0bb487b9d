package mcpsf

// PayloadRun is what a model proposed as payloads for the server's tools.
type PayloadRun struct {
	Model string `json:"model"`
	// Tools is how many tools the model was to be asked about, Unanswered for how
	// many of them there was no usable answer: none came, it was invalid, or
	// asking had ended.
	Tools      int `json:"tools"`
	Unanswered int `json:"unanswered"`
	// Proposed is how many payloads the answers had, LeftOut how many of them
	// were not used, and Calls how many calls were made of the others.
	Proposed int `json:"proposed"`
	LeftOut  int `json:"left_out"`
	Calls    int `json:"calls"`
	// Usage is what the model took.
	Usage *ModelUsage `json:"usage,omitempty"`
	// Lost says why, in one line for each reason.
	Lost []string `json:"lost,omitempty"`
}
