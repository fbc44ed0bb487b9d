package mcpsf

// Band is the verdict in a word.
type Band string

// The bands. Inconclusive is separate from the others: a part of the run that
// had to be examined was not.
const (
	BandPass         Band = "PASS"
	BandLow          Band = "LOW"
	BandMedium       Band = "MEDIUM"
	BandHigh         Band = "HIGH"
	BandCritical     Band = "CRITICAL"
	BandInconclusive Band = "INCONCLUSIVE"
)

// Bands returns all bands.
func Bands() []Band {
	return []Band{BandPass, BandLow, BandMedium, BandHigh, BandCritical, BandInconclusive}
}

// Verdict is the answer.
type Verdict struct {
	Band  Band `json:"band"`
	Score int  `json:"score"`
	// Action is what the band asks the reader to do.
	Action string `json:"action"`
	// Reasons say what of the run was not as it should be, one sentence each:
	// always for an inconclusive one, beside another band where it matters.
	Reasons []string `json:"reasons,omitempty"`
}
