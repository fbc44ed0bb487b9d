package mcpsf

// Fact is something static inspection found in the artifact.
type Fact struct {
	// Kind is a dotted name such as "manifest.script".
	Kind string `json:"kind"`
	// Path is the file it was found in, relative to the artifact; Line counts
	// from 1, 0 if it is about the file as a whole.
	Path string `json:"path,omitempty"`
	Line int    `json:"line,omitempty"`
	// Name is what it is about in a word: a function, a host, a package's purl.
	Name string `json:"name,omitempty"`
	Text string `json:"text,omitempty"`
	// Tool is the tool whose handler leads there, "" if that is not known.
	Tool string `json:"tool,omitempty"`
	// Level is how grave others say it is: that of an advisory.
	Level Severity `json:"level,omitempty"`
	// Package is the purl of the dependency it was found in, "" for the
	// server itself.
	Package string `json:"package,omitempty"`
	// Advisory is the id of the published record it is about, if there is one.
	Advisory string `json:"advisory,omitempty"`
}
