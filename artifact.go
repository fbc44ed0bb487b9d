package mcpsf

import (
	"io/fs"
	"time"
)

// Runtime names what interprets the server.
type Runtime string

// The runtimes a server can need.
const (
	RuntimeNode   Runtime = "node"
	RuntimePython Runtime = "python"
	RuntimeNative Runtime = "native"
	// RuntimeElsewhere is that of a server that is reached over the network.
	RuntimeElsewhere Runtime = "elsewhere"
)

// Artifact is the bytes that will run, pinned by digest, and how to start them.
type Artifact struct {
	// Kind says which source produced it: "local", later "npm", "pypi", ...
	Kind    string `json:"kind"`
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	// Digest is "sha256:<hex>" over the canonical listing of the copied tree:
	// names, modes and contents. The same tree has the same digest anywhere.
	Digest string `json:"digest"`
	Files  int    `json:"files"`
	Bytes  int64  `json:"bytes"`
	// Dir is the private copy on the host that becomes [WorkDir] in the sandbox.
	Dir string `json:"-"`
	// Tree shows the files where the user has them, for those who only read
	// them; then there is no copy, and Dir is "".
	Tree fs.FS `json:"-"`

	// RootFS is the file system of a container image on the host; "" means
	// that the server runs on the host's own runtime.
	RootFS string `json:"-"`
	// WorkDir is where an image's server runs, "" for [WorkDir].
	WorkDir string `json:"work_dir,omitempty"`

	// Runtime is left out where it is not known how to start it, which a scan does
	// not need.
	Runtime Runtime `json:"runtime,omitempty"`
	// Command is the argument vector as it runs inside the sandbox, with
	// [WorkDir] as working directory. Command[0] is a program name or path.
	Command []string `json:"command"`
	// Env holds extra variables for the server (K=V).
	Env []string `json:"env,omitempty"`
	// Origin says where published bytes came from, nil for the user's own.
	Origin *Origin `json:"origin,omitempty"`
	// Install is what has to be done in the sandbox before the server can
	// start, nil if nothing has to.
	Install *Install `json:"install,omitempty"`

	// Description is what the package says of itself.
	Description string `json:"description,omitempty"`
	// Candidates are the entry points that were considered, best first.
	Candidates []EntryCandidate `json:"candidates,omitempty"`
	// Release gives up what the artifact holds of the cache; nil if nothing.
	Release func() `json:"-"`

	// Notes say what was left out of the copy and why (sockets, devices, ...).
	Notes []string `json:"notes,omitempty"`
}

// EntryCandidate is one way the server might be started.
type EntryCandidate struct {
	Command []string `json:"command"`
	Why     string   `json:"why"`
	Chosen  bool     `json:"chosen,omitempty"`
	// Outcome says how it went where it was tried.
	Outcome string `json:"outcome,omitempty"`
}

// Origin pins published bytes.
type Origin struct {
	// URL is where they were downloaded from, without credentials.
	URL string `json:"url"`
	// Pin is the immutable name that was asked for or checked: an integrity
	// ("sha512-..."), "sha256:<hex>", or a commit.
	Pin string `json:"pin"`
	// Published is when they were, zero if that is not known.
	Published time.Time `json:"published,omitzero"`
	// Offline is set when nothing was downloaded: the bytes were in the cache.
	Offline bool `json:"offline,omitempty"`
	// Repository is where the package says that its source is, nil if it does
	// not say.
	Repository *Repository `json:"repository,omitempty"`
}

// Repository is a place of source as a package names it. Nothing of that is
// proved.
type Repository struct {
	// URL is as it was written, without credentials.
	URL string `json:"url"`
	// Dir is the package's directory in it, "" for the top or if it is not known.
	Dir string `json:"dir,omitempty"`
	// Commit is what the package says it was made of, "" if it does not say.
	Commit string `json:"commit,omitempty"`
}

// Manager is a package manager.
type Manager string

// The package managers that install servers.
const (
	ManagerNPM Manager = "npm"
	ManagerPip Manager = "pip"
)

// Lock is what the author's lock file says. It holds a package manager to versions;
// it never says where packages come from.
type Lock struct {
	// File is its name: "uv.lock".
	File string
	// Problem says why it is not used, "" if it is.
	Problem string
	// Versions are the locked versions of npm packages by name, each with the
	// digest of its file, "" if that is unknown.
	Versions map[string]map[string]string
	// Constraints are the locked versions for pip, as lines of a constraints file.
	Constraints []string
	// Requires is what the project asks for itself, as lines of a requirements
	// file. Alone says that nothing else is installed: the project is no package.
	// Only says that nothing else says what to install.
	Requires    []string
	Alone, Only bool
	// Members are folders of the project that are packages which it needs.
	Members []string
	// Elsewhere are packages that come from no registry, which the file cannot
	// lock here.
	Elsewhere []string
}

// Install is an installation that is still to be done.
type Install struct {
	Manager Manager `json:"manager"`
	// Package is the published file on the host (.tgz, .whl, .tar.gz, ...).
	// "" installs the project in [Artifact.Dir] itself.
	Package string `json:"-"`
	// Extras are optional parts of a Python package that were asked for.
	Extras []string `json:"extras,omitempty"`
	// Needs is what the package asks of its runtime: engines.node or
	// Requires-Python; "" if anything will do.
	Needs string `json:"needs,omitempty"`
	// Locked says that the versions of the author's lock file are installed.
	Locked bool `json:"locked,omitempty"`
	// Lock is that file, nil if there is none.
	Lock *Lock `json:"-"`
	// Requirements is the project's list of packages, for a Python project
	// that is none itself.
	Requirements string `json:"requirements,omitempty"`
	// Build is the project's script that makes what is started out of the
	// sources, "" if there is none.
	Build string `json:"build,omitempty"`
}
