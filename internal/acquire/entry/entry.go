// Package entry finds out how a server wants to be started.
//
// In: the texts of a package (README, server.json, smithery.yaml, Dockerfile,
// its source) and the stderr of a failed start. Out: arguments and variables.
// [Snippets], [ServerJSON], [Smithery] and [Dockerfile] read what the author
// wrote, [ForPackage] picks what starts this package, [Fill] replaces
// placeholders by paths that exist in the sandbox and by fake credentials, and
// [Diagnose] reads from an error message what is still missing.
//
// Every text is hostile. Work and results are bounded, no recursion is as deep
// as its input, and an unreadable text yields nothing.
package entry

// Var is an environment variable with the value an author gave as an example.
type Var struct {
	Name, Value string
	// Secret is set if the author says so; a secret's example is never used.
	Secret bool
}

// Snippet is one written way to start a server, with its placeholders.
type Snippet struct {
	Command string
	Args    []string
	Env     []Var
	// Line is its line, counted from 1.
	Line int
	// config is set for the configuration of a client. A shell command may also
	// log in, install or ask for help.
	config bool
}

// Places are files and directories in the sandbox that arguments can point at.
type Places struct {
	// Dir is a directory with files in it, File a text file.
	Dir, File string
	// NewFile does not exist but can be made.
	NewFile string
	// Repo is a git repository, Database an SQLite file.
	Repo, Database string
	// Project returns the folder of a project that one of the words names, "" if
	// there is none; nil means that there are none.
	Project func(words []string) string
}

// folder returns the directory that words ask for.
func (p *Places) folder(words []string) string {
	if p.Project != nil {
		if dir := p.Project(words); dir != "" {
			return dir
		}
	}
	return p.Dir
}

// The limits on what an author can make us read and keep.
// no gap: bounds how ways to start the server are found; a server that does not start gets no PASS
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
