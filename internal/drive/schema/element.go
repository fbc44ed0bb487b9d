package schema

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
