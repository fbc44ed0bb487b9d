package mcpsf

// AttackDetail says, on a request of ours, what it was made to find out; on the
// answer it says the same, and whether the answer shows it.
type AttackDetail struct {
	// Class is the attack: "command-injection".
	Class string `json:"class"`
	// Place is where in the arguments the payload stands, as a JSON pointer.
	Place string `json:"place"`
	// Payload is what stands there, cut to a size limit, and Why the technique
	// in a few words.
	Payload string `json:"payload"`
	Why     string `json:"why"`
	// Plain says that a tool with no limit to what it works on shows the sign,
	// too: it means something only if the server promises a limit, or kept one
	// when it was asked in another way.
	Plain bool `json:"plain,omitempty"`
	// Sign is where success shows, Marker what only success brings about. The
	// payload does not contain the marker where an echo could be taken for it.
	Sign   AttackSign `json:"sign"`
	Marker string     `json:"marker"`
	// Shown is set on an answer that holds the marker.
	Shown bool `json:"shown,omitempty"`
}

// AttackSign is where the success of an attack shows.
type AttackSign string

// The signs.
const (
	// SignExec: a program with that name is executed.
	SignExec AttackSign = "exec"
	// SignArgument: some program is executed with the marker as an argument of
	// its own.
	SignArgument AttackSign = "argument"
	// SignOpen: the file of that path is opened.
	SignOpen AttackSign = "open"
	// SignRequest: the host of that name is asked for something.
	SignRequest AttackSign = "request"
	// SignQuery: the marker stands as code, not as data, in what a database
	// is asked.
	SignQuery AttackSign = "query"
	// SignAnswer: the answer holds the marker, which the payload does not.
	SignAnswer AttackSign = "answer"
	// SignEcho: the answer holds the marker, which the payload does: what
	// should have been made harmless was not.
	SignEcho AttackSign = "echo"
	// SignCost: the server takes far longer, or far more, than for the same
	// input of half the size.
	SignCost AttackSign = "cost"
	// SignCrash: the server ends.
	SignCrash AttackSign = "crash"
)
