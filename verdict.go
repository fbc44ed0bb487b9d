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

// Verdict is the answer to two questions: does the server attack its user, and
// can it be attacked?
type Verdict struct {
	// Band is the worse of the two bands, Score the higher of the two scores.
	Band  Band `json:"band"`
	Score int  `json:"score"`
	// Behaviour says whether the server attacks its user, Weakness whether it can
	// be attacked.
	Behaviour Answer `json:"behaviour"`
	Weakness  Answer `json:"weakness"`
	// Decides is the question that the band answers, "" if neither has an answer
	// above PASS. Behaviour decides between equal bands.
	Decides Category `json:"decides,omitempty"`
	// Action is what the band asks the reader to do.
	Action string `json:"action"`
	// Confidence says how much of the server the verdict rests on.
	Confidence Confidence `json:"confidence"`
	// Reasons say what of the run was not as it should be, one sentence each:
	// always for an inconclusive one, beside another band where it matters.
	Reasons []string `json:"reasons,omitempty"`
}

// Limited reports whether the run saw less than it should have.
func (v *Verdict) Limited() bool {
	return v.Confidence.Level == ConfidenceLow || v.Confidence.Level == ConfidenceMedium
}

// Incomplete reports whether so much was not seen that the absence of findings
// means nothing.
func (v *Verdict) Incomplete() bool {
	return v.Confidence.Level == ConfidenceLow || v.Band == BandInconclusive ||
		v.Behaviour.Band == BandInconclusive || v.Weakness.Band == BandInconclusive
}

// Answer is the answer to one question. It is INCONCLUSIVE if too little was
// seen to say that there is nothing.
type Answer struct {
	Band  Band `json:"band"`
	Score int  `json:"score"`
}

// ConfidenceLevel says how far a verdict can be relied on.
type ConfidenceLevel string

// The levels. Low: the run was incomplete. Medium: a part of the server did not
// work or was not attacked.
const (
	ConfidenceHigh   ConfidenceLevel = "high"
	ConfidenceMedium ConfidenceLevel = "medium"
	ConfidenceLow    ConfidenceLevel = "low"
)

// ConfidenceLevels returns all levels, the lowest first.
func ConfidenceLevels() []ConfidenceLevel {
	return []ConfidenceLevel{ConfidenceLow, ConfidenceMedium, ConfidenceHigh}
}

// Confidence is a level with the numbers behind it.
type Confidence struct {
	Level ConfidenceLevel `json:"level"`
	// Tools is how many tools were listed, ToolsWorked how many of them answered
	// at least one call with success.
	Tools       int `json:"tools"`
	ToolsWorked int `json:"tools_worked"`
	// AttacksPlanned is how many attack calls the plan had, AttacksMade how many
	// of them were made.
	AttacksPlanned int `json:"attacks_planned"`
	AttacksMade    int `json:"attacks_made"`
	// TextsRead is how many texts of the server were searched for instructions to
	// a model.
	TextsRead int `json:"texts_read"`
	// Gaps is how many gaps the coverage lists.
	Gaps int `json:"gaps"`
	// Reasons say why the level is not high.
	Reasons []string `json:"reasons"`
}
