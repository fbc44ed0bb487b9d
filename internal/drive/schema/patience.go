package schema

// A tool that can be told how long to take is told to be quick: what it does
// meanwhile is the same.

// lasts tells whether the value the schema proposes for a number only makes us
// wait longer than the one we would choose.
func (g *generator) lasts(p place) bool {
	kind := g.kind(p.schema)
	if kind != "number" && kind != "integer" || !has(Words(p.name), "delay", "wait", "sleep", "duration") {
		return false
	}
	proposed, ok := number(p.schema["default"])
	return ok && proposed > plausible(p)
}

// shortened names the durations that are sent although they are optional, to make a tool quick.
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
