package obedient

// kind is what sort of thing is to be had.
type assetKind string

const (
	assetFile         assetKind = "file"
	assetSecret       assetKind = "secret"
	assetConversation assetKind = "conversation"
	assetSystemPrompt assetKind = "system prompt"
	assetToolList     assetKind = "list of tools"
	assetResult       assetKind = "result"
	assetResults      assetKind = "earlier results"
	assetLastRead     assetKind = "what was read"
	assetOutput       assetKind = "output"
)

// thing is something private that a sentence speaks of.
type asset struct {
	kind assetKind
	// name is a path, a command, the name of a secret or of a tool.
	name string
	// from and to are the words, faint is set if more is needed to be sure.
	from, to int
	weak     bool
	// coined is set for what a word of the text's own or another tool's name
	// stands for.
	indirect bool
}

func (t asset) String() string {
	if t.name == "" {
		return string(t.kind)
	}
	return string(t.kind) + " " + t.name
}

// worth is how private a thing is for sure.
func (t asset) sensitivity() int {
	switch {
	case t.weak:
		return 1
	case t.kind == assetFile && secretFile(t.name):
		return 3
	case t.kind == assetFile && hiddenInHome(t.name):
		return 2
	case t.kind == assetFile:
		return 1
	case t.kind == assetSecret, t.kind == assetConversation, t.kind == assetSystemPrompt:
		return 3
	}
	return 2
}
