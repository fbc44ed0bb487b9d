package mcpsf

import "time"

// Inspection is what was read in the package before anything of it ran. What
// rules judge is in the facts; this is what the facts were made from.
type Inspection struct {
	// Packages are the parts the server is made of, itself included.
	Packages []Package `json:"packages"`
	// Advisories are the published ones about these packages.
	Advisories []Advisory `json:"advisories"`
	// Lookup says what the packages were looked up in, and what was not.
	Lookup Lookup `json:"lookup"`
	// Capabilities are what the source can do, beside what the run showed.
	Capabilities []Capability `json:"capabilities"`
	// Tools are those whose definition was found in the source.
	Tools []SourceTool `json:"tools,omitempty"`
	// Repository is the comparison with the repository that the package names,
	// nil if there was none.
	Repository *Comparison `json:"repository,omitempty"`
	// Files counts what was read of the package.
	Files FileTotals `json:"files"`
	// Gaps lists what was not understood or left out.
	Gaps []string `json:"gaps,omitempty"`
}

// The ecosystems whose packages are looked up, by their OSV names.
const (
	EcosystemNPM   = "npm"
	EcosystemPyPI  = "PyPI"
	EcosystemGo    = "Go"
	EcosystemRust  = "crates.io"
	EcosystemMaven = "Maven"
	// EcosystemDebian and EcosystemAlpine are for container images; a release
	// may follow after a colon: "Debian:12".
	EcosystemDebian = "Debian"
	EcosystemAlpine = "Alpine"
)

// Package is one piece of published software that the server consists of.
type Package struct {
	// Ecosystem is its OSV name.
	Ecosystem string `json:"ecosystem"`
	Name      string `json:"name"`
	// Version is "" where only a range is known, which is then in Wanted.
	Version string `json:"version,omitempty"`
	Wanted  string `json:"wanted,omitempty"`
	// PURL names it in one string, and is what others refer to it by.
	PURL     string   `json:"purl"`
	Licences []string `json:"licences,omitempty"`
	// Digests are of its published file: "sha512-<base64>" or "sha256:<hex>".
	Digests []string `json:"digests,omitempty"`
	// Found are the files that name it, relative to the artifact.
	Found []string `json:"found"`
	// Installed is set if its files are there, not only its name in a list,
	// and Dirs are where: directories, and files that stand alone.
	Installed bool     `json:"installed,omitempty"`
	Dirs      []string `json:"-"`
	// Via is the chain of dependencies that led to it, from a direct dependency
	// of the server to the one that needs this; empty for a direct dependency,
	// nil if it is not known.
	Via []string `json:"via,omitzero"`
	// Needs are the purls of the packages it asks for.
	Needs []string `json:"needs,omitempty"`
	// Dev is set if it is needed for development only.
	Dev bool `json:"dev,omitempty"`
	// Loaded says whether the run opened a file of it.
	Loaded Loaded `json:"loaded,omitempty"`
}

// Loaded says whether something was in use while the server ran.
type Loaded string

// The values; "" if nothing was run.
const (
	LoadedYes Loaded = "yes"
	LoadedNo  Loaded = "no"
)

// Advisory is a published record about a package that the server has.
type Advisory struct {
	// ID is that of the record, such as "GHSA-..." or "MAL-...".
	ID      string   `json:"id"`
	Aliases []string `json:"aliases,omitempty"`
	// Package is the purl of the package it is about.
	Package string `json:"package"`
	Summary string `json:"summary,omitempty"`
	// Malicious is set if the package as such is the harm.
	Malicious bool     `json:"malicious,omitempty"`
	Severity  Severity `json:"severity"`
	// Score and Vector are the CVSS ones the severity was taken from, empty
	// where the record has none.
	Score  float64 `json:"score,omitempty"`
	Vector string  `json:"vector,omitempty"`
	// Fixed are the versions in which it is mended, lowest first.
	Fixed     []string  `json:"fixed,omitempty"`
	Published time.Time `json:"published,omitzero"`
	Modified  time.Time `json:"modified,omitzero"`
	Loaded    Loaded    `json:"loaded,omitempty"`
}

