package mcpsf

// RuleModelSuspects is the id of what a model suspects and no rule found.
const RuleModelSuspects = "model-suspects"

// Stance is what a model makes of a finding.
type Stance string

// The stances.
const (
	StanceAgrees Stance = "agrees"
	StanceDisagrees Stance = "doubts"
)

// Opinion is what a model says of a finding. It changes nothing about it.
type Opinion struct {
	// Model is its name.
	Model string `json:"model"`
	// Stance is "" if the model did not say.
	Stance Stance `json:"stance,omitempty"`
	// Text is a few sentences: words only, without links and markup.
	Text string `json:"text,omitempty"`
}

// SecondOpinion is what a model made of the run, beside the rules. Nothing of it
// counts: findings, score and verdict are the same without it.
type SecondOpinion struct {
	Model string `json:"model"`
	// Asked is how often it was asked, and Answered how many of its answers
	// were taken. Turned were thrown away because the model had obeyed what it
	// was to judge, Untested because it passed over what was planted to test it,
	// and Failed were none at all.
	Asked    int `json:"asked"`
	Answered int `json:"answered"`
	Turned   int `json:"turned,omitempty"`
	Untested int `json:"untested,omitempty"`
	Failed   int `json:"failed,omitempty"`
	// Suspicions are what it sees that no rule found.
	Suspicions []Suspicion `json:"suspicions"`
	// Invented counts suspicions that quoted what was nowhere to be read,
	// Repeated those that a rule or the model itself had already, and Beyond
	// those that were too many or made no sense.
	Invented int        `json:"invented,omitempty"`
	Repeated int        `json:"repeated,omitempty"`
	Beyond   int        `json:"beyond,omitempty"`
	Usage    ModelUsage `json:"usage"`
}

// Suspicion is what a model suspects, with the words that it rests on.
type Suspicion struct {
	// Finding is suspected and no more than medium, and has no weight. What the
	// model says of it is its opinion.
	Finding Finding `json:"finding"`
	// Quote stands word for word in what the server said or did.
	Quote string `json:"quote"`
	// Of is what it stands in ("server", "tool", "prompt", "resource", "result",
	// "access"), and Name which of them.
	Of   string `json:"of"`
	Name string `json:"name,omitempty"`
}
