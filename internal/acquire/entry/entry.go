// Package entry finds out how a server wants to be started.
//
// In come the texts a package brings along (README, server.json, smithery.yaml,
// Dockerfile, its source) and the stderr of a start that failed. Out go
// arguments and variables: [Snippets], [ServerJSON], [Smithery] and
// [Dockerfile] read what the author wrote, [ForPackage] picks what starts this
// package, [Fill] replaces placeholders by paths that exist in the sandbox and
// by fake credentials, and [Diagnose] reads from an error message what is still
// missing.
//
// Every text is hostile. Work and results are bounded, nothing recurses as
// deep as its input, and a text that makes no sense yields nothing.
package entry

// Var is an environment variable with the value an author gave as an example.
type Var struct {
	Name, Value string
	// Secret is set where the author says so; a secret's example is never used.
	Secret bool
}

// Snippet is one way to start a server as somebody wrote it down. Placeholders
// are still in it.
type Snippet struct {
	Command string
	Args    []string
	Env     []Var
	// Line is where it stands, counted from 1.
	Line int
	// config is set for the configuration of a client. A line for the shell
	// may just as well log in, install or ask for help.
	config bool
}

// Places are what arguments can point at inside the sandbox.
type Places struct {
	// Dir is a directory with files in it, File a text file.
	Dir, File string
	// NewFile does not exist but can be made.
	NewFile string
	// Repo is a git repository, Database an SQLite file.
	Repo, Database string
}

// The limits on what an author can make us read and keep.
const (
	maxText     = 1 << 20
	maxSnippets = 200
	maxNodes    = 50_000
	maxDepth    = 64
	maxArgs     = 128
	maxVars     = 64
	maxValue    = 16 << 10
)

// capped cuts a text to what is read at all.
func capped(text []byte) string { return string(text[:min(len(text), maxText)]) }
