package schema

// Values and members that depend on what the tool does, by its words.

// element returns a selector for the element that a tool of a browser works with. The
// pages of the fake Internet have each of these once, and once more in their frame.
func (v Values) element(names []string) string {
	switch tool := Words(v.tool); {
	case has(names, "iframe", "frame"):
		return "iframe"
	case has(tool, "select", "option", "dropdown", "choose"):
		return "select"
	case has(tool, "upload"):
		return "input[type=file]"
	case has(tool, "check", "uncheck", "checkbox", "toggle"):
		return "input[type=checkbox]"
	case has(tool, "type", "fill", "input", "text", "press", "key", "keys", "write", "enter", "clear"):
		return "textarea"
	case has(tool, "click", "tap", "hover", "drag", "drop", "focus", "move"):
		return "button"
	case has(tool, "link", "href"):
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
	return has(names, "selector", "selectors") && !has(said, "label", "labels", "kubernetes", "pod", "pods") ||
		has(said, "selector", "selectors") && has(said, "element", "css", "dom", "page", "xpath")
}

// humanLanguage is the language that people speak.
const humanLanguage = "en"

// aboutCode reports whether a language is one of programs: the words of the parameter, of
// the tool and of the server speak of code.
func (v Values) aboutCode(said []string) bool {
	for _, words := range [][]string{said, Words(v.tool), Words(v.Samples.Server)} {
		if has(words, "translate", "translation", "voice", "subtitle", "transcript") {
			return false
		}
		if has(words, "code", "programming", "ast", "syntax", "sitter", "symbol", "symbols", "compiler", "compile", "linter", "lint", "snippet", "repl", "execute", "runner") {
			return true
		}
	}
	return false
}

// A tool with a duration parameter gets a short one: it saves time and does not
// change what the tool does.

// lasts reports whether the number that the schema proposes would only make the
// call last longer than the generator's own number.
func (g *generator) lasts(p place) bool {
	kind := g.kind(p.schema)
	if kind != "number" && kind != "integer" || !has(Words(p.name), "delay", "wait", "sleep", "duration") {
		return false
	}
	proposed, ok := number(p.schema["default"])
	return ok && proposed > plausible(p)
}

// shortened names the optional durations that are sent to make a tool finish
// quickly.
func (g *generator) shortened(properties map[string]any) []string {
	if g.extras[g.variant] == none {
		return nil
	}
	var names []string
	for _, name := range sortedKeys(properties) {
		if g.lasts(newPlace(g.flatten(properties[name], 0), name, properties)) {
			names = append(names, name)
		}
	}
	return names
}
