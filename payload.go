package mcpsf

// PayloadRun is what a model proposed to attack the tools of the server with.
type PayloadRun struct {
	Model string `json:"model"`
	// Tools is how many tools there were to ask about, Unanswered for how many
	// of these there was no answer of use, because none came, it was no good as
	// a whole, or nobody was asked any more.
	Tools      int `json:"tools"`
	Unanswered int `json:"unanswered"`
	// Proposed is how many payloads there were in the answers, LeftOut how many
	// of these were not used, and Calls how many calls came of the others.
	Proposed int `json:"proposed"`
	LeftOut  int `json:"left_out"`
	Calls    int `json:"calls"`
	// Usage is what the model took.
	Usage *ModelUsage `json:"usage,omitempty"`
	// Lost says why, in one line for each reason.
	Lost []string `json:"lost,omitempty"`
}
