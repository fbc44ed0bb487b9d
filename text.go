package mcpsf

// TextDetail belongs to mcp.text: something remarkable in the texts that a
// server gives to a model.
type TextDetail struct {
	// What it is: one of the Text constants.
	What TextKind `json:"what"`
	// Of is what the text belongs to ("server", "tool", "prompt", "resource",
	// "result", "request" for what is asked of the client, "notification" with its method as Name), Name which of them, and Field where in it, as a JSON pointer.
	Of    string `json:"of"`
	Name  string `json:"name,omitempty"`
	Field string `json:"field,omitempty"`
	// Excerpt shows it; what cannot be printed is written as an escape.
	Excerpt string `json:"excerpt"`
	// Target is what the text refers to: another tool, a file, a parameter.
	Target string `json:"target,omitempty"`
}

// OfNotification is what the text of a notification belongs to.
const OfNotification = "notification"

// TextKind is what is remarkable about a text.
type TextKind string

// The kinds.
const (
	// TextHidden: characters that are invisible to people but read by the
	// model.
	TextHidden TextKind = "hidden"
	// TextBidi: characters that change the order in which text is shown.
	TextBidi TextKind = "bidi"
	// TextLookalike: letters of another script that look like those beside them.
	TextLookalike TextKind = "lookalike"
	// TextEscape: terminal control sequences.
	TextEscape TextKind = "escape"
	// TextComment: text in markup that is not shown.
	TextComment TextKind = "comment"
	// TextInstruction: the model is told to do something that is not about
	// using this tool.
	TextInstruction TextKind = "instruction"
	// TextSecret: the model is told to secure, read or pass on a secret.
	TextSecret TextKind = "secret"
	// TextSilence: the model is told not to tell the user.
	TextSilence TextKind = "silence"
	// TextOtherTool: the model is told how, when or whether to use the tools of
	// somebody else.
	TextOtherTool TextKind = "other-tool"
	// TextMagicParameter: a parameter that makes the model pass on its
	// instructions or knowledge.
	TextMagicParameter TextKind = "magic-parameter"
	// TextShadow: the name of a well-known tool of others.
	TextShadow TextKind = "shadow"
	// TextFlood: far more text than the purpose needs.
	TextFlood TextKind = "flood"
	// TextImage: a picture in a result that is fetched when it is displayed,
	// from an address that can carry data.
	TextImage TextKind = "image"
)

// Orders tells whether it is an order to the model, in contrast to a kind of
// character or encoding.
func (k TextKind) Orders() bool {
	switch k {
	case TextInstruction, TextSecret, TextSilence, TextOtherTool:
		return true
	default:
		return false
	}
}
