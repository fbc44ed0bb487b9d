package meaning

// Values that depend on what the tool does, by its words.

// element returns a selector for the element that a tool of a browser works with. The
// pages of the fake Internet have each of these once, and once more in their frame.
func (v Values) element(names []string) string {
	switch tool := Words(v.tool); {
	case HasWord(names, "iframe", "frame"):
		return "iframe"
	case HasWord(tool, "select", "option", "dropdown", "choose"):
		return "select"
	case HasWord(tool, "upload"):
		return "input[type=file]"
	case HasWord(tool, "check", "uncheck", "checkbox", "toggle"):
		return "input[type=checkbox]"
	case HasWord(tool, "type", "fill", "input", "text", "press", "key", "keys", "write", "enter", "clear"):
		return "textarea"
	case HasWord(tool, "click", "tap", "hover", "drag", "drop", "focus", "move"):
		return "button"
	case HasWord(tool, "link", "href"):
		return "a"
	}
	return "body"
}

// maxSelecting is how many words of a description are read for that.
// no gap: bounds how a value is guessed; the tool is called with another one
const maxSelecting = 20

// selects reports whether the words of a parameter say that it selects an element of a
// page.
func selects(names, said []string) bool {
	said = said[:min(len(said), maxSelecting)]
	return HasWord(names, "selector", "selectors") && !HasWord(said, "label", "labels", "kubernetes", "pod", "pods") ||
		HasWord(said, "selector", "selectors") && HasWord(said, "element", "css", "dom", "page", "xpath")
}

// humanLanguage is the language that people speak.
const humanLanguage = "en"

// aboutCode reports whether a language is one of programs: the words of the parameter, of
// the tool and of the server speak of code.
func (v Values) aboutCode(said []string) bool {
	for _, words := range [][]string{said, Words(v.tool), Words(v.Samples.Server)} {
		if HasWord(words, "translate", "translation", "voice", "subtitle", "transcript") {
			return false
		}
		if HasWord(words, "code", "programming", "ast", "syntax", "sitter", "symbol", "symbols", "compiler", "compile", "linter", "lint", "snippet", "repl", "execute", "runner") {
			return true
		}
	}
	return false
}