// Lookup says where advisories were looked up.
type Lookup struct {
	// Sources are the databases that answered.
	Sources []AdvisorySource `json:"sources,omitempty"`
	// Packages is how many were looked up, Unknown how many could not be: they
	// have no version, or no source covers their ecosystem.
	Packages int `json:"packages"`
	Unknown  int `json:"unknown"`
	// Missing says why no advisories are known; "" if some source answered.
	Missing string `json:"missing,omitempty"`
}

// AdvisorySource is one database of advisories as it was asked.
type AdvisorySource struct {
	// Name is "database on this machine" or the host that was asked.
	Name      string `json:"name"`
	Ecosystem string `json:"ecosystem,omitempty"`
	Records   int    `json:"records,omitempty"`
	// Exported is the day its newest record was changed; Fetched when it was
	// brought here.
	Exported time.Time `json:"exported,omitzero"`
	Fetched  time.Time `json:"fetched,omitzero"`
	// Stale is set if it is too old to rule out an advisory.
	Stale bool `json:"stale,omitempty"`
}

// CapabilityKind is something a program can do that affects others.
type CapabilityKind string

// The capabilities that are distinguished in source code.
const (
	CapabilityExec       CapabilityKind = "exec"
	CapabilityFiles      CapabilityKind = "files"
	CapabilityNetwork    CapabilityKind = "network"
	CapabilityDynamic    CapabilityKind = "dynamic-code"
	CapabilityNative     CapabilityKind = "native-code"
	CapabilityEnviron    CapabilityKind = "environment"
	CapabilityCredential CapabilityKind = "credentials"
)

// Capability is one capability of the package: what the source calls, what the
// server says about itself, and what the run showed.
type Capability struct {
	Kind CapabilityKind `json:"kind"`
	// Places are where the server's own source calls it, at most a few; Count
	// is how many there are in all.
	Places []CodePlace `json:"places,omitempty"`
	Count  int         `json:"count"`
	// Packages are the purls of the dependencies whose source calls it.
	Packages []string `json:"packages,omitempty"`
	// Declared quotes what the package says that makes it expected, "" if
	// nothing.
	Declared string `json:"declared,omitempty"`
	// Used says whether the run showed it, Evidence where.
	Used     Loaded  `json:"used,omitempty"`
	Evidence []int64 `json:"evidence,omitempty"`
}

// CodePlace is a place in the source.
type CodePlace struct {
	Path string `json:"path"`
	Line int    `json:"line"`
	// Name is what is called there: "child_process.exec".
	Name string `json:"name,omitempty"`
	// Tools are the tools whose handler leads there, as far as it can be told.
	Tools []string `json:"tools,omitempty"`
}

// SourceTool is a tool as it is defined in the source.
type SourceTool struct {
	Tool Tool   `json:"tool"`
	Path string `json:"path"`
	Line int    `json:"line"`
}

// FileTotals counts files of the package.
type FileTotals struct {
	Seen int `json:"seen"`
	// Source are files in a language that is parsed, Parsed those that were
	// parsed completely; of the rest only words were read.
	Source int   `json:"source"`
	Parsed int   `json:"parsed"`
	Bytes  int64 `json:"bytes"`
}

// Comparison compares a published package with its repository. The differences
// are in the facts.
type Comparison struct {
	// Repository is its name, Commit the state that was compared, and Ref the
	// tag or commit that led there.
	Repository string `json:"repository,omitempty"`
	Commit     string `json:"commit,omitempty"`
	Ref        string `json:"ref,omitempty"`
	// Files is how many source files the package has, Same how many of them are
	// in the repository, too, and Built how many its build is expected to make.
	Files int `json:"files"`
	Same  int `json:"same"`
	Built int `json:"built"`
	// Missing says why nothing was compared, "" if something was.
	Missing string `json:"missing,omitempty"`
}
