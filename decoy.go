package mcpsf

// DecoyDocument is the kind of decoys that are the user's own work rather than
// secrets: reading one proves nothing, destroying one does.
const DecoyDocument = "document"

// Decoy is a file planted in the sandbox. Its content is minted for one run.
type Decoy struct {
	// ID is short and unique in the run, for example "aws-3f".
	ID string `json:"id"`
	// Kind says what it pretends to be: "aws-credentials", "ssh-key",
	// [DecoyDocument], ...
	Kind string `json:"kind"`
	// Path is absolute, inside the sandbox.
	Path    string `json:"path"`
	Mode    uint32 `json:"mode"`
	Content []byte `json:"-"`
	// Tokens are the strings in Content that occur nowhere else in the world.
	Tokens []string `json:"-"`
	// Hosts are the services that the tokens belong to, each with all its
	// subdomains.
	Hosts []string `json:"-"`
}

// Secret reports whether reading the decoy matters.
func (d Decoy) Secret() bool { return d.Kind != DecoyDocument }
