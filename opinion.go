package mcpsf

// RuleModelSuspects is the id of a model's suspicion that no rule found.
const RuleModelSuspects = "model-suspects"

// Stance is whether a model agrees with a finding.
type Stance string

// The stances.
const (
	StanceAgrees    Stance = "agrees"
	StanceDisagrees Stance = "doubts"
)

// Opinion is a model's comment on a finding. It changes nothing about the
// finding.
type Opinion struct {
	// Model is its name.
	Model string `json:"model"`
	// Stance is "" if the model did not say.
	Stance Stance `json:"stance,omitempty"`
	// Text is a few sentences: words only, without links and markup.
	Text string `json:"text,omitempty"`
}

// SecondOpinion is a model's review of the run, beside the rules. It does not
// count: findings, score and verdict are the same without it.
type SecondOpinion struct {
	Model string `json:"model"`
	// Asked is how often the model was asked, and Answered how many answers were
	// used. Turned were discarded because the model had obeyed an injected order,
	// Untested because it ignored the probe that was planted to test it, and
	// Failed because there was no valid answer.
	Asked    int `json:"asked"`
	Answered int `json:"answered"`
	Turned   int `json:"turned,omitempty"`
	Untested int `json:"untested,omitempty"`
	Failed   int `json:"failed,omitempty"`
	// Suspicions are what it sees that no rule found.
	Suspicions []Suspicion `json:"suspicions"`
	// Invented counts suspicions whose quote does not exist, Repeated those that
	// a rule or the model itself had reported already, and Beyond those over the
	// limit or without meaning.
	Invented int        `json:"invented,omitempty"`
	Repeated int        `json:"repeated,omitempty"`
	Beyond   int        `json:"beyond,omitempty"`
	Usage    ModelUsage `json:"usage"`
}

// Suspicion is what a model suspects, with the text that it quotes.
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
