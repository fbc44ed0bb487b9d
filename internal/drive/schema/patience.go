package schema

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
