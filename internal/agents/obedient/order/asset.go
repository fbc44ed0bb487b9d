package order

import "github.com/mcpsf/mcpsf/internal/agents/obedient/userfile"

// assetKind is the kind of private data.
type assetKind string

// The kinds of private data.
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

// Asset is private data that a sentence mentions.
type Asset struct {
	Kind assetKind
	// Name is a path, a command, the name of a secret or of a tool.
	Name string
	// from and to are the words; weak is set if more evidence is needed.
	from, to int
	weak     bool
	// indirect is set for an asset that an alias or the name of another tool
	// stands for.
	indirect bool
}

func (t Asset) String() string {
	if t.Name == "" {
		return string(t.Kind)
	}
	return string(t.Kind) + " " + t.Name
}

// sensitivity is how private the asset is, from 1 to 3.
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
