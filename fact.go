package mcpsf

// Fact is something static inspection found in the artifact.
type Fact struct {
	// Kind is a dotted name such as "manifest.script".
	Kind string `json:"kind"`
	// Path is the file it was found in, relative to the artifact.
	Path string `json:"path,omitempty"`
	Text string `json:"text,omitempty"`
}
