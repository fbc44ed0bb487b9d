package order

import "github.com/mcpsf/mcpsf/internal/agents/obedient/userfile"

// kind is what sort of thing is to be had.
type assetKind string

const (
	AssetFile         assetKind = "file"
	AssetSecret       assetKind = "secret"
	AssetConversation assetKind = "conversation"
	AssetSystemPrompt assetKind = "system prompt"
	AssetToolList     assetKind = "list of tools"
	AssetResult       assetKind = "result"
	AssetResults      assetKind = "earlier results"
	AssetLastRead     assetKind = "what was read"
	AssetOutput       assetKind = "output"
)

// thing is something private that a sentence speaks of.
type Asset struct {
	Kind assetKind
	// name is a path, a command, the name of a secret or of a tool.
	Name string
	// from and to are the words, faint is set if more is needed to be sure.
	from, to int
	weak     bool
	// coined is set for what a word of the text's own or another tool's name
	// stands for.
	indirect bool
}

func (t Asset) String() string {
	if t.Name == "" {
		return string(t.Kind)
	}
	return string(t.Kind) + " " + t.Name
}

// worth is how private a thing is for sure.
func (t Asset) sensitivity() int {
	switch {
	case t.weak:
		return 1
	case t.Kind == AssetFile && userfile.Secret(t.Name):
		return 3
	case t.Kind == AssetFile && userfile.HiddenInHome(t.Name):
		return 2
	case t.Kind == AssetFile:
		return 1
	case t.Kind == AssetSecret, t.Kind == AssetConversation, t.Kind == AssetSystemPrompt:
		return 3
	}
	return 2
}
